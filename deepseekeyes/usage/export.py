"""`usage export`: everything the ledger knows about usage, for other tools and for another home."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pydantic import Field

from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.usage_report import UsageBucket, UsageExport, UsageSource
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.store.usage_imports import Source, growth
from deepseekeyes.usage.deps import UsageDeps
from deepseekeyes.usage.fold import bucket_document

if TYPE_CHECKING:
    from deepseekeyes.store.ledger import Ledger
    from deepseekeyes.store.usage_totals import Bucket


class ExportRequest(Contract):
    """How many single calls at most, the newest ones."""

    limit: int = Field(default=10_000, ge=0, le=1_000_000)


async def export(request: ExportRequest, deps: UsageDeps) -> UsageExport:
    """The running totals, and the single calls that are still kept, oldest first.

    Raises:
        EyesError: what opening the ledger raises.
    """
    deps.tell_metering()
    rows = deps.ledger.rows("usage", request.limit)
    kept = deps.ledger.count("usage")
    totals = deps.ledger.totals()
    return UsageExport(
        at=rfc3339(deps.clock.now()),
        started_at=deps.ledger.usage_started_at(),
        buckets=_documents(totals),
        sources=tuple(
            UsageSource(name=one.name, buckets=_documents(one.buckets)) for one in _sources(totals, deps.ledger)
        ),
        rows=tuple(row.body for row in reversed(rows)),
        truncated=kept > len(rows),
        omitted=max(0, kept - len(rows)),
    )


def _sources(totals: list[Bucket], ledger: Ledger) -> list[Source]:
    """The totals apart by who counted them."""
    name, imported = ledger.usage_sources()
    if name is None:
        return imported
    own = growth(totals, [bucket for source in imported for bucket in source.buckets])
    return [Source(name, tuple(own)), *imported]


def _documents(buckets: Iterable[Bucket]) -> tuple[UsageBucket, ...]:
    return tuple(UsageBucket.model_validate(bucket_document(bucket)) for bucket in buckets)
