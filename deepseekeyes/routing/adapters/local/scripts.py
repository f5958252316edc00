"""Which writing systems a text uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

_RANGES = (
    (0x0041, 0x024F, "Latin"),
    (0x0370, 0x03FF, "Greek"),
    (0x1F00, 0x1FFF, "Greek"),
    (0x3040, 0x309F, "Hiragana"),
    (0x30A0, 0x30FF, "Katakana"),
    (0x3400, 0x4DBF, "Chinese characters"),
    (0x4E00, 0x9FFF, "Chinese characters"),
    (0xF900, 0xFAFF, "Chinese characters"),
    (0x20000, 0x2FA1F, "Chinese characters"),
)
NEEDED = 2


def scripts(texts: Iterable[str]) -> tuple[str, ...]:
    """Names of the scripts with at least two letters, most used first."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(name for character in text if character.isalpha() and (name := _script(ord(character))))
    return tuple(
        name for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if count >= NEEDED
    )


def _script(code: int) -> str | None:
    return next((name for first, last, name in _RANGES if first <= code <= last), None)
