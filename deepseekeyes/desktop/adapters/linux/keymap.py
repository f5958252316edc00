"""Which key gives which character now, and characters that no key gives, on borrowed keys.

A borrowed key carries two characters, the second one with Shift: every change of the map makes each program, the window
manager first, read all of it again. Borrowed keys are given back when the text is through. What a killed process left
borrowed is written down and given back by the next one that opens the display.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deepseekeyes.core.atomic import write_private
from deepseekeyes.desktop.adapters.linux.connection import Connection
from deepseekeyes.desktop.adapters.linux.processes import start_ticks

GROUP_SHIFT, GROUP_MASK = 13, 3
MAPPING_NOTIFY = 34
PER_KEY = 2


@dataclass(frozen=True, slots=True)
class Stroke:
    """A key and whether Shift goes with it."""

    keycode: int
    shift: bool = False


@dataclass(slots=True)
class Keymap:
    """The keyboard map of one connection.

    Attributes:
        note: where borrowed keys are written down; None keeps no note.
    """

    connection: Connection
    note: Path | None = None
    _strokes: dict[int, Stroke] = field(default_factory=dict)
    _spare: list[int] = field(default_factory=list)
    _borrowed: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def refresh(self) -> None:
        """Read the map as it is now, in the layout that is switched on."""
        display = self.connection.display
        for change in self.connection.take(MAPPING_NOTIFY):
            display.refresh_keyboard_mapping(change)
        first, last = int(display.display.info.min_keycode), int(display.display.info.max_keycode)
        rows = display.get_keyboard_mapping(first, last - first + 1)
        group = self._group()
        self._strokes.clear()
        self._spare.clear()
        for keycode, row in enumerate(rows, first):
            values = [int(value) for value in row]
            if not any(values):
                self._spare.append(keycode)
                continue
            self._enter(keycode, values, group)
        used = set(self._modifier_codes())
        self._spare = [code for code in self._spare if code not in used]

    def stroke(self, keysym: int) -> Stroke | None:
        """The key that gives a keysym now; None when there is none."""
        return self._strokes.get(keysym)

    def native(self, keysym: int) -> Stroke | None:
        """The same, unless the key is a borrowed one."""
        found = self._strokes.get(keysym)
        return None if found is None or found.keycode in self._borrowed else found

    @property
    def borrowing(self) -> bool:
        """Whether any key is borrowed."""
        return bool(self._borrowed)

    def anywhere(self, keysym: int) -> Stroke | None:
        """The key that gives a keysym in any layout, for shortcuts."""
        here = self._strokes.get(keysym)
        if here is not None:
            return here
        codes = self.connection.display.keysym_to_keycodes(keysym)
        found = sorted((int(index), int(code)) for code, index in codes)
        return Stroke(found[0][1], found[0][0] % 2 == 1) if found else None

    @property
    def room(self) -> int:
        """How many keysyms can be borrowed a key for at once."""
        return len(self._spare) * PER_KEY

    def borrow(self, keysyms: Sequence[int]) -> None:
        """Give keysyms keys, in place of what was borrowed before; at most `room` of them."""
        wanted = list(dict.fromkeys(keysyms))[: self.room]
        here = {keysym for row in self._borrowed.values() for keysym in row}
        missing = [keysym for keysym in wanted if keysym not in here]
        if not missing:
            return
        kept = {code for code, row in self._borrowed.items() if any(keysym in wanted for keysym in row)}
        if len(missing) > PER_KEY * (len(self._spare) - len(kept)):
            kept, missing = set(), wanted
        free = [code for code in self._spare if code not in kept]
        rows = [tuple(missing[at : at + PER_KEY]) for at in range(0, len(missing), PER_KEY)]
        self._write_down({*free[: len(rows)], *self._borrowed})
        for code, row in zip(free, rows, strict=False):
            for old in self._borrowed.get(code, ()):
                self._strokes.pop(old, None)
            self.connection.display.change_keyboard_mapping(code, [[row[0], row[-1]] * 2])
            self._borrowed[code] = row
        for code, row in self._borrowed.items():
            self._strokes.update({keysym: Stroke(code, shift=at > 0) for at, keysym in enumerate(row)})
        self.connection.sync()

    def give_back(self) -> None:
        """Empty every borrowed key."""
        if not self._borrowed:
            return
        self._empty(self._borrowed)
        for row in self._borrowed.values():
            for keysym in row:
                self._strokes.pop(keysym, None)
        self._borrowed.clear()
        self._forget_note()

    def repair(self) -> bool:
        """Give back what a killed process left borrowed, not what a living one types with; whether anything was."""
        if self.note is None or not self.note.exists():
            return False
        try:
            told = json.loads(self.note.read_text(encoding="utf-8"))
            codes = [int(code) for code in told["keycodes"]]
            writer = int(told["pid"])
        except (OSError, ValueError, KeyError, TypeError):
            codes, writer, told = [], 0, {}
        if writer and told.get("started") == start_ticks(writer):
            return False
        first = int(self.connection.display.display.info.min_keycode)
        self._empty(code for code in codes if first <= code <= 255)
        self._forget_note()
        return bool(codes)

    def modifiers(self) -> dict[int, str]:
        """Keycodes of the modifier keys, by what they modify."""
        names = ("SHIFT", "CAPSLOCK", "CTRL", "MOD1", "MOD2", "MOD3", "META", "MOD5")
        rows = self.connection.display.get_modifier_mapping()
        return {int(code): names[index] for index, row in enumerate(rows) for code in row if code}

    def _modifier_codes(self) -> Iterable[int]:
        return self.modifiers()

    def _enter(self, keycode: int, values: list[int], group: int) -> None:
        """Note what a key gives in the layout in use: plain, and with Shift."""
        start = 2 * group if 2 * group + 1 < len(values) and any(values[2 * group : 2 * group + 2]) else 0
        plain = values[start] if start < len(values) else 0
        shifted = values[start + 1] if start + 1 < len(values) else 0
        if plain:
            self._strokes.setdefault(plain, Stroke(keycode))
        if shifted:
            self._strokes.setdefault(shifted, Stroke(keycode, shift=True))
        elif plain and (upper := _upper(plain)) is not None:
            self._strokes.setdefault(upper, Stroke(keycode, shift=True))

    def _group(self) -> int:
        """The layout that is switched on, from the upper bits of the modifier state (XKB's core encoding)."""
        return (int(self.connection.root.query_pointer().mask) >> GROUP_SHIFT) & GROUP_MASK

    def _empty(self, codes: Iterable[int]) -> None:
        for code in codes:
            self.connection.display.change_keyboard_mapping(code, [[0] * 4])
        self.connection.sync()

    def _write_down(self, codes: Iterable[int]) -> None:
        if self.note is not None:
            write_private(self.note, json.dumps(_note(sorted(codes))).encode())

    def _forget_note(self) -> None:
        if self.note is not None:
            self.note.unlink(missing_ok=True)


def _note(codes: Sequence[int]) -> dict[str, Any]:
    """What is borrowed and by whom: keys of a process that lives are its own to give back."""
    return {"keycodes": list(codes), "pid": os.getpid(), "started": start_ticks(os.getpid())}


def _upper(keysym: int) -> int | None:
    """The capital of a lower-case Latin-1 letter, which a map may leave out."""
    character: Any = chr(keysym) if 0x61 <= keysym <= 0xFE else ""
    upper = character.upper()
    return ord(upper) if len(upper) == 1 and upper != character and ord(upper) <= 0xFF else None
