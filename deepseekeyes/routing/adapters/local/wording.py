"""Text of ours made safe for the evidence contract: no control characters, bounded, never empty."""

from __future__ import annotations

from deepseekeyes.core.geometry import Box
from deepseekeyes.core.redact import clip

LONGEST = 4000
QUOTED = 120

_UNPRINTABLE = {
    code: "\ufffd" for code in (*range(32), *range(127, 160), *range(0xD800, 0xE000)) if code not in (9, 10)
}


def clean(text: str, limit: int = LONGEST) -> str:
    """The text with unprintable characters replaced and a cut end marked."""
    return clip(text.translate(_UNPRINTABLE), limit)


def quote(text: str, limit: int = QUOTED) -> str:
    """The text on one line in double quotes."""
    return f'"{clean(" ".join(text.split()), limit)}"'


def counted(number: int, word: str, plural: str | None = None) -> str:
    """`1 line`, `2 lines`."""
    return f"{number} {word if number == 1 else plural or word + 's'}"


def normalised(box: Box, width: int, height: int) -> list[float]:
    """A pixel box as the contract wants it: `[x, y, width, height]` in 0..1, inside the picture, never empty."""
    left, top = min(max(box.x, 0.0), width - 1.0), min(max(box.y, 0.0), height - 1.0)
    right, bottom = min(max(box.right, left + 1.0), float(width)), min(max(box.bottom, top + 1.0), float(height))
    x, y = round(left / width, 6), round(top / height, 6)
    return [x, y, max(1e-6, round(right / width - x, 6)), max(1e-6, round(bottom / height - y, 6))]


def placed(box: Box, width: int, height: int) -> str:
    """Where a box is, for a sentence."""
    return "[" + ", ".join(f"{value:.3g}" for value in normalised(box, width, height)) + "]"
