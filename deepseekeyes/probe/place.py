"""Rung `place`: labelled marks on a large picture that is not square. Where are they, and in which numbers?

The picture is longer than 1000 pixels on both sides and marks lie beyond pixel 1000, so that pixels and grids of a
thousand steps cannot be taken for one another. An eye without a prompt reports normalised boxes by contract; it passes
when each label is read inside its mark.
"""

from __future__ import annotations

import math
from statistics import median
from typing import Any

from deepseekeyes.core.geometry import Box
from deepseekeyes.imaging import challenge_art
from deepseekeyes.probe import codes
from deepseekeyes.probe.conventions import Fit, Numbers, best_fit, edge_error
from deepseekeyes.probe.dice import Dice, shuffled
from deepseekeyes.probe.glyphs import ALPHABET, folded
from deepseekeyes.probe.rung import Grade, Rung, Truth, refused
from deepseekeyes.probe.seen import Seen, numbers_in

LONG, SHORT = 1536, 1056
SMALLEST = 320
COLUMNS, ROWS = 3, 2
MARKS = COLUMNS * ROWS
LABEL = 3
FOUND = MARKS - 1
MOST_ANSWERS = 2 * MARKS
CLOSE = 0.5
_LABELS = math.perm(len(ALPHABET), LABEL)
_FILLS: tuple[challenge_art.RGB, ...] = (
    (170, 30, 40), (20, 110, 60), (30, 70, 180), (120, 40, 130), (150, 80, 10), (40, 40, 40),
)  # fmt: skip


