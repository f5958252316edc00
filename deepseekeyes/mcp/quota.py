"""How many external calls a run may make, counted before anything is sent."""

from __future__ import annotations

from dataclasses import dataclass, field

from deepseekeyes.store.ledger import Ledger

TABLE = "mcp_runs"


@dataclass(slots=True)
class LedgerQuota:
    """Counters in the ledger: one atomic row a run id, shared by all processes."""

    ledger: Ledger
    expiry_s: float

    def take(self, run: str, limit: int) -> bool:
        value = self.ledger.bump(TABLE, run, ceiling=limit or None, expires_s=self.expiry_s)
        return value is not None

    def refund(self, run: str) -> None:
        self.ledger.bump(TABLE, run, -1)


@dataclass(slots=True)
class ProcessQuota:
    """The counter of calls without a run id: this process, or this serve session, is the run."""

    _taken: dict[str, int] = field(default_factory=dict)

    def take(self, run: str, limit: int) -> bool:
        taken = self._taken.get(run, 0)
        if limit and taken >= limit:
            return False
        self._taken[run] = taken + 1
        return True

    def refund(self, run: str) -> None:
        self._taken[run] = max(0, self._taken.get(run, 0) - 1)

    def taken(self, run: str) -> int:
        """Calls so far."""
        return self._taken.get(run, 0)
