"""How large an answer may be before it is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from deepseekeyes.core.limits import Ceiling, Ceilings, measure
from deepseekeyes.evidence.codes import INVALID_MODEL_OUTPUT, MODEL_OUTPUT_TOO_LARGE

MAX_CHARS_SETTING = "vision.answer_max_chars"


@dataclass(frozen=True, slots=True)
class AnswerBounds:
    """Ceilings on one model answer.

    Attributes:
        chars: characters of text (setting `vision.answer_max_chars`).
        depth: levels of nesting; the contract itself needs four.
        errors: how many faults are listed; the rest is counted.
    """

    chars: int = 4_000_000
    depth: int = 32
    errors: int = 50


DEFAULT_BOUNDS = AnswerBounds()


def bounded(value: Any, bounds: AnswerBounds = DEFAULT_BOUNDS) -> None:
    """Refuse a document that is nested too deeply or too large.

    Raises:
        EyesError: INVALID_MODEL_OUTPUT (depth), MODEL_OUTPUT_TOO_LARGE.
    """
    size = Ceiling(bounds.chars, MODEL_OUTPUT_TOO_LARGE, MAX_CHARS_SETTING)
    measure(value, Ceilings(depth=Ceiling(bounds.depth, INVALID_MODEL_OUTPUT), nodes=size, characters=size))
