"""Evidence records and the documents made of them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from deepseekeyes.contracts.attempt import Attempt
from deepseekeyes.contracts.blob import BlobRef
from deepseekeyes.contracts.document import Document, Outcome
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.model import SHA256, Contract
from deepseekeyes.contracts.usage import TokenUsage

EvidenceKind = Literal["base", "target"]
Variant = EvidenceKind


class Region(Contract):
    """A part of the upright picture, normalised 0..1, origin top left."""

    x: float = Field(ge=0, le=1)
    y: float = Field(ge=0, le=1)
    width: float = Field(gt=0, le=1)
    height: float = Field(gt=0, le=1)


class Source(Contract):
    """The picture as it came in.

    `width`, `height` and `pixel_sha256` are of the upright frame that was read; `orientation` is the EXIF value of the
    file, `mode` Pillow's name of its pixel format, `frame` the zero-based frame of `frames`. `converted` names every
    lossy step on the way to 8-bit pixels, e.g. `16->8`, `CMYK->RGB`.
    """

    sha256: str = Field(pattern=SHA256)
    media_type: str
    bytes: int
    width: int
    height: int
    orientation: int = 1
    mode: str
    frames: int = 1
    frame: int = 0
    pixel_sha256: str = Field(pattern=SHA256)
    converted: tuple[str, ...] = ()

    def blob(self) -> BlobRef:
        return BlobRef(
            sha256=self.sha256, media_type=self.media_type, bytes=self.bytes, width=self.width, height=self.height
        )


class Tile(Contract):
    """One piece of a rendition that was sent on its own; `x`, `y` are its origin in rendition pixels."""

    sha256: str = Field(pattern=SHA256)
    x: int
    y: int
    width: int
    height: int


class Rendition(Contract):
    """What was sent to the route. In pixels: `sent = upright * scale + offset`, per axis."""

    sha256: str = Field(pattern=SHA256)
    media_type: str
    bytes: int
    width: int
    height: int
    scale: tuple[float, float] = (1.0, 1.0)
    offset: tuple[float, float] = (0.0, 0.0)
    background: str | None = None
    tiles: tuple[Tile, ...] = ()


class RouteIdentity(Contract):
    """Who read the picture. `verification` says how its eyesight was established."""

    id: str
    provider: str
    engine: str
    model: str
    verification: Literal["unprobed", "metadata", "probed", "disabled"] = "unprobed"


class ContractVersions(Contract):
    evidence: str
    prompt: str


class Transform(Contract):
    """One box that was rewritten: where, under which convention, from and to."""

    path: str
    convention: str
    original: list[Any]
    normalized: list[float]


class Coordinates(Contract):
    """How the answer's boxes were read. One answer has one convention."""

    convention: str
    declared: bool
    ambiguous: bool
    transforms: tuple[Transform, ...] = ()


class Repair(Contract):
    """One structural change between the model's words and the evidence."""

    path: str
    action: str
    original: Any = None
    canonical: Any = None


class RunFacts(Contract):
    """What belongs to this call and not to the record."""

    at: str
    duration_ms: int
    attempts: tuple[Attempt, ...] = ()
    usage: TokenUsage = TokenUsage()
    input: str | None = None


class Persistence(Contract):
    """Whether what had to be written down was written; `code` names the trouble."""

    healthy: bool = True
    code: str | None = None


class EvidenceRecord(Document):
    """`deepseekeyes.evidence-record.v1`: one reading of one picture, and everything needed to check it.

    Stored without `cache_hit`, `run` and `persistence`; `record_sha256` covers the stored part without itself.
    """

    schema_: Literal["deepseekeyes.evidence-record.v1"] = Field(
        default="deepseekeyes.evidence-record.v1", alias="schema"
    )
    record_sha256: str = Field(pattern=SHA256)
    cache_key: str = Field(pattern=SHA256)
    read_id: int | None = None
    supersedes: str | None = None
    kind: EvidenceKind
    question: str | None = None
    region: Region | None = None
    source: Source
    rendition: Rendition
    route: RouteIdentity
    contract: ContractVersions
    coordinates: Coordinates
    repairs: tuple[Repair, ...] = ()
    evidence: dict[str, Any]
    cache_hit: bool = False
    run: RunFacts | None = None
    persistence: Persistence | None = None

    def images(self) -> tuple[BlobRef, ...]:
        return (self.source.blob(),)


class BatchItem(Contract):
    """One input of a batch: its record or its failure."""

    index: int
    input: str
    record: EvidenceRecord | None = None
    error: ErrorBody | None = None


class EvidenceBatch(Document):
    """`deepseekeyes.evidence-batch.v1`: several inputs in argument order."""

    schema_: Literal["deepseekeyes.evidence-batch.v1"] = Field(default="deepseekeyes.evidence-batch.v1", alias="schema")
    total: int
    succeeded: int
    failed: int
    items: tuple[BatchItem, ...]

    def images(self) -> tuple[BlobRef, ...]:
        return tuple(item.record.source.blob() for item in self.items if item.record is not None)

    def outcome(self) -> Outcome | None:
        return "partial" if self.failed and self.succeeded else None

    def failure(self) -> ErrorBody | None:
        if self.succeeded:
            return None
        return next((item.error for item in self.items if item.error is not None), None)