def _truth(dice: Dice, max_side: int | None) -> Truth:
    scale = min(1.0, max(SMALLEST, max_side or LONG) / LONG)
    width, height = round(LONG * scale), round(SHORT * scale)
    columns, rows = COLUMNS, ROWS
    if dice.below(2):
        width, height, columns, rows = height, width, rows, columns
    labels = _distinct_labels(dice)
    places = [
        _placed(dice, width / columns, height / rows, index % columns, index // columns) for index in range(MARKS)
    ]
    marks = [{"label": label, "box": box} for label, box in zip(labels, places, strict=True)]
    return {"width": width, "height": height, "marks": shuffled(marks, dice.below), "scale": scale}


def _distinct_labels(dice: Dice) -> list[str]:
    """Labels of three glyphs; no glyph is used twice in the picture."""
    glyphs = "".join(shuffled(ALPHABET, dice.below))
    return [glyphs[LABEL * index : LABEL * (index + 1)] for index in range(MARKS)]


def _placed(dice: Dice, across: float, down: float, column: int, row: int) -> list[int]:
    """A pixel box inside one field of the layout, 10 pixels away from its borders."""
    width = dice.between(round(across * 0.3), round(across * 0.6))
    height = dice.between(round(down * 0.25), round(down * 0.5))
    x = round(column * across) + dice.between(10, round(across) - width - 10)
    y = round(row * down) + dice.between(10, round(down) - height - 10)
    return [x, y, width, height]


def _draw(truth: Truth) -> tuple[bytes, int, int]:
    size = max(12, round(48 * truth["scale"]))
    marks = [
        challenge_art.Mark(mark["label"], (*mark["box"],), _FILLS[index], size)
        for index, mark in enumerate(truth["marks"])
    ]
    png = challenge_art.marked(truth["width"], truth["height"], (255, 255, 255), marks)
    return png, truth["width"], truth["height"]


def _prompt(truth: Truth) -> str:
    return (
        f"The picture shows {len(truth['marks'])} filled rectangles, each with a label of three characters. "
        "Give the label and the bounding box of every rectangle. "
        "A box is [x, y, width, height] with the origin at the top left, as fractions of the picture between 0 and 1. "
        'Answer with one JSON object and nothing else: {"marks": [{"label": "..", "bbox": [x, y, width, height]}]}.'
    )


def _boxes(truth: Truth) -> dict[str, Box]:
    across, down = truth["width"], truth["height"]
    return {
        mark["label"]: Box(x / across, y / down, width / across, height / down)
        for mark in truth["marks"]
        for x, y, width, height in (mark["box"],)
    }


def _answer(truth: Truth) -> dict[str, Any]:
    return {
        "marks": [{"label": label, "bbox": [round(value, 6) for value in box]} for label, box in _boxes(truth).items()]
    }


def _of_answer(truth: Truth, answer: dict[str, Any], around: str) -> Grade:
    del around
    given = answer.get("marks")
    if not isinstance(given, list) or len(given) > MOST_ANSWERS:
        return refused(f"marks is not a list of at most {MOST_ANSWERS}")
    written = _written(given)
    fit = best_fit(written, _boxes(truth), truth["width"], truth["height"])
    return _graded(sum(1 for mark in truth["marks"] if mark["label"] in written), fit)


def _written(given: list[Any]) -> dict[str, Numbers]:
    """Label to numbers of the entries that have both; a label given twice is not counted."""
    pairs = [
        (folded(entry["label"]), numbers)
        for entry in given
        if isinstance(entry, dict) and isinstance(entry.get("label"), str)
        for numbers in (numbers_in(entry.get("bbox")),)
        if numbers is not None
    ]
    labels = [label for label, _ in pairs]
    return {label: numbers for label, numbers in pairs if labels.count(label) == 1}


def _graded(found: int, fit: Fit | None) -> Grade:
    passed = found >= FOUND and fit is not None and fit.iou >= CLOSE
    details: dict[str, Any] = {"found": found, "of": MARKS}
    if fit is not None:
        details |= {"medianBoxError": round(fit.error, 6), "medianIou": round(fit.iou, 4)}
        details |= {"convention": fit.convention, "form": fit.form} if passed else {}
    return Grade(
        passed=passed,
        score=0.0 if fit is None else round(fit.iou * found / MARKS, 6),
        code=None if passed else codes.VISION_PROBE_FAILED,
        details=details,
    )


def _of_evidence(truth: Truth, seen: Seen) -> Grade:
    reported = [(folded(text.text), text.box) for text in seen.texts]
    reported += [(folded(thing.name), thing.box) for thing in seen.things]
    errors: list[float] = []
    for label, box in _boxes(truth).items():
        near = [edge_error((mine.x, mine.y, mine.right, mine.bottom), _middle(box, mine))
                for text, mine in reported if text == label and mine is not None and _inside(mine, box)]  # fmt: skip
        errors += [min(near)] if near else []
    passed = len(errors) >= FOUND
    details: dict[str, Any] = {"found": len(errors), "of": MARKS}
    if errors:
        details["medianBoxError"] = round(median(errors), 6)
    code = None if passed else codes.VISION_PROBE_FAILED
    return Grade(passed=passed, score=len(errors) / MARKS, code=code, details=details)


def _inside(mine: Box, mark: Box) -> bool:
    x, y = mine.x + mine.width / 2, mine.y + mine.height / 2
    return mark.x < x < mark.right and mark.y < y < mark.bottom


def _middle(mark: Box, mine: Box) -> Box:
    """A box of the reported size where it should be: a label stands in the middle of its mark."""
    x, y = mark.x + mark.width / 2, mark.y + mark.height / 2
    return Box(x - mine.width / 2, y - mine.height / 2, mine.width, mine.height)


def _guess(truth: Truth) -> float:
    """The chance that twelve named labels hold five of the six, were all boxes right: a hypergeometric tail."""
    del truth
    rest = _LABELS - MARKS
    hits = sum(math.comb(MARKS, k) * math.comb(rest, MOST_ANSWERS - k) for k in range(FOUND, MARKS + 1))
    return hits / math.comb(_LABELS, MOST_ANSWERS)


PLACE = Rung(
    truth=_truth,
    draw=_draw,
    prompt=_prompt,
    guess=_guess,
    answer=_answer,
    of_answer=_of_answer,
    of_evidence=_of_evidence,
)
