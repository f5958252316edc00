"""Shows an answer while it arrives, and nothing of what is not an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from deepseekeyes.vision.reasoning import REQUEST_OPEN
from deepseekeyes.vision.thoughts import beginning

_FENCE: Final = "```"
_FENCE_LINE: Final = 40
_ENDINGS: Final = frozenset(">]▷")
AGAIN: Final = "\n\n"


class Speech:
    """One reply on its way to a reader.

    Held back: thoughts at the start; a text that may still turn out to be a private request; everything from a request
    mark on, until the whole reply was understood.

    Args:
        show: takes the pieces that may be shown.
        guarded: whether the model may send private requests at all.
    """

    def __init__(self, show: Callable[[str], None], *, guarded: bool) -> None:
        self._show = show
        self._guarded = guarded
        self._shown = False
        self._forget()

    def _forget(self) -> None:
        self._pending = ""
        self._started = False
        self._thinking = False

    def hear(self, delta: str) -> None:
        """One piece of the reply."""
        self._pending += delta
        if self._thinking and not _ENDINGS & set(delta):
            return
        if self._started or self._starts():
            self._pass(self._safe())

    def restart(self) -> None:
        """All that came so far is void; the reply begins again."""
        self._forget()
        self._break()

    def end(self, *, answer: bool) -> None:
        """The reply is whole and understood: show the rest of an answer, drop a request."""
        if answer:
            if not self._started:
                self._starts(final=True)
            self._pass(len(self._pending.rstrip()))
        else:
            self._break()
        self._forget()

    def _starts(self, *, final: bool = False) -> bool:
        """Whether it is clear that an answer has begun; cuts what stands before it."""
        while text := self._pending.lstrip():
            found = beginning(text)
            self._thinking = found == "thought"
            if isinstance(found, int):
                self._pending = text[found:]
                continue
            if self._thinking and final:
                self._pending = ""
            if found == "answer" or (found == "unclear" and final):
                self._pending = text
                self._started = final or not (self._guarded and _may_be_request(text))
            return self._started
        return False

    def _safe(self) -> int:
        """How much of what waits can be no request mark and no blank at the end."""
        text = self._pending
        if self._guarded:
            at = text.find(REQUEST_OPEN)
            sizes = range(min(len(REQUEST_OPEN) - 1, len(text)), 0, -1)
            begun = next((size for size in sizes if text.endswith(REQUEST_OPEN[:size])), 0)
            text = text[:at] if at >= 0 else text[: len(text) - begun]
        return len(text.rstrip())

    def _pass(self, count: int) -> None:
        if count:
            self._show(self._pending[:count])
            self._shown = True
            self._pending = self._pending[count:]

    def _break(self) -> None:
        if self._shown:
            self._show(AGAIN)
        self._shown = False


def _may_be_request(text: str) -> bool:
    """Whether a text begins as a request does, in a fence or bare."""
    if _FENCE.startswith(text[:3]):
        line, ended, rest = text.partition("\n")
        if not ended:
            return len(line) < _FENCE_LINE
        text = rest.lstrip()
    return text.startswith(REQUEST_OPEN) or REQUEST_OPEN.startswith(text)
