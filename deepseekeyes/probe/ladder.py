"""The ladder: every rung by name, the challenge of a rung and seed, and the judgement of an answer to it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deepseekeyes.contracts.probe import RungName
from deepseekeyes.evidence.codes import INVALID_MODEL_OUTPUT
from deepseekeyes.probe.answer import ANSWER_LIMIT, parse
from deepseekeyes.probe.blank import BLANK
from deepseekeyes.probe.dice import Dice
from deepseekeyes.probe.grid import GRID
from deepseekeyes.probe.inject import INJECT
from deepseekeyes.probe.order import VERSION
from deepseekeyes.probe.place import PLACE
from deepseekeyes.probe.rung import Challenge, Grade, Rung, Truth
from deepseekeyes.probe.seen import evidence_in, seen_in
from deepseekeyes.probe.text import TEXT

RUNGS: Mapping[RungName, Rung] = {"grid": GRID, "text": TEXT, "place": PLACE, "blank": BLANK, "inject": INJECT}


def truth_of(rung: RungName, seed: int, max_side: int | None = None) -> Truth:
    """The right answer of a challenge as JSON values."""
    return RUNGS[rung].truth(Dice(VERSION, rung, seed), max_side)


def challenge(rung: RungName, seed: int, *, max_side: int | None = None) -> Challenge:
    """The challenge of a rung and seed.

    Args:
        rung: which kind.
        seed: any integer; the same one gives the same picture.
        max_side: longest side in pixels that the route takes; only `place` is larger than 1000.
    """
    kind = RUNGS[rung]
    truth = truth_of(rung, seed, max_side)
    png, width, height = kind.draw(truth)
    return Challenge(
        rung=rung, seed=seed, png=png, width=width, height=height,
        prompt=kind.prompt(truth), truth=truth, guess_probability=kind.guess(truth),
    )  # fmt: skip


def guess_probability(rung: RungName) -> float:
    """Upper bound of the chance that an eye which sees nothing passes a rung."""
    return RUNGS[rung].guess(truth_of(rung, 0))


def right_answer(rung: RungName, seed: int, max_side: int | None = None) -> dict[str, Any]:
    """The answer that passes, in the form the prompt asks for."""
    return RUNGS[rung].answer(truth_of(rung, seed, max_side))


def grade(rung: RungName, seed: int, answer: str, *, max_side: int | None = None, limit: int = ANSWER_LIMIT) -> Grade:
    """Judge the text of an answer. Evidence documents and records are judged on what they say was seen.

    Never raises on the text: what holds no single JSON object is graded `INVALID_MODEL_OUTPUT`.
    """
    parsed = parse(answer, limit)
    if parsed.value is None:
        return Grade(passed=False, score=0.0, code=INVALID_MODEL_OUTPUT, details={"problem": parsed.problem})
    evidence = evidence_in(parsed.value)
    if evidence is not None:
        return grade_evidence(rung, seed, evidence, max_side=max_side)
    return RUNGS[rung].of_answer(truth_of(rung, seed, max_side), parsed.value, parsed.around)


def grade_evidence(rung: RungName, seed: int, evidence: dict[str, Any], *, max_side: int | None = None) -> Grade:
    """Judge what an eye without a prompt reported."""
    return RUNGS[rung].of_evidence(truth_of(rung, seed, max_side), seen_in(evidence))
