"""Rung `grid`: nine colours in random order. A blind eye passes once in 9! = 362,880 tries."""

from __future__ import annotations

import math
import re
from typing import Any

from deepseekeyes.core.geometry import Box
from deepseekeyes.imaging import challenge_art
from deepseekeyes.probe import codes
from deepseekeyes.probe.dice import Dice, shuffled
from deepseekeyes.probe.rung import Grade, Rung, Truth, refused
from deepseekeyes.probe.seen import Seen, Thing

PALETTE: dict[str, challenge_art.RGB] = {
    "red": (220, 20, 60),
    "green": (0, 150, 70),
    "blue": (30, 90, 220),
    "yellow": (245, 205, 30),
    "cyan": (0, 190, 200),
    "magenta": (210, 50, 180),
    "black": (15, 15, 15),
    "white": (245, 245, 245),
    "gray": (125, 125, 125),
}
NAMES = tuple(PALETTE)
CELL = 72
_HEX = re.compile(r"[0-9a-f]{6}")
_OTHER_NAMES = {
    "grey": "gray", "crimson": "red", "gold": "yellow", "teal": "cyan", "turquoise": "cyan", "aqua": "cyan",
    "fuchsia": "magenta", "purple": "magenta", "pink": "magenta", "silver": "gray",
}  # fmt: skip


def picture(order: list[str]) -> bytes:
    """The 216x216 PNG of nine colour names in reading order.

    Raises:
        ValueError: not exactly the nine names, a mistake of the program.
    """
    if sorted(order) != sorted(NAMES):
        raise ValueError("the grid takes each of the nine colour names once")
    return challenge_art.cells([PALETTE[name] for name in order], per_row=3, side=CELL)


def _truth(dice: Dice, max_side: int | None) -> Truth:
    del max_side
    return {"cells": shuffled(NAMES, dice.below)}


def _draw(truth: Truth) -> tuple[bytes, int, int]:
    return picture(truth["cells"]), 3 * CELL, 3 * CELL


def _prompt(truth: Truth) -> str:
    del truth
    return (
        "The picture is a grid of three rows with three cells each; every cell has one plain colour. "
        "Name the colour of each cell in reading order: left to right, then top to bottom. "
        f"Use only these names, each once: {', '.join(sorted(NAMES))}. "
        'Answer with one JSON object and nothing else: {"cells": [nine names]}.'
    )


def _of_answer(truth: Truth, answer: dict[str, Any], around: str) -> Grade:
    del around
    given = answer.get("cells")
    if not isinstance(given, list) or len(given) != len(NAMES):
        return refused("cells is not a list of nine")
    return _graded([str(mine).lower() == right for mine, right in zip(given, truth["cells"], strict=True)])


def _of_evidence(truth: Truth, seen: Seen) -> Grade:
    return _graded([_colours_in(seen, index) == {name} for index, name in enumerate(truth["cells"])])


def _colours_in(seen: Seen, index: int) -> set[str]:
    """The palette colours that objects centred in a cell are said to have."""
    row, column = divmod(index, 3)
    cell = Box(column / 3, row / 3, 1 / 3, 1 / 3)
    return {name for thing in seen.things if _centred(thing, cell) for name in _named(thing)}


def _centred(thing: Thing, cell: Box) -> bool:
    box = thing.box
    if box is None or box.width > 0.5 or box.height > 0.5:
        return False
    x, y = box.x + box.width / 2, box.y + box.height / 2
    return cell.x < x < cell.right and cell.y < y < cell.bottom


def _named(thing: Thing) -> set[str]:
    """The palette names in the words of an object; a colour given as `#rrggbb` counts as the nearest one."""
    named = {_nearest(word) if _HEX.fullmatch(word) else _OTHER_NAMES.get(word, word) for word in thing.words}
    return named & PALETTE.keys()


def _nearest(code: str) -> str:
    colour = bytes.fromhex(code)
    far = {name: math.dist(colour, shade) for name, shade in PALETTE.items()}
    return min(far, key=far.__getitem__)


def _graded(right: list[bool]) -> Grade:
    passed = all(right)
    return Grade(
        passed=passed,
        score=sum(right) / len(right),
        code=None if passed else codes.VISION_PROBE_FAILED,
        details={"right": sum(right), "of": len(right)},
    )


GRID = Rung(
    truth=_truth,
    draw=_draw,
    prompt=_prompt,
    guess=lambda truth: 1 / math.factorial(len(truth["cells"])),
    answer=lambda truth: {"cells": truth["cells"]},
    of_answer=_of_answer,
    of_evidence=_of_evidence,
)
