"""The door of a process that serves many calls at once: what belongs to one call is found through its context."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from deepseekeyes.core.errors import EyesError
from deepseekeyes.serve.codes import SERVE_STDIN_REFUSED

if TYPE_CHECKING:
    from deepseekeyes.contracts.document import Document

Report = Callable[[float, float | None, str], None]


@dataclass(frozen=True, slots=True)
class Call:
    """What one call brings along.

    Attributes:
        report: is told how far the call is; called from the thread of the operations.
        stdin: what stands for standard input; None where the call has none.
    """

    report: Report | None = None
    stdin: bytes | None = None


_current: ContextVar[Call | None] = ContextVar("deepseekeyes_served_call", default=None)


@contextmanager
def serving(call: Call) -> Iterator[None]:
    """Everything inside belongs to this call."""
    token = _current.set(call)
    try:
        yield
    finally:
        _current.reset(token)


class ServedDoor:
    """A `Door` without a standard input of its own; warnings go to standard error, each once.

    Args:
        local: whether the callers' file paths mean files of this machine.
    """

    wants_text = False

    def __init__(self, *, local: bool) -> None:
        self.local = local
        self._noted: set[str] = set()

    def stdin(self, limit: int, setting: str = "vision.limits.max_bytes") -> bytes:  # noqa: ARG002
        """The text that a call brought along for this purpose.

        Raises:
            EyesError: SERVE_STDIN_REFUSED.
        """
        call = _current.get()
        if call is None or call.stdin is None:
            raise EyesError(SERVE_STDIN_REFUSED, "A served call has no standard input.")
        return call.stdin[: limit + 1]

    def progress(self, done: int, total: int | None, label: str) -> None:
        call = _current.get()
        if call is not None and call.report is not None:
            call.report(done, total, label)

    def item(self, document: Document) -> None:
        """Streams end in one result here; the pieces are not shown."""

    def text(self, delta: str) -> None:
        """Answers are shown whole."""

    def note(self, sentence: str) -> None:
        if sentence not in self._noted:
            self._noted.add(sentence)
            say(f"warning: {sentence}")


def say(line: str) -> None:
    """A line for people on standard error; a closed one is no failure."""
    from deepseekeyes.core.redact import redact
    from deepseekeyes.core.secrets import known_values

    try:
        sys.stderr.write(redact(line, known_values()).encode("utf-8", "backslashreplace").decode("utf-8") + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return
