"""The command line as a door: standard input in, streams and progress out."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from deepseekeyes.cli.codes import STDIN_TOO_LARGE, STDIN_UNAVAILABLE
from deepseekeyes.cli.emit import json_line, write_stderr, write_stdout
from deepseekeyes.core.errors import EyesError

if TYPE_CHECKING:
    from deepseekeyes.cli.options import Globals
    from deepseekeyes.contracts.document import Document

TERMINAL = "/dev/tty" if os.name == "posix" else "CON"


class CommandLine:
    """One invocation's streams."""

    local = True

    def __init__(self, options: Globals, *, as_json: bool) -> None:
        self._options = options
        self.as_json = as_json
        self._stdin: bytes | None = None
        self._progress: Any = None
        self._text_open = False

    @property
    def wants_text(self) -> bool:
        """Whether somebody watches the answer arrive."""
        return not self.as_json and sys.stdout.isatty()

    def stdin(self, limit: int, setting: str = "vision.limits.max_bytes") -> bytes:
        """Everything on standard input; asked twice it answers the same.

        Raises:
            EyesError: STDIN_UNAVAILABLE on a terminal or a closed input, STDIN_TOO_LARGE beyond `limit` bytes.
        """
        if self._stdin is None:
            if sys.stdin is None or sys.stdin.closed or sys.stdin.isatty():
                raise EyesError(STDIN_UNAVAILABLE, "Nothing is piped into standard input.")
            try:
                data = sys.stdin.buffer.read(limit + 1)
            except OSError as trouble:
                raise EyesError(STDIN_UNAVAILABLE, "Standard input cannot be read.") from trouble
            if len(data) > limit:
                raise EyesError(
                    STDIN_TOO_LARGE,
                    f"Standard input holds more than {limit} bytes.",
                    details={"limit": {"name": "stdin bytes", "value": limit, "setting": setting}},
                    setting=setting,
                )
            self._stdin = data
        return self._stdin

    def progress(self, done: int, total: int | None, label: str) -> None:
        """A bar on standard error, on a terminal only."""
        if self._options.quiet or not sys.stderr.isatty():
            return
        if self._progress is None:
            from deepseekeyes.cli.progress import Bar

            self._progress = Bar()
        self._progress.update(done, total, label)

    def item(self, document: Document) -> None:
        """One document of a stream on its own line."""
        if self._progress is not None and sys.stdout.isatty():
            self._progress.hide()
        if self.as_json:
            write_stdout(json_line(document.to_json(), pretty=False))
        else:
            from deepseekeyes.cli.render import render

            render(document)

    def text(self, delta: str) -> None:
        """Answer text as it arrives, on a terminal only."""
        if self.wants_text:
            from deepseekeyes.cli.plain import plain

            self._close_bar()
            self._text_open = True
            write_stdout(plain(delta))

    @property
    def streamed(self) -> bool:
        """Whether text of an answer was shown while it arrived."""
        return self._text_open

    def note(self, sentence: str) -> None:
        """A warning on standard error."""
        if not self._options.quiet:
            from deepseekeyes.cli.plain import plain

            write_stderr(f"warning: {plain(sentence)}")

    def ask(self, question: str) -> bool:
        """A yes or no from the terminal, whatever standard input and output are; without a terminal it is no."""
        from deepseekeyes.cli.plain import plain

        try:
            with open(TERMINAL, "r+b", buffering=0) as terminal:  # noqa: PTH123 - a device
                terminal.write(f"{plain(question)} [y/N] ".encode())
                answer = terminal.readline(64)
        except OSError:
            return False
        return answer.strip().lower() in (b"y", b"yes")

    def finish(self) -> None:
        """End what is open on the terminal."""
        self._close_bar()
        if self._text_open:
            write_stdout("\n")

    def _close_bar(self) -> None:
        if self._progress is not None:
            self._progress.close()
            self._progress = None
