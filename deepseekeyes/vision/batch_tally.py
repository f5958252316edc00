"""What a batch adds up to, while its pictures come and go."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from deepseekeyes.contracts.batch import BatchFailure, EvidenceBatchItem, EvidenceBatchSummary, Place
from deepseekeyes.contracts.evidence import Persistence
from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.routing.tally import usage_of

FAILURES_SHOWN = 1_000


@dataclass(slots=True)
class BatchTally:
    """Counts of the items so far; keeps no record."""

    succeeded: int = 0
    cached: int = 0
    failed: int = 0
    usage: TokenUsage = field(default_factory=TokenUsage)
    routes: Counter[str] = field(default_factory=Counter)
    failures: list[BatchFailure] = field(default_factory=list)

    @property
    def total(self) -> int:
        return self.succeeded + self.failed

    def add(self, item: EvidenceBatchItem) -> None:
        """Count one item."""
        if item.error is not None:
            self.failed += 1
            self.usage = self.usage + usage_of(item.error.raised())
            self._keep(item)
        elif item.record is not None:
            self.succeeded += 1
            self.cached += item.record.cache_hit
            self.routes[item.record.route.id] += 1
            if item.record.run is not None:
                self.usage = self.usage + item.record.run.usage

    def _keep(self, item: EvidenceBatchItem) -> None:
        """Keep the failures that come first in the batch."""
        assert item.error is not None
        details = {name: value for name, value in item.error.details.items() if name != "attempts"}
        error = item.error.model_copy(update={"details": details})
        self.failures.append(BatchFailure(index=item.index, input=item.input, error=error))
        if len(self.failures) >= 2 * FAILURES_SHOWN:
            self._cut()

    def _cut(self) -> None:
        self.failures.sort(key=lambda failure: failure.index)
        del self.failures[FAILURES_SHOWN:]

    def summary(
        self, *, duration_ms: int, place: Place, readers: int, persistence: Persistence
    ) -> EvidenceBatchSummary:
        """The last line of the batch."""
        self._cut()
        omitted = self.failed - len(self.failures)
        return EvidenceBatchSummary(
            total=self.total,
            succeeded=self.succeeded,
            failed=self.failed,
            cached=self.cached,
            duration_ms=duration_ms,
            per_second=round(self.total * 1000 / duration_ms, 3) if duration_ms else None,
            place=place,
            readers=readers,
            routes=dict(sorted(self.routes.items())),
            usage=self.usage,
            failures=tuple(self.failures),
            truncated=omitted > 0,
            omitted=omitted,
            persistence=persistence,
        )
