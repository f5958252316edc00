"""Rung `text`: random glyphs at four sizes. It also proves sight for eyes that take no prompt.

A route passes when the two larger sizes are read with at most one slip each; the smaller ones are scored only. A line
counts as the part of its glyphs that is right, and as nothing below half, where chance begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deepseekeyes.imaging import challenge_art
from deepseekeyes.probe import codes
from deepseekeyes.probe.dice import Dice
from deepseekeyes.probe.glyphs import chance, distance, folded, word
from deepseekeyes.probe.rung import Grade, Rung, Truth, refused
from deepseekeyes.probe.seen import MOST, Seen

SIZES = (24, 14, 10, 8)
REQUIRED = (24, 14)
GLYPHS = 8
WIDTH, HEIGHT = 480, 224
_TOPS = (24, 84, 134, 178)
_MOST_LINES = 16


def _truth(dice: Dice, max_side: int | None) -> Truth:
    del max_side
    lines = [{"size": size, "text": word(dice, GLYPHS), "x": dice.between(16, WIDTH // 2)} for size in SIZES]
    return {"lines": lines}


def _draw(truth: Truth) -> tuple[bytes, int, int]:
    lines = [
        challenge_art.Line(line["text"], line["size"], line["x"], top)
        for line, top in zip(truth["lines"], _TOPS, strict=True)
    ]
    return challenge_art.lettering(WIDTH, HEIGHT, (255, 255, 255), lines), WIDTH, HEIGHT


def _prompt(truth: Truth) -> str:
    del truth
    return (
        "The picture shows four lines of random capital letters and digits, from large to very small print. "
        "Copy each line exactly, top to bottom; write an empty string for a line that you cannot read. "
        'Answer with one JSON object and nothing else: {"lines": [four strings]}.'
    )


def _of_answer(truth: Truth, answer: dict[str, Any], around: str) -> Grade:
    del around
    given = answer.get("lines")
    if not isinstance(given, list):
        return refused("lines is not a list")
    return _graded(truth, [line for line in given[:_MOST_LINES] if isinstance(line, str)])


def _of_evidence(truth: Truth, seen: Seen) -> Grade:
    return _graded(truth, [text.text for text in seen.texts])


def _graded(truth: Truth, given: Sequence[str]) -> Grade:
    read = [folded(line) for line in given]
    slips = {
        line["size"]: min((distance(line["text"], mine) for mine in read), default=GLYPHS) for line in truth["lines"]
    }
    right = {size: 1 - count / GLYPHS if count <= GLYPHS / 2 else 0.0 for size, count in slips.items()}
    passed = all(slips[size] <= 1 for size in REQUIRED)
    return Grade(
        passed=passed,
        score=sum(right.values()) / len(right),
        code=None if passed else codes.VISION_PROBE_FAILED,
        details={"bySize": {f"{size}px": round(value, 3) for size, value in right.items()}},
    )


def _guess(truth: Truth) -> float:
    del truth
    return chance(GLYPHS, tries=MOST) ** len(REQUIRED)


TEXT = Rung(
    truth=_truth,
    draw=_draw,
    prompt=_prompt,
    guess=_guess,
    answer=lambda truth: {"lines": [line["text"] for line in truth["lines"]]},
    of_answer=_of_answer,
    of_evidence=_of_evidence,
)
