"""An answer about pictures, and everything it rests on."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deepseekeyes.contracts.attempt import Attempt
from deepseekeyes.contracts.blob import BlobRef
from deepseekeyes.contracts.document import Document
from deepseekeyes.contracts.evidence import EvidenceRecord, Persistence, Region
from deepseekeyes.contracts.model import SHA256, Contract
from deepseekeyes.contracts.usage import TokenUsage

AnswerMode = Literal["reasoning", "native", "extract"]


class AnsweredBy(Contract):
    """The route whose words the answer is.

    `decided_by` says what put it at its place of the plan; `asked` whether it is the one that was asked for or comes
    first, so False means that another one failed and the operator's order let this one serve.
    """

    id: str
    provider: str
    engine: str
    model: str
    served_model: str | None = None
    decided_by: str
    asked: bool


class LookTaken(Contract):
    """One question the reasoning model put back to the pixels, and what was seen."""

    image_sha256: str = Field(pattern=SHA256)
    question: str
    region: Region | None = None
    record: EvidenceRecord


class Extract(Contract):
    """A piece of evidence quoted word for word. `score` is how telling the words are that it shares with the question.

    `bbox` is `[x, y, width, height]`, normalised 0..1; None for what has no place in the picture.
    """

    image_sha256: str = Field(pattern=SHA256)
    kind: Literal["summary", "ocr", "region", "object", "relation", "fact", "observation"]
    text: str
    bbox: tuple[float, float, float, float] | None = None
    confidence: float | None = None
    score: float = 0.0


class Spent(Contract):
    """Tokens as the providers reported them, by what they were spent on.

    `base` and `target` are readings (proofs of sight included), `clarification` is what the reasoning model spent on
    asking back, `final` what it spent on the answer.
    """

    base: TokenUsage = TokenUsage()
    target: TokenUsage = TokenUsage()
    clarification: TokenUsage = TokenUsage()
    final: TokenUsage = TokenUsage()
    total: TokenUsage = TokenUsage()


class Answer(Document):
    """`deepseekeyes.answer.v1`: one answer to one question about one or more pictures.

    `mode` says where the answer comes from: a reasoning model that was given `evidence` (`reasoning`), a model that was
    given the pictures themselves (`native`), or nobody: `answer` is None then and `extracts` quotes what was read
    (`extract`, with the line that would add a model in `hint`).
    """

    schema_: Literal["deepseekeyes.answer.v1"] = Field(default="deepseekeyes.answer.v1", alias="schema")
    answer: str | None
    mode: AnswerMode
    question: str
    route: AnsweredBy | None = None
    finish: str | None = None
    pictures: tuple[BlobRef, ...] = ()
    evidence: tuple[EvidenceRecord, ...] = ()
    looks: tuple[LookTaken, ...] = ()
    looks_left: int = Field(default=0, ge=0)
    extracts: tuple[Extract, ...] = ()
    notes: tuple[str, ...] = ()
    hint: str | None = None
    at: str
    duration_ms: int = Field(ge=0)
    attempts: tuple[Attempt, ...] = ()
    usage: Spent = Spent()
    persistence: Persistence | None = None

    def images(self) -> tuple[BlobRef, ...]:
        return self.pictures
