"""The short way: a stored reading by the route that would be asked first answers at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deepseekeyes.contracts.stored import StoredRecord
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.imaging.admit import admit
from deepseekeyes.routing.capabilities import EYE
from deepseekeyes.routing.plan import Asked
from deepseekeyes.vision.work import convention_of, key_of

if TYPE_CHECKING:
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.routing.plan import Place, Plan
    from deepseekeyes.vision.deps import VisionDeps
    from deepseekeyes.vision.work import Work

NO_USAGE = {
    "inputTokens": None,
    "outputTokens": None,
    "cacheReadTokens": None,
    "cacheWriteTokens": None,
    "reasoningTokens": None,
    "imageTokens": None,
}


def stored_reading(work: Work, deps: VisionDeps) -> StoredRecord | None:
    """The stored record that answers this work, with one attempt row on the books; None when there is none.

    Raises:
        EyesError: what `admit` and the plan raise.
    """
    started = deps.clock.monotonic()
    admit(work.data, deps.settings.limits)
    first = planned(work, deps).demand().places[0]
    found = None if work.fresh else stored_record(work, first.route, deps)
    if found is None:
        return None
    duration_ms = deps.clock.milliseconds_since(started)
    attempt = _attempt(work, first, deps, duration_ms)
    deps.book(attempt)
    run = {
        "at": attempt["at"],
        "durationMs": deps.clock.milliseconds_since(started),
        "attempts": [attempt],
        "usage": NO_USAGE,
        "input": work.label,
    }
    code = deps.trouble()
    persistence = {"healthy": code is None, "code": code}
    return StoredRecord({**found, "cacheHit": True, "run": run, "persistence": persistence})


def planned(work: Work, deps: VisionDeps) -> Plan:
    """The order of the eyes for this work."""
    return deps.plan(
        Asked(
            capability=EYE,
            route=work.route,
            base_route=work.base_route,
            kinds=frozenset({"image", "text"}),
            attempt_budget=1 + deps.settings.failover_attempts,
        )
    )


def stored_record(work: Work, route: Route, deps: VisionDeps) -> dict[str, Any] | None:
    """The latest record of this work on this route."""
    return deps.records.latest(key_of(work, route, convention_of(route, deps.verifier)))


def stored_base(work: Work, deps: VisionDeps) -> str | None:
    """The route whose base reading of this picture is stored, in plan order."""
    return next(
        (place.route.id for place in planned(work, deps).places if stored_record(work, place.route, deps) is not None),
        None,
    )


def _attempt(work: Work, place: Place, deps: VisionDeps, duration_ms: int) -> dict[str, Any]:
    """A cache hit as an attempt row."""
    route = place.route
    return {
        "attemptId": deps.clock.new_id(),
        "at": rfc3339(deps.clock.now()),
        "operation": work.operation,
        "capability": EYE,
        "route": route.id,
        "provider": route.provider,
        "model": route.model,
        "position": place.position,
        "failoverIndex": 0,
        "phase": "operation",
        "status": "cache-hit",
        "durationMs": duration_ms,
        "errorCode": None,
        "sessionHash": deps.session_hash,
        "imageSha256": work.sha256,
    }
