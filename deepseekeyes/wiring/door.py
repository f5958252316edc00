"""What a door offers to the operations behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from deepseekeyes.contracts.document import Document


class Door(Protocol):
    """The caller's side: its standard input, its patience, and how far it is trusted with paths.

    Attributes:
        local: whether file paths of the caller mean files of this machine.
        wants_text: whether partial text may be shown while it arrives.
    """

    @property
    def local(self) -> bool: ...

    @property
    def wants_text(self) -> bool: ...

    def stdin(self, limit: int, setting: str = "vision.limits.max_bytes") -> bytes:
        """Everything on standard input, at most `limit` bytes; `setting` names what holds that limit."""
        ...

    def progress(self, done: int, total: int | None, label: str) -> None:
        """How far a long operation is."""
        ...

    def item(self, document: Document) -> None:
        """One document of a stream, as soon as it exists."""
        ...

    def text(self, delta: str) -> None:
        """A piece of an answer while it arrives."""
        ...

    def note(self, sentence: str) -> None:
        """A warning for people."""
        ...


@runtime_checkable
class Asks(Protocol):
    """A door with a person behind it."""

    def ask(self, question: str) -> bool:
        """Put a question and wait for yes or no. No answer, or nobody there, is no."""
        ...


class Silent:
    """A door for callers in Python: no standard input, no progress."""

    local = True
    wants_text = False

    def stdin(self, limit: int, setting: str = "vision.limits.max_bytes") -> bytes:  # noqa: ARG002
        return b""

    def progress(self, done: int, total: int | None, label: str) -> None:  # noqa: ARG002
        return

    def item(self, document: Document) -> None:  # noqa: ARG002
        return

    def text(self, delta: str) -> None:  # noqa: ARG002
        return

    def note(self, sentence: str) -> None:  # noqa: ARG002
        return
