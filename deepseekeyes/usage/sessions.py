"""`usage sessions`: the recent sessions, each with its own sums."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.usage_report import UsageSession, UsageSessionList
from deepseekeyes.usage import fold
from deepseekeyes.usage.deps import UsageDeps

HASH_START = "the first hexadecimal digits of a session's hash, as the list shows them"


class SessionsRequest(Contract):
    """How many, and only those whose hash begins with `session`."""

    limit: int = Field(default=50, ge=1, le=1000)
    session: str | None = Field(default=None, pattern=r"^[0-9a-f]{1,64}$", description=HASH_START)


async def sessions(request: SessionsRequest, deps: UsageDeps) -> UsageSessionList:
    """List sessions, newest first.

    Raises:
        EyesError: what opening the ledger raises.
    """
    deps.tell_metering()
    found = [one for one in deps.ledger.sessions() if one.session_hash.startswith(request.session or "")]
    items = tuple(
        UsageSession(
            session_hash=one.session_hash,
            started_at=one.started_at,
            updated_at=one.updated_at,
            figures=fold.figures(one.buckets),
            by_purpose=fold.grouped(one.buckets, "purpose", deps.money),
        )
        for one in found[: request.limit]
    )
    return UsageSessionList(items=items, truncated=len(found) > len(items), omitted=len(found) - len(items))
