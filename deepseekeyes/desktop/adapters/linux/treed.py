"""What every Linux backend does through the accessibility tree alone, whoever shows its windows."""

from __future__ import annotations

from abc import ABC, abstractmethod

from deepseekeyes.desktop.adapters.linux.accessibility import Accessibility
from deepseekeyes.desktop.adapters.linux.acting import Acting
from deepseekeyes.desktop.adapters.linux.windows import Listed
from deepseekeyes.desktop.ports import Element, Typed, Walk


class TreeDesktop(ABC):
    """The part of a backend that reads and uses elements; see `Backend` for every method."""

    _accessibility: Accessibility
    _acting: Acting

    @abstractmethod
    def _require(self, window: str) -> Listed:
        """A window that is there, or DESKTOP_WINDOW_LOST."""

    @abstractmethod
    def _window_of(self, handle: str) -> Listed | None:
        """The window that an element lies in, while it is there."""

    def elements(self, window: str, *, deadline_s: float, most: int, hidden: bool = False) -> Walk:
        return self._accessibility.walk(self._require(window), deadline_s=deadline_s, most=most, hidden=hidden)

    def element(self, handle: str) -> Element | None:
        return self._accessibility.element(handle, self._window_of(handle))

    def focused(self, window: str) -> Element | None:
        return self._accessibility.focused(self._require(window))

    def read_text(self, handle: str) -> str | None:
        return self._accessibility.text(handle, self._window_of(handle))

    def focus_element(self, handle: str) -> bool:
        one = self._window_of(handle)
        self._accessibility.require(handle, one)
        return self._accessibility.focus(handle, one)

    def insert_text(self, handle: str, text: str) -> Typed:
        return self._acting.insert(handle, self._window_of(handle), text)

    def set_value(self, handle: str, value: str) -> str | None:
        return self._acting.set_value(handle, self._window_of(handle), value)

    def do_action(self, handle: str, name: str | None) -> str:
        return self._acting.do(handle, self._window_of(handle), name)

    def scroll_to(self, handle: str) -> bool:
        return self._accessibility.scroll_to(handle)
