"""Literal statements about numbers and about what stands next to what. Nothing is computed or concluded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deepseekeyes.core.geometry import Box
from deepseekeyes.routing.adapters.local.grouping import around
from deepseekeyes.routing.adapters.local.lines import Line
from deepseekeyes.routing.adapters.local.scene import Scene
from deepseekeyes.routing.adapters.local.shapes import Shape
from deepseekeyes.routing.adapters.local.wording import clean, placed, quote

MOST = 64
NEAR = 1.2
SURE = 0.8
NEARLY = 0.93
WORDED = 3.5
"""Length of a line in its own heights from which it counts as words and not as a mark or a button."""
DESCENDING = 0.78
SMALL = 1.3

_LABELLED = re.compile(r"[^:：]{1,60}(?:：\s*|:\s+)\S.*")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_/.-])\d[\d.,]*\s?(?:%|[A-Za-zµ°]{1,3})?(?![A-Za-z0-9_/-])")
_AMOUNT = re.compile(r"[^\w]{0,3}\d[\d.,:/ ]*(?:\s?[^\W\d]{1,10}|\s?[%°€$£¥])?\.?", re.UNICODE)


def quantities(scene: Scene) -> list[str]:
    """Lines of the form `label: value` with a digit in the value, and `label | amount` rows, as they were read."""
    found = [line.text for line in scene.lines if _labelled(line)]
    for table in scene.groups.tables:
        found.extend(
            f"{row[0]} | {row[1]}"
            for row in table.rows
            if len(row) == 2 and re.search(r"[^\W\d]", row[0]) and _AMOUNT.fullmatch(row[1])
        )
    return [clean(fact) for fact in dict.fromkeys(found)][:MOST]


def _labelled(line: Line) -> bool:
    label, colon, value = re.sub("：", ":", line.text, count=1).partition(":")
    told = bool(colon) and _NUMBER.search(value) is not None and bool(re.search(r"[^\W\d]", label))
    return told and line.confidence >= SURE and _LABELLED.fullmatch(line.text) is not None


def relations(scene: Scene) -> list[str]:
    """Which texts stand directly above, below or beside filled rectangles that hold no text themselves."""
    found: list[str] = []
    plain = [
        shape
        for shape in scene.shapes
        if shape.stands_out and not any(_inside(line.box, shape.box) for line in scene.lines)
    ]
    for shape in plain[:MOST]:
        sides = list(_sides(shape, scene.lines))
        if sides:
            where = placed(shape.box, scene.width, scene.height)
            told = ", ".join(f"{side} it stands {quote(text)}" for side, text in sides)
            found.append(f"Filled rectangle {shape.fill} at {where}: {told}.")
    return found[:MOST]


def _sides(shape: Shape, lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    for side in ("above", "below", "left of", "right of"):
        near = [
            (gap, line)
            for line in lines
            if (gap := _gap(side, line.box, shape.box)) is not None and gap <= NEAR * line.size
        ]
        if near:
            yield side, min(near, key=lambda item: (item[0], item[1].box))[1].text


def _gap(side: str, text: Box, shape: Box) -> float | None:
    """Distance from the shape's side to a text that stands across the middle of it, or None."""
    vertical = side in ("above", "below")
    middle = text.x + text.width / 2 if vertical else text.y + text.height / 2
    start, end = (shape.x, shape.right) if vertical else (shape.y, shape.bottom)
    if not start <= middle <= end:
        return None
    gap = {
        "above": shape.y - text.bottom,
        "below": text.y - shape.bottom,
        "left of": shape.x - text.right,
        "right of": text.x - shape.right,
    }[side]
    return gap if gap >= -4 else None


def _inside(text: Box, shape: Box) -> bool:
    shared = text.intersection(shape)
    return shared is not None and shared.width * shared.height >= 0.5 * text.width * text.height


def title(lines: Sequence[Line]) -> Line | None:
    """The line with the largest letters, the first of those that are nearly as large."""
    worded = [line for line in lines if line.length >= WORDED * line.size] or list(lines)
    heights = [_capital(line) for line in worded]
    largest = max(heights, default=0.0)
    return next((line for line, height in zip(worded, heights, strict=True) if height >= NEARLY * largest), None)


def _capital(line: Line) -> float:
    """Height of a capital in pixels, from what the line's letters fill: descenders add to it, small letters lack it."""
    if any(letter in "gjpqy" for letter in line.text):
        return line.ink * DESCENDING
    return line.ink if any(letter not in "acemnorsuvwxz .,-" for letter in line.text) else line.ink * SMALL


def held(shape: Shape, lines: Sequence[Line]) -> list[Line]:
    """Lines that lie in the shape, in reading order."""
    return [line for line in lines if _inside(line.box, shape.box)]


def extent(lines: Sequence[Line]) -> Box:
    """The box around lines."""
    return around([line.box for line in lines])
