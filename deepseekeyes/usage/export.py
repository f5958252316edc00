"""`usage export`: everything the ledger knows about usage, for other tools and for another home."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.usage_report import UsageBucket, UsageExport
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.usage.deps import UsageDeps
from deepseekeyes.usage.fold import bucket_document


class ExportRequest(Contract):
    """How many single calls at most, the newest ones."""

    limit: int = Field(default=10_000, ge=0, le=1_000_000)


async def export(request: ExportRequest, deps: UsageDeps) -> UsageExport:
    """The running totals, and the single calls that are still kept, oldest first.

    Raises:
        EyesError: what opening the ledger raises.
    """
    rows = deps.ledger.rows("usage", request.limit)
    kept = deps.ledger.count("usage")
    return UsageExport(
        at=rfc3339(deps.clock.now()),
        started_at=deps.ledger.usage_started_at(),
        buckets=tuple(UsageBucket.model_validate(bucket_document(bucket)) for bucket in deps.ledger.totals()),
        rows=tuple(row.body for row in reversed(rows)),
        truncated=kept > len(rows),
        omitted=max(0, kept - len(rows)),
    )
