"""A progress bar on standard error."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from deepseekeyes.cli.plain import plain


class Bar:
    """One bar with count, rate and remaining time."""

    def __init__(self) -> None:
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}", markup=False),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,
        )
        self._task = self._bar.add_task("", total=None, rate="")
        self._bar.start()
        self._shown = True

    def update(self, done: int, total: int | None, label: str) -> None:
        task = self._bar.tasks[0]
        rate = f"{done / task.elapsed:.1f}/s" if task.elapsed and done else ""
        if not self._shown:
            self._bar.start()
            self._shown = True
        self._bar.update(self._task, completed=done, total=total, description=plain(label), rate=rate)

    def hide(self) -> None:
        """Make room for text on the same terminal; the next update brings the bar back."""
        self._bar.stop()
        self._shown = False

    def close(self) -> None:
        self._bar.stop()
