"""Rung `blank`: an empty sheet. Honesty alone: an eye that always says "nothing" passes, so it proves no sight."""

from __future__ import annotations

from typing import Any

from deepseekeyes.imaging import challenge_art
from deepseekeyes.probe import codes
from deepseekeyes.probe.dice import Dice
from deepseekeyes.probe.rung import Grade, Rung, Truth, refused
from deepseekeyes.probe.seen import Seen, Thing

_NOTHING = {"", "none", "nothing", "n/a", "no text", "no objects", "null"}
_PAPER = {"background", "blank", "empty", "plain", "sheet", "surface", "canvas"}
_WHOLE = 0.8


def _truth(dice: Dice, max_side: int | None) -> Truth:
    del max_side
    shade = [dice.between(200, 255) for _ in range(3)]
    return {"width": 16 * dice.between(20, 40), "height": 16 * dice.between(16, 30), "colour": shade}


def _draw(truth: Truth) -> tuple[bytes, int, int]:
    red, green, blue = truth["colour"]
    return challenge_art.sheet(truth["width"], truth["height"], (red, green, blue)), truth["width"], truth["height"]


def _prompt(truth: Truth) -> str:
    del truth
    return (
        "List every piece of text and every object in the picture. Do not list the background. "
        "Leave a list empty when there is nothing of its kind. "
        'Answer with one JSON object and nothing else: {"text": [strings], "objects": [strings]}.'
    )


def _of_answer(truth: Truth, answer: dict[str, Any], around: str) -> Grade:
    del truth, around
    if not {"text", "objects"} <= answer.keys():
        return refused("text or objects is missing")
    return _graded(sum(_invented(answer[key]) for key in ("text", "objects")))


def _of_evidence(truth: Truth, seen: Seen) -> Grade:
    del truth
    return _graded(sum(1 for text in seen.texts if text.text.strip()) + sum(map(_is_thing, seen.things)))


def _invented(value: Any) -> int:
    """How many things a list names. What is no list but not empty counts as one."""
    entries = value if isinstance(value, list) else [value]
    return sum(1 for entry in entries if not _is_nothing(entry))


def _is_nothing(entry: Any) -> bool:
    if entry is None:
        return True
    if not isinstance(entry, str):
        return False
    words = entry.strip().strip(".").lower()
    return words in _NOTHING or bool(_PAPER & set(words.split()))


def _is_thing(thing: Thing) -> bool:
    box = thing.box
    whole = box is not None and box.width >= _WHOLE and box.height >= _WHOLE
    return not whole and not thing.words & _PAPER


def _graded(invented: int) -> Grade:
    return Grade(
        passed=invented == 0,
        score=1 / (1 + invented),
        code=codes.VISION_PROBE_FAILED if invented else None,
        details={"invented": invented},
    )


BLANK = Rung(
    truth=_truth,
    draw=_draw,
    prompt=_prompt,
    guess=lambda _: 1.0,
    answer=lambda _: {"text": [], "objects": []},
    of_answer=_of_answer,
    of_evidence=_of_evidence,
)
