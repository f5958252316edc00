"""Verdicts on disk: one per route, for one configuration of it, until it expires."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pydantic import ValidationError

from deepseekeyes.contracts.probe import ProbeVerdict, RungResult, Sight, StoredVerdict, VerdictState
from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.core.clock import Clock, rfc3339
from deepseekeyes.probe.order import ORDER, SIGHT, SIGHT_WITHOUT_PROMPT, VERSION
from deepseekeyes.probe.settings import ProbeSettings
from deepseekeyes.routing.catalog import Route
from deepseekeyes.store.documents import Documents

FILE = "probe-verdicts"
FILE_VERSION = 1
_SAME = ("valid", "expired")


def sight_of(results: Sequence[RungResult]) -> Sight:
    """Whether results prove sight: `grid`, or `text` as judged on the evidence of an eye without a prompt."""
    statuses = {result.status for result in _proofs(results)}
    return "passed" if "passed" in statuses else "failed" if statuses else "unknown"


def _proofs(results: Sequence[RungResult]) -> list[RungResult]:
    return [
        result
        for result in results
        if result.status != "skipped"
        and (result.rung == SIGHT or (result.rung == SIGHT_WITHOUT_PROMPT and result.evidence))
    ]


def all_passed(results: Sequence[RungResult]) -> bool:
    """Whether every rung that was run passed; `text` stands in for `grid` at an eye without a prompt."""
    proved = sight_of(results) == "passed"
    return bool(results) and all(
        result.status == "passed" or (proved and result.evidence and result.status == "skipped") for result in results
    )


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The stored verdicts of a home."""

    documents: Documents
    settings: ProbeSettings = field(default_factory=ProbeSettings)
    clock: Clock = field(default_factory=Clock)

    def every(self) -> tuple[ProbeVerdict, ...]:
        """All stored verdicts in route order; rows that cannot be understood are left out."""
        rows = _rows(self.documents.load(FILE, FILE_VERSION))
        return tuple(verdict for _, row in sorted(rows.items()) for verdict in _verdict(row))

    def remembered(self, route: Route) -> ProbeVerdict | None:
        """The verdict about this configuration of the route, expired or not."""
        row = _rows(self.documents.load(FILE, FILE_VERSION)).get(route.id)
        found = next(_verdict(row), None) if row is not None else None
        return found if found is not None and self.state(found, route) in _SAME else None

    def current(self, route: Route) -> ProbeVerdict | None:
        """The verdict that holds now for this configuration of the route."""
        found = self.remembered(route)
        return found if found is not None and self.state(found, route) == "valid" else None

    def state(self, verdict: ProbeVerdict, route: Route | None) -> VerdictState:
        """Whether a verdict still counts for a route, as `StoredVerdict.state`."""
        if route is None:
            return "unknown-route"
        if verdict.config_digest != route.config_digest() or verdict.challenges != VERSION:
            return "changed"
        return "valid" if self.clock.now() < datetime.fromisoformat(verdict.expires_at) else "expired"

    def stored(self, verdict: ProbeVerdict, route: Route | None) -> StoredVerdict:
        """A verdict with its state."""
        return StoredVerdict(state=self.state(verdict, route), verdict=verdict)

    def add(
        self, route: Route, results: Sequence[RungResult], usage: TokenUsage, picture_tokens: int | None
    ) -> ProbeVerdict:
        """Store new results. Earlier results of other rungs are kept while the route stays as it was configured.

        Raises:
            EyesError: what the document store raises when it cannot write.
        """
        now = self.clock.now()
        made: list[ProbeVerdict] = []

        def change(document: dict[str, Any] | None) -> dict[str, Any]:
            rows = _rows(document)
            old = next(_verdict(rows[route.id]), None) if route.id in rows else None
            kept = old if old is not None and self.state(old, route) in _SAME else None
            verdict = self._verdict(route, _merged(kept, results), usage, picture_tokens, now)
            made.append(verdict)
            rows[route.id] = verdict.model_dump(mode="json", by_alias=True)
            return {"verdicts": _bounded(rows, self.settings.max_verdicts)}

        self.documents.update(FILE, FILE_VERSION, change)
        return made[-1]

    def forget(self, route_id: str) -> bool:
        """Drop the verdict of a route; False when there was none."""
        found = False

        def change(document: dict[str, Any] | None) -> dict[str, Any]:
            nonlocal found
            rows = _rows(document)
            found = rows.pop(route_id, None) is not None
            return {"verdicts": rows}

        if route_id in _rows(self.documents.load(FILE, FILE_VERSION)):
            self.documents.update(FILE, FILE_VERSION, change)
        return found

    def _verdict(
        self,
        route: Route,
        results: tuple[RungResult, ...],
        usage: TokenUsage,
        picture_tokens: int | None,
        now: datetime,
    ) -> ProbeVerdict:
        sight = sight_of(results)
        placed = next((r.details for r in results if r.rung == "place" and r.status != "skipped"), {})
        ttl = self.settings.failure_ttl_s if sight == "failed" else self.settings.verdict_ttl_s
        return ProbeVerdict(
            route=route.id,
            provider=route.provider,
            engine=route.engine,
            model=route.model,
            config_digest=route.config_digest(),
            challenges=VERSION,
            sight=sight,
            code=_reason(results) if sight == "failed" else None,
            convention=placed.get("convention"),
            form=placed.get("form"),
            median_box_error=placed.get("medianBoxError"),
            picture_tokens=picture_tokens,
            at=rfc3339(now),
            expires_at=rfc3339(_proved_at(results, now) + timedelta(seconds=ttl)),
            rungs=results,
            usage=usage,
        )


def _rows(document: dict[str, Any] | None) -> dict[str, Any]:
    rows = (document or {}).get("verdicts")
    return dict(rows) if isinstance(rows, dict) else {}


def _verdict(row: Any) -> Iterator[ProbeVerdict]:
    try:
        verdict = ProbeVerdict.model_validate(row)
        datetime.fromisoformat(verdict.expires_at)
    except (ValidationError, ValueError):
        return
    yield verdict


def _merged(old: ProbeVerdict | None, new: Sequence[RungResult]) -> tuple[RungResult, ...]:
    by_name = {result.rung: result for result in old.rungs} if old is not None else {}
    by_name |= {r.rung: r for r in new if r.status != "skipped" or r.rung not in by_name}
    return tuple(by_name[name] for name in ORDER if name in by_name)


def _reason(results: Sequence[RungResult]) -> str | None:
    return next((result.code for result in _proofs(results) if result.status == "failed"), None)


def _proved_at(results: Sequence[RungResult], now: datetime) -> datetime:
    """When sight was last looked at: running another rung does not make the proof younger."""
    return max((datetime.fromisoformat(result.at) for result in _proofs(results)), default=now)


def _bounded(rows: dict[str, Any], limit: int) -> dict[str, Any]:
    if len(rows) <= limit:
        return rows
    newest = sorted(rows, key=lambda name: str(rows[name].get("at") if isinstance(rows[name], dict) else ""))[-limit:]
    return {name: rows[name] for name in newest}
