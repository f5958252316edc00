"""List stored evidence records."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic import Field

from deepseekeyes.contracts.cache import RecordList, RecordRow
from deepseekeyes.contracts.model import SHA256, Contract
from deepseekeyes.core.clock import rfc3339

if TYPE_CHECKING:
    from deepseekeyes.store.records import RecordEntry
    from deepseekeyes.vision.cache_deps import CacheDeps

SUMMARY_CHARS = 200


class CacheListRequest(Contract):
    """Which records: at most `limit`, newest first, of one picture or of all."""

    limit: int = Field(default=100, ge=1, le=10_000)
    image: str | None = Field(default=None, pattern=SHA256, description="64 hexadecimal digits, a picture's SHA-256")


async def cache_list(request: CacheListRequest, deps: CacheDeps) -> RecordList:
    """List records, newest first. Unreadable files are set aside and counted."""
    entries = sorted(deps.records.entries(), key=lambda entry: (-entry.modified, entry.key, -entry.number))
    rows: list[RecordRow] = []
    matching = 0
    for entry in entries:
        if request.image is None and matching >= request.limit:
            matching += 1
            continue
        record = deps.records.read(entry.key, entry.number)
        if record is None or request.image not in (None, record["source"]["sha256"]):
            continue
        matching += 1
        if len(rows) < request.limit:
            rows.append(_row(entry, record))
    omitted = matching - len(rows)
    return RecordList(
        items=tuple(rows), truncated=omitted > 0, omitted=omitted, unreadable=len(deps.records.quarantined)
    )


def _row(entry: RecordEntry, record: dict[str, Any]) -> RecordRow:
    evidence = record["evidence"]
    summary = " ".join(str(evidence.get("summary") or evidence.get("answer") or "").split())
    return RecordRow(
        record_sha256=record["recordSha256"],
        cache_key=entry.key,
        kind=record["kind"],
        route=record["route"]["id"],
        image_sha256=record["source"]["sha256"],
        stored_at=rfc3339(datetime.fromtimestamp(entry.modified, UTC)),
        bytes=entry.bytes,
        question=record["question"],
        summary=summary if len(summary) <= SUMMARY_CHARS else summary[: SUMMARY_CHARS - 1] + "…",
    )
