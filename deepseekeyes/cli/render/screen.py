"""A rich console that writes through the one output path and never interprets markup from outside."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from deepseekeyes.cli.emit import write_stdout
from deepseekeyes.cli.plain import plain

STYLES = {
    "ok": "green", "passed": "green", "yes": "green", "warning": "yellow", "failed": "bold red", "no": "bold red",
    "skipped": "dim", "error": "bold red",
}  # fmt: skip


class Screen:
    """Collects renderables and writes them once; every string from outside goes through `plain`.

    Args:
        streamed: whether the words of an answer were shown while they arrived.
    """

    def __init__(self, *, streamed: bool = False) -> None:
        self.streamed = streamed
        self._buffer = io.StringIO()
        terminal = sys.stdout.isatty()
        self.console = Console(
            file=self._buffer,
            force_terminal=terminal,
            color_system="auto" if terminal else None,
            width=shutil.get_terminal_size((100, 24)).columns if terminal else 120,
            markup=False,
            highlight=False,
            emoji=False,
        )

    def heading(self, text: str) -> None:
        self.console.print(Text(plain(text).replace("\n", "\\n"), style="bold"))

    def line(self, text: str = "", style: str = "") -> None:
        self.console.print(Text(plain(text), style=style), soft_wrap=True)

    def facts(self, rows: Iterable[tuple[str, object]]) -> None:
        """Aligned name and value pairs; absent values are left out."""
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="dim")
        grid.add_column(overflow="fold")
        for name, value in rows:
            if value not in (None, "", ()):
                grid.add_row(plain(name), Text(plain(str(value))))
        self.console.print(grid)

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[object]], *, fold: int | None = None) -> None:
        """A table; the column numbered `fold` takes the room that is left, a known status word is coloured."""
        table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0), show_edge=False)
        for position, column in enumerate(columns):
            table.add_column(column, overflow="fold", ratio=1 if position == fold else None)
        for row in rows:
            table.add_row(*(_cell(value) for value in row))
        self.console.print(table)

    def bullets(self, title: str, items: Sequence[str]) -> None:
        if items:
            self.line()
            self.heading(title)
            for item in items:
                self.console.print(Text(f"- {plain(item)}"))

    def flush(self) -> None:
        write_stdout(self._buffer.getvalue())


def _cell(value: Any) -> Text:
    text = "" if value is None else plain(str(value))
    return Text(text, style=STYLES.get(text, ""))
