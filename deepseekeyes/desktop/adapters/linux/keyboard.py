"""Keys and text as real input."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from deepseekeyes.core.errors import Dispatched, EyesError
from deepseekeyes.desktop.adapters.linux.attention import RAW_KEY_PRESS, RAW_KEY_RELEASE, Attention
from deepseekeyes.desktop.adapters.linux.barrier import Barrier
from deepseekeyes.desktop.adapters.linux.chords import Chord, character_keysym, keysym_of
from deepseekeyes.desktop.adapters.linux.connection import Connection
from deepseekeyes.desktop.adapters.linux.focus import Focusing
from deepseekeyes.desktop.adapters.linux.grabs import Grabs
from deepseekeyes.desktop.adapters.linux.keymap import Keymap, Stroke
from deepseekeyes.desktop.codes import DESKTOP_KEY_UNKNOWN, DESKTOP_TEXT_UNSENDABLE
from deepseekeyes.desktop.ports import Typed

CHUNK = 48
SPECIAL = {"\n": "ENTER", "\t": "TAB"}
LOCK_MASK = 2
MANAGER_S = 5.0


@dataclass(slots=True)
class Keyboard:
    """Sends keys through XTEST; one per connection."""

    connection: Connection
    keymap: Keymap
    focusing: Focusing
    attention: Attention
    barrier: Barrier
    grabs: Grabs

    def press(self, chord: Chord, window: str | None) -> None:
        """Press a chord; modifiers first, everything released in the opposite order whatever happens.

        Raises:
            EyesError: see `Backend.press`.
        """
        self.keymap.refresh()
        codes = self._codes(chord)
        self.grabs.require_no_keys_held(self.keymap)
        self.grabs.require_keyboard(window)
        self.focusing.require_focus(window, "no")
        self.attention.require_undisturbed("no")
        with self.attention.listening():
            self._hold(codes)
            self.connection.sync()
            self.attention.require_undisturbed("yes")

    def type_text(self, text: str, window: str | None) -> Typed:
        """Send text as keys, a chunk at a time; before each one focus, grabs and other people's input are looked at.

        Raises:
            EyesError: see `Backend.type_text`.
        """
        characters = text.replace("\r\n", "\n").replace("\r", "\n")
        self.keymap.refresh()
        self._require_sendable(characters)
        self.grabs.require_no_keys_held(self.keymap)
        xid = self.focusing.windows.identities.number(window) if window is not None else None
        sent = 0
        with self.attention.listening(), self._without_caps(), self._given_back(xid):
            for chunk in self._chunks(characters):
                self._require_free(window, sent, len(characters))
                self._send(chunk, xid)
                sent += len(chunk)
            self.attention.require_undisturbed("yes" if sent else "no", sent=sent, total=len(characters))
        return Typed(sent, len(characters))

    def _require_free(self, window: str | None, sent: int, total: int) -> None:
        dispatched: Dispatched = "yes" if sent else "no"
        self.attention.require_undisturbed(dispatched, sent=sent, total=total)
        self.grabs.require_none(dispatched, sent=sent, total=total)
        self.focusing.require_focus(window, dispatched, sent=sent, total=total)

    def _require_sendable(self, text: str) -> None:
        """Refuse what no key can give.

        Raises:
            EyesError: DESKTOP_TEXT_UNSENDABLE, nothing sent.
        """
        odd = next((one for one in text if _unsendable(one)), None)
        if odd is not None:
            raise EyesError(
                DESKTOP_TEXT_UNSENDABLE,
                f"The character U+{ord(odd):04X} cannot be typed.",
                details={"dispatched": "no"},
            )
        if not self.keymap.room and any(self._native(one) is None for one in text):
            raise EyesError(
                DESKTOP_TEXT_UNSENDABLE,
                "The text has characters that no key gives, and no key of the keyboard is free for them.",
                details={"dispatched": "no"},
            )

    def _chunks(self, text: str) -> Iterator[str]:
        """Pieces that need no more borrowed keys than there are."""
        piece, foreign = "", set[str]()
        for one in text:
            new = {one} if self._native(one) is None else set[str]()
            if len(piece) >= CHUNK or len(foreign | new) > max(self.keymap.room, 1):
                yield piece
                piece, foreign = "", set()
            piece += one
            foreign |= new
        if piece:
            yield piece

    def _send(self, chunk: str, xid: int | None) -> None:
        foreign = [character_keysym(one) for one in chunk if self._native(one) is None]
        if foreign:
            self.keymap.borrow(foreign)
            self.barrier.wait(xid)
        for one in chunk:
            stroke = self._stroke(one)
            assert stroke is not None
            self._tap(stroke)
        self.barrier.wait(xid)

    def _native(self, character: str) -> Stroke | None:
        """The key for a character, unless it is one that was borrowed."""
        return self.keymap.native(self._keysym(character))

    def _stroke(self, character: str) -> Stroke | None:
        return self.keymap.stroke(self._keysym(character))

    def _keysym(self, character: str) -> int:
        return keysym_of(SPECIAL[character]) if character in SPECIAL else character_keysym(character)

    def _codes(self, chord: Chord) -> list[int]:
        """Keycodes of a chord, Shift added where the last key needs it.

        Raises:
            EyesError: DESKTOP_KEY_UNKNOWN when the keyboard has no such key.
        """
        names = list(chord.modifiers)
        last: list[int] = []
        if chord.key is not None:
            stroke = self.keymap.anywhere(keysym_of(chord.key))
            if stroke is None:
                raise _absent(chord.key)
            if stroke.shift and "SHIFT" not in names:
                names.append("SHIFT")
            last = [stroke.keycode]
        return [*(self._modifier(name) for name in names), *last]

    def _modifier(self, name: str) -> int:
        stroke = self.keymap.anywhere(keysym_of(name))
        if stroke is None:
            raise _absent(name)
        return stroke.keycode

    def _tap(self, stroke: Stroke) -> None:
        self._hold([*([self._modifier("SHIFT")] if stroke.shift else []), stroke.keycode])

    def _hold(self, codes: Sequence[int]) -> None:
        down: list[int] = []
        try:
            for code in codes:
                self._fake(code, press=True)
                down.append(code)
        finally:
            for code in reversed(down):
                self._fake(code, press=False)

    def _fake(self, code: int, *, press: bool) -> None:
        from Xlib import X

        self.attention.sent(RAW_KEY_PRESS if press else RAW_KEY_RELEASE, code)
        self.connection.display.xtest_fake_input(X.KeyPress if press else X.KeyRelease, code)

    @contextmanager
    def _given_back(self, xid: int | None) -> Iterator[None]:
        try:
            yield
        finally:
            if self.keymap.borrowing:
                self.barrier.wait(xid)
                self.keymap.give_back()
                self.focusing.manager.wait(MANAGER_S)

    @contextmanager
    def _without_caps(self) -> Iterator[None]:
        """Caps Lock off while text is sent, and back on afterwards."""
        locked = bool(int(self.connection.root.query_pointer().mask) & LOCK_MASK)
        code = next((code for code, name in self.keymap.modifiers().items() if name == "CAPSLOCK"), None)
        if not locked or code is None:
            yield
            return
        self._hold([code])
        self.connection.sync()
        try:
            yield
        finally:
            self._hold([code])
            self.connection.sync()


def _unsendable(character: str) -> bool:
    """Controls and lone halves of surrogate pairs."""
    number = ord(character)
    return (number < 0x20 and character not in SPECIAL) or 0x7F <= number < 0xA0 or 0xD800 <= number <= 0xDFFF


def _absent(name: str) -> EyesError:
    return EyesError(DESKTOP_KEY_UNKNOWN, f"This keyboard has no key {name}.", details={"dispatched": "no"})
