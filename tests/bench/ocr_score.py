"""How much of a picture's text was read: characters right of all characters, 0..1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

Box = Sequence[float]


def accuracy(truth: dict[str, Any], read: Iterable[tuple[Box, str]]) -> float:
    """Share of the truth's characters that were read, edits counted per line and at most its length.

    Args:
        truth: a `*.truth.json`.
        read: `([x, y, width, height] in upright pixels, text)` for each line; a truth line that was read in pieces is
            compared with the pieces from left to right.
    """
    found = list(read)
    characters = wrong = 0
    for line in truth["lines"]:
        pieces = sorted((box[0], text) for box, text in found if _matches(line["box"], box))
        wanted, given = _plain(line["text"]), _plain(" ".join(text for _, text in pieces))
        characters += len(wanted)
        wrong += min(len(wanted), edits(wanted, given))
    return 1 - wrong / characters


def edits(first: str, second: str) -> int:
    """Levenshtein distance."""
    row = list(range(len(second) + 1))
    for number, letter in enumerate(first, 1):
        above, row[0] = row[0], number
        for column, other in enumerate(second, 1):
            above, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, above + (letter != other))
    return row[-1]


def _matches(line: Box, box: Box) -> bool:
    """Whether the boxes share at least half of the smaller one."""
    width = min(line[0] + line[2], box[0] + box[2]) - max(line[0], box[0])
    height = min(line[1] + line[3], box[1] + box[3]) - max(line[1], box[1])
    return width > 0 and height > 0 and width * height >= 0.5 * min(line[2] * line[3], box[2] * box[3])


def _plain(text: str) -> str:
    return " ".join(text.split())
