"""`usage reset`: begin anew."""

from __future__ import annotations

from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.usage_report import UsageReset
from deepseekeyes.core.errors import EyesError
from deepseekeyes.usage import codes, fold
from deepseekeyes.usage.deps import UsageDeps


class ResetRequest(Contract):
    """`yes` says that the numbers may go."""

    yes: bool = False


async def reset(request: ResetRequest, deps: UsageDeps) -> UsageReset:
    """Remove all usage rows, totals, sessions and what is known of imported files; works while booking is switched off.

    Raises:
        EyesError: `USAGE_RESET_UNCONFIRMED`; what writing the ledger raises.
    """
    calls = fold.figures(deps.ledger.totals()).calls
    if not request.yes:
        raise EyesError(codes.USAGE_RESET_UNCONFIRMED, f"The usage of {calls} calls would be removed for good.")
    kept = len(deps.ledger.sessions())
    deps.ledger.reset_usage()
    return UsageReset(started_at=deps.ledger.usage_started_at(), removed_calls=calls, removed_sessions=kept)
