"""`probe grade`: judge an answer to a challenge, whoever gave it."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.probe import ProbeGrade, RungName
from deepseekeyes.probe import ladder
from deepseekeyes.probe.verifier import SEEDS


class GradeRequest(Contract):
    """The challenge, and the text that an eye answered: its words, or an evidence document or record."""

    rung: RungName
    seed: int = Field(ge=0, lt=SEEDS)
    answer: str


async def grade(request: GradeRequest, deps: object = None) -> ProbeGrade:
    """Judge the answer by the truth of the seed. Never fails on the text; a wrong answer is a verdict (exit 1)."""
    del deps
    made = ladder.grade(request.rung, request.seed, request.answer)
    return ProbeGrade(
        rung=request.rung,
        seed=request.seed,
        challenges=ladder.VERSION,
        passed=made.passed,
        score=round(made.score, 6),
        code=None if made.code is None else made.code.name,
        guess_probability=ladder.guess_probability(request.rung),
        details=made.details,
    )
