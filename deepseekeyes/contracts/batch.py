"""What `vision batch` prints: a line for each picture, then one summary."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deepseekeyes.contracts.blob import BlobRef
from deepseekeyes.contracts.document import Document, Outcome
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.evidence import EvidenceRecord, Persistence
from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.usage import TokenUsage

Place = Literal["here", "processes", "cluster"]


class EvidenceBatchItem(Document):
    """`deepseekeyes.evidence-batch-item.v1`: one input of a streamed batch, with its record or its failure.

    Items come in the order in which they are done; `index` is the place of the input in the batch, from 0.
    """

    schema_: Literal["deepseekeyes.evidence-batch-item.v1"] = Field(
        default="deepseekeyes.evidence-batch-item.v1", alias="schema"
    )
    index: int = Field(ge=0)
    input: str
    record: EvidenceRecord | None = None
    error: ErrorBody | None = None

    def images(self) -> tuple[BlobRef, ...]:
        return () if self.record is None else self.record.images()


class BatchFailure(Contract):
    """One input that could not be read. Its attempts are in its own line, not here."""

    index: int = Field(ge=0)
    input: str
    error: ErrorBody


class EvidenceBatchSummary(Document):
    """`deepseekeyes.evidence-batch-summary.v1`: the last line of a streamed batch.

    `cached` of the `succeeded` were answered from the store. `per_second` counts finished inputs, None when the batch
    took no measurable time. `readers` pictures were read at a time, in this process, in processes of this machine, or
    on a cluster. `routes` says how many records each route gave. `failures` is in input order; when it is cut,
    `omitted` says by how many.
    """

    schema_: Literal["deepseekeyes.evidence-batch-summary.v1"] = Field(
        default="deepseekeyes.evidence-batch-summary.v1", alias="schema"
    )
    total: int = Field(ge=0)
    succeeded: int = Field(ge=0)
    failed: int = Field(ge=0)
    cached: int = Field(ge=0)
    duration_ms: int = Field(ge=0)
    per_second: float | None = None
    place: Place
    readers: int = Field(ge=1)
    routes: dict[str, int] = Field(default_factory=dict)
    usage: TokenUsage = TokenUsage()
    failures: tuple[BatchFailure, ...] = ()
    truncated: bool = False
    omitted: int = Field(default=0, ge=0)
    persistence: Persistence = Persistence()

    def outcome(self) -> Outcome | None:
        return "partial" if self.failed and self.succeeded else None

    def failure(self) -> ErrorBody | None:
        return self.failures[0].error if self.failures and not self.succeeded else None
