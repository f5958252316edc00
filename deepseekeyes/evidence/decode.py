"""Decoding JSON objects out of foreign text, strictly and in bounded time.

Strict means: no NaN, no infinity (also not as `1e999`), no key twice in one object. Such an object is still read to
its end, so that the reader knows where it stops, and carries the reasons why it must not be used.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from deepseekeyes.core.redact import clip

_EXACT = 2**53
_SHOWN = 60
_WINDOW = 8192


@dataclass(frozen=True, slots=True)
class Found:
    """A complete object: its value, where it begins and ends, and why it may not be used (empty when it may)."""

    value: dict[str, Any]
    start: int
    end: int
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Broken:
    """An object that does not parse: where it begins, how far the decoder came, why, and whether the text ran out."""

    start: int
    reached: int
    reason: str
    cut: bool


class ObjectDecoder:
    """Reads one object at a time.

    Args:
        text: the whole text; positions are indices into it.
    """

    def __init__(self, text: str) -> None:
        self._whole = text
        self._text = text
        self._base = 0
        self._window = max(_WINDOW, len(text) // 64)
        self._length = len(text.rstrip())
        self._faults: list[str] = []
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_float=self._float,
            parse_int=self._integer,
            parse_constant=self._constant,
        )

    def read(self, start: int) -> Found | Broken:
        """The object that begins with the brace at `start`."""
        self._faults.clear()
        self._move(start)
        try:
            value, end = self._decoder.raw_decode(self._text, start - self._base)
        except json.JSONDecodeError as error:
            return self._broken(start, error)
        except RecursionError:
            return Broken(start, self._length, "it is nested too deeply", cut=False)
        return Found(value, start, end + self._base, tuple(dict.fromkeys(self._faults)))

    def _move(self, start: int) -> None:
        """Leave behind what was read: the library counts the lines before each error, from where its text begins."""
        if start - self._base > self._window:
            self._base = start
            self._text = self._whole[start:]

    def _broken(self, start: int, error: json.JSONDecodeError) -> Broken:
        position = error.pos + self._base
        unterminated = error.msg.startswith("Unterminated string")
        reached = self._length if unterminated else position
        cut = unterminated or position >= self._length - 6
        reason = "the text ends inside it" if cut else f"{_plain(error.msg)} at character {position}"
        return Broken(start, reached, reason, cut)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            seen: set[str] = set()
            twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
            self._faults.append(f"the key {shown(twice)} appears twice in one object")
        return value

    def _constant(self, word: str) -> float:
        self._faults.append(f"{word} is not a JSON number")
        return 0.0

    def _float(self, digits: str) -> float:
        value = float(digits)
        if not math.isfinite(value):
            self._faults.append(f"{clip(digits, _SHOWN)} is not a finite number")
            return 0.0
        return value

    def _integer(self, digits: str) -> int | float:
        if len(digits) <= 16:
            return int(digits)
        value = self._float(digits)
        return value if abs(value) > _EXACT else int(value)


def shown(name: str) -> str:
    """A foreign name as a message may show it: quoted, ASCII escapes for what cannot be printed, short."""
    text = clip(name, _SHOWN)
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _plain(message: str) -> str:
    words = message.removesuffix(" at").strip()
    return words[:1].lower() + words[1:]
