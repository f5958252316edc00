"""Chords and text as keysyms, while a window is known to have the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.adapters.linux.chords import Chord, character_keysym, keysym_of
from deepseekeyes.desktop.adapters.wayland.remote import RemoteDesktop
from deepseekeyes.desktop.adapters.wayland.windows import Windows
from deepseekeyes.desktop.codes import DESKTOP_TEXT_UNSENDABLE
from deepseekeyes.desktop.ports import Typed

CHUNK = 16
SPECIAL = {"\n": "ENTER", "\t": "TAB"}


@dataclass(slots=True)
class Keyboard:
    """Sends keys; one per desktop."""

    remote: RemoteDesktop
    windows: Windows

    def press(self, chord: Chord, window: str | None) -> None:
        """Press a chord; everything is released in the opposite order whatever happens.

        Raises:
            EyesError: see `Backend.press`; DESKTOP_FOREGROUND_UNKNOWN, and what the portal raises.
        """
        self.windows.require_foreground(window)
        self.remote.begin("keyboard")
        self.windows.require_foreground(window)
        held: list[int] = []
        with self._released(held):
            for name in chord.names:
                keysym = keysym_of(name)
                self.remote.key(keysym, down=True)
                held.append(keysym)

    def type_text(self, text: str, window: str | None) -> Typed:
        """Send text as keys, a chunk at a time; before each one the window is looked at.

        Raises:
            EyesError: see `Backend.type_text`; DESKTOP_FOREGROUND_UNKNOWN, and what the portal raises.
        """
        characters = text.replace("\r\n", "\n").replace("\r", "\n")
        keysyms = [_keysym(one) for one in characters]
        self.windows.require_foreground(window)
        self.remote.begin("keyboard")
        sent = 0
        try:
            for start in range(0, len(keysyms), CHUNK):
                self.windows.require_foreground(window)
                for keysym in keysyms[start : start + CHUNK]:
                    with self._released([keysym]):
                        self.remote.key(keysym, down=True)
                    sent += 1
        except EyesError as trouble:
            if trouble.details.get("dispatched") != "unknown":
                trouble.details["dispatched"] = self.remote.dispatched
            trouble.fields.update(sent=sent, total=len(keysyms))
            raise
        return Typed(sent, len(keysyms))

    @contextmanager
    def _released(self, held: list[int]) -> Iterator[None]:
        """Release what is held; after a failure the end of the session does so where this cannot."""
        try:
            yield
        except EyesError:
            for keysym in reversed(held):
                try:
                    self.remote.key(keysym, down=False)
                except EyesError:
                    break
            self.remote.close()
            raise
        for keysym in reversed(held):
            self.remote.key(keysym, down=False)


def _keysym(character: str) -> int:
    """The keysym of a character.

    Raises:
        EyesError: DESKTOP_TEXT_UNSENDABLE.
    """
    if character in SPECIAL:
        return keysym_of(SPECIAL[character])
    number = ord(character)
    if number < 0x20 or 0x7F <= number <= 0x9F or 0xD800 <= number <= 0xDFFF:
        raise EyesError(
            DESKTOP_TEXT_UNSENDABLE, f"The character U+{number:04X} cannot be typed.", details={"dispatched": "no"}
        )
    return character_keysym(character)
