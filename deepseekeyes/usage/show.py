"""`usage show`: what was spent, exactly, and what is estimated, apart."""

from __future__ import annotations

from datetime import date

from pydantic import Field, field_validator

from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.usage_report import UsageReport
from deepseekeyes.usage import fold
from deepseekeyes.usage.deps import METERING_OFF, UsageDeps
from deepseekeyes.usage.fold import By
from deepseekeyes.usage.money import calls_in, cost_of


class ShowRequest(Contract):
    """How to group, and from which day on (`2026-12-01`, UTC)."""

    by: By = "purpose"
    since: str | None = Field(
        default=None, pattern=r"^\d{4}-\d{2}-\d{2}$", description="a day as YYYY-MM-DD, such as 2026-12-01"
    )
    limit: int = Field(default=200, ge=1, le=20_000)

    @field_validator("since")
    @classmethod
    def _a_day(cls, value: str | None) -> str | None:
        if value is not None:
            date.fromisoformat(value)
        return value


async def show(request: ShowRequest, deps: UsageDeps) -> UsageReport:
    """Fold the running totals; never reads the single rows.

    Raises:
        EyesError: what opening the ledger raises.
    """
    every = deps.ledger.totals()
    kept = [bucket for bucket in every if request.since is None or bucket.key.day >= request.since]
    groups = fold.grouped(kept, request.by, deps.money)
    warnings = [] if deps.metering else [METERING_OFF]
    warnings += fold.warnings(kept)
    undated = sum(calls_in(bucket) for bucket in every if not bucket.key.day)
    if request.since is not None and undated:
        warnings.append(f"{undated} older calls have no day any more and are left out.")
    return UsageReport(
        started_at=deps.ledger.usage_started_at(),
        since=request.since,
        by=request.by,
        totals=fold.figures(kept),
        cost=cost_of(kept, deps.money),
        groups=groups[: request.limit],
        truncated=len(groups) > request.limit,
        omitted=max(0, len(groups) - request.limit),
        derived=fold.derived(kept),
        identities=fold.identities(kept),
        warnings=tuple(warnings),
        accounting=fold.ACCOUNTING,
        persistence=deps.persistence(),
    )
