"""What the evidence cache tells about itself."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deepseekeyes.contracts.document import Document, Outcome
from deepseekeyes.contracts.model import Contract


class RecordRow(Contract):
    """One stored record."""

    record_sha256: str
    cache_key: str
    kind: str
    route: str
    image_sha256: str
    stored_at: str
    bytes: int
    question: str | None = None
    summary: str = ""


class RecordList(Document):
    """`deepseekeyes.record-list.v1`: stored records, newest first. `unreadable` files were set aside, not lost."""

    schema_: Literal["deepseekeyes.record-list.v1"] = Field(default="deepseekeyes.record-list.v1", alias="schema")
    items: tuple[RecordRow, ...]
    truncated: bool = False
    omitted: int = 0
    unreadable: int = 0


class PruneReport(Document):
    """`deepseekeyes.cache-prune.v1`: what was removed, or would be."""

    schema_: Literal["deepseekeyes.cache-prune.v1"] = Field(default="deepseekeyes.cache-prune.v1", alias="schema")
    dry_run: bool
    removed: int
    removed_bytes: int
    kept: int
    kept_bytes: int


class RecordVerdict(Contract):
    """Whether one record held, and the checks that failed."""

    record_sha256: str
    cache_key: str
    valid: bool
    failed: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()


class CacheVerification(Document):
    """`deepseekeyes.cache-verification.v1`: every stored record re-checked."""

    schema_: Literal["deepseekeyes.cache-verification.v1"] = Field(
        default="deepseekeyes.cache-verification.v1", alias="schema"
    )
    valid: bool
    total: int
    items: tuple[RecordVerdict, ...]

    def outcome(self) -> Outcome | None:
        return None if self.valid else "verdict"
