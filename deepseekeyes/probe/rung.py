"""What a rung of the ladder is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from deepseekeyes.contracts.probe import RungName
from deepseekeyes.core.errors import Code
from deepseekeyes.probe.codes import VISION_PROBE_FAILED
from deepseekeyes.probe.dice import Dice
from deepseekeyes.probe.seen import Seen

Truth = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Challenge:
    """A picture with a known truth. The same rung and seed give the same picture, prompt and truth.

    Attributes:
        png: the encoded picture, `width` by `height` pixels.
        prompt: what to ask beside the picture; never tells anything that only the picture knows.
        truth: the right answer as JSON values.
        guess_probability: an upper bound for an eye that sees nothing and knows how the pictures are made.
    """

    rung: RungName
    seed: int
    png: bytes
    width: int
    height: int
    prompt: str
    truth: Truth
    guess_probability: float


@dataclass(frozen=True, slots=True)
class Grade:
    """A judgement: `score` is 0..1, `code` says why an answer that did not pass failed."""

    passed: bool
    score: float
    code: Code | None
    details: dict[str, Any] = field(default_factory=dict)


def refused(problem: str) -> Grade:
    """The grade of an answer that does not have the form it was asked for."""
    return Grade(passed=False, score=0.0, code=VISION_PROBE_FAILED, details={"problem": problem})


@dataclass(frozen=True, slots=True)
class Rung:
    """One kind of challenge, as functions over its truth.

    Attributes:
        truth: rolls a truth; the second argument is the longest side the picture may have in pixels, or None.
        draw: the picture of a truth as `(png, width, height)`.
        prompt: the question.
        guess: upper bound of the probability that a blind eye passes.
        answer: the right answer in the form the prompt asks for.
        of_answer: judges a parsed answer; the last argument is the text around the JSON.
        of_evidence: judges what an eye without a prompt reported.
    """

    truth: Callable[[Dice, int | None], Truth]
    draw: Callable[[Truth], tuple[bytes, int, int]]
    prompt: Callable[[Truth], str]
    guess: Callable[[Truth], float]
    answer: Callable[[Truth], dict[str, Any]]
    of_answer: Callable[[Truth, dict[str, Any], str], Grade]
    of_evidence: Callable[[Truth, Seen], Grade]
