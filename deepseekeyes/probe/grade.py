"""`probe grade`: judge an answer to a challenge, whoever gave it."""

from __future__ import annotations

import json

from pydantic import Field, ValidationError

from deepseekeyes.contracts.document import Document, ErrorDocument
from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.probe import ProbeGrade, RungName
from deepseekeyes.core.errors import EyesError
from deepseekeyes.evidence.codes import TEXT_NOT_UTF8
from deepseekeyes.probe import ladder
from deepseekeyes.probe.deps import GradeDeps
from deepseekeyes.probe.order import SEEDS, VERSION


class GradeRequest(Contract):
    """The challenge, and the file (`-` is standard input) with what an eye answered.

    The file holds the eye's words, or an evidence document or record.
    """

    rung: RungName
    seed: int = Field(ge=0, lt=SEEDS)
    file: str = "-"


async def grade(request: GradeRequest, deps: GradeDeps) -> Document:
    """Judge the answer by the truth of the seed; a wrong one is a verdict (exit 1), whatever it holds.

    A failure document of an earlier command is returned unchanged.

    Raises:
        EyesError: `TEXT_NOT_UTF8`; what reading the file raises.
    """
    text = _decoded(deps.text(request.file), request.file)
    earlier = _failed_before(text)
    if earlier is not None:
        return earlier
    made = ladder.grade(request.rung, request.seed, text, limit=deps.settings.max_answer_chars)
    return ProbeGrade(
        rung=request.rung,
        seed=request.seed,
        challenges=VERSION,
        passed=made.passed,
        score=round(made.score, 6),
        code=None if made.code is None else made.code.name,
        guess_probability=ladder.guess_probability(request.rung),
        details=made.details,
    )


def _decoded(content: str | bytes, name: str) -> str:
    if isinstance(content, str):
        return content
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = "standard input" if name == "-" else "the file"
        raise EyesError(TEXT_NOT_UTF8, f"Byte {error.start} of {where} is not UTF-8 text.") from None


def _failed_before(text: str) -> ErrorDocument | None:
    if '"deepseekeyes.error.v1"' not in text[:200]:
        return None
    try:
        return ErrorDocument.model_validate(json.loads(text))
    except (ValueError, ValidationError, RecursionError):
        return None
