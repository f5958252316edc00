"""Names of keys and what they are on X11."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.names import nearest
from deepseekeyes.desktop.codes import DESKTOP_KEY_UNKNOWN

MODIFIERS: Mapping[str, str] = {
    "CTRL": "Control_L",
    "ALT": "Alt_L",
    "SHIFT": "Shift_L",
    "META": "Super_L",
}
ALIASES: Mapping[str, str] = {
    "CONTROL": "CTRL",
    "OPTION": "ALT",
    "WIN": "META",
    "SUPER": "META",
    "CMD": "META",
    "COMMAND": "META",
    "RETURN": "ENTER",
    "ESCAPE": "ESC",
    "DEL": "DELETE",
    "INS": "INSERT",
    "PGUP": "PAGEUP",
    "PGDN": "PAGEDOWN",
    "ARROWUP": "UP",
    "ARROWDOWN": "DOWN",
    "ARROWLEFT": "LEFT",
    "ARROWRIGHT": "RIGHT",
    "CONTEXTMENU": "MENU",
}
NAMED: Mapping[str, str] = {
    "ENTER": "Return",
    "TAB": "Tab",
    "SPACE": "space",
    "BACKSPACE": "BackSpace",
    "ESC": "Escape",
    "DELETE": "Delete",
    "INSERT": "Insert",
    "HOME": "Home",
    "END": "End",
    "PAGEUP": "Prior",
    "PAGEDOWN": "Next",
    "UP": "Up",
    "DOWN": "Down",
    "LEFT": "Left",
    "RIGHT": "Right",
    "MENU": "Menu",
    "PRINT": "Print",
    "PAUSE": "Pause",
    "PLUS": "plus",
    "MINUS": "minus",
    **{f"F{number}": f"F{number}" for number in range(1, 25)},
}


@dataclass(frozen=True, slots=True)
class Chord:
    """A chord taken apart.

    Attributes:
        modifiers: proper names, in a fixed order.
        key: proper name or a single character; None when only modifiers were named.
    """

    modifiers: tuple[str, ...]
    key: str | None

    @property
    def names(self) -> tuple[str, ...]:
        """All keys, the modifiers first."""
        return (*self.modifiers, *((self.key,) if self.key is not None else ()))


def parse_chord(text: str) -> Chord:
    """Take `CTRL+SHIFT+S` apart; names in any case, `+` itself as `PLUS` or at the end.

    Raises:
        EyesError: DESKTOP_KEY_UNKNOWN.
    """
    words = _words(text)
    if not words:
        raise _unknown("No key is named.")
    names = [_proper(word) for word in words]
    held, key = names[:-1], names[-1]
    stray = next((name for name in held if name not in MODIFIERS), None)
    if stray is not None:
        raise _unknown(f"{stray[:40]} is no modifier; only the last key of a chord may be another one.")
    if key in MODIFIERS:
        held, rest = [*held, key], None
    else:
        rest = key
    if len(set(held)) != len(held):
        raise _unknown("A modifier is named twice.")
    return Chord(tuple(name for name in MODIFIERS if name in held), rest)


def keysym_of(name: str) -> int:
    """The keysym of a proper name or a single character."""
    from Xlib import XK

    known = MODIFIERS.get(name) or NAMED.get(name)
    return int(XK.string_to_keysym(known)) if known is not None else character_keysym(name)


def character_keysym(character: str) -> int:
    """The keysym of a character: Latin-1 as it is, everything else by its Unicode number."""
    number = ord(character)
    if 0x20 <= number <= 0x7E or 0xA0 <= number <= 0xFF:
        return number
    return 0x01000000 | number


def _words(text: str) -> list[str]:
    stripped = text.strip()
    if stripped in {"+", ""}:
        return ["PLUS"] if stripped else []
    if stripped.endswith("++"):
        return [*stripped[:-2].split("+"), "PLUS"]
    return stripped.split("+")


def _proper(word: str) -> str:
    name = word.strip()
    upper = name.upper()
    upper = ALIASES.get(upper, upper)
    if upper in MODIFIERS or upper in NAMED:
        return upper
    if len(name) == 1 and name.isprintable() and name != " ":
        return name.lower() if len(name.lower()) == 1 else name
    close = nearest(upper, (*MODIFIERS, *NAMED))
    raise _unknown(f"There is no key {name[:40]!r}." + (f" Did you mean {close}?" if close else ""))


def _unknown(message: str) -> EyesError:
    return EyesError(DESKTOP_KEY_UNKNOWN, message, details={"dispatched": "no"})
