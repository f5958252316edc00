"""Remove old evidence records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from deepseekeyes.contracts.cache import PruneReport
from deepseekeyes.contracts.model import Contract

if TYPE_CHECKING:
    from deepseekeyes.store.records import RecordEntry
    from deepseekeyes.vision.cache_deps import CacheDeps

DAY_S = 86_400.0


class CachePruneRequest(Contract):
    """Bounds; absent ones come from `[store]`, 0 is no bound."""

    older_than_days: float | None = Field(default=None, ge=0)
    max_bytes: int | None = Field(default=None, ge=0)
    dry_run: bool = False


async def cache_prune(request: CachePruneRequest, deps: CacheDeps) -> PruneReport:
    """Remove records that are too old, then the oldest until the rest fits. Pictures stay."""
    days = deps.retention_days or None if request.older_than_days is None else request.older_than_days
    most = deps.max_bytes or None if request.max_bytes is None else request.max_bytes
    before = None if days is None else deps.now() - days * DAY_S
    entries = list(deps.records.entries())
    gone = _too_much(entries, before, most) if request.dry_run else deps.records.prune(before=before, max_bytes=most)
    removed_bytes = sum(entry.bytes for entry in gone)
    return PruneReport(
        dry_run=request.dry_run,
        removed=len(gone),
        removed_bytes=removed_bytes,
        kept=len(entries) - len(gone),
        kept_bytes=sum(entry.bytes for entry in entries) - removed_bytes,
    )


def _too_much(entries: list[RecordEntry], before: float | None, most: int | None) -> list[RecordEntry]:
    """What `Records.prune` would remove."""
    total = sum(entry.bytes for entry in entries)
    gone = []
    for entry in sorted(entries, key=lambda entry: (entry.modified, entry.key, entry.number)):
        if (before is not None and entry.modified < before) or (most is not None and total > most):
            total -= entry.bytes
            gone.append(entry)
    return gone
