"""From one picture to one evidence record: the cache, else a walk over the routes that may read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from deepseekeyes.contracts.evidence import EvidenceRecord, Persistence, RunFacts
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.vision.codes import EVIDENCE_PERSIST_FAILED, LOOK_TIMEOUT
from deepseekeyes.vision.stored import planned, stored_reading, stored_record

if TYPE_CHECKING:
    from deepseekeyes.contracts.attempt import Attempt
    from deepseekeyes.imaging.decode import Decoded
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.routing.plan import Plan
    from deepseekeyes.routing.walk import WalkDeps, Walked
    from deepseekeyes.vision.deps import VisionDeps
    from deepseekeyes.vision.work import Work


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Found:
    stored: dict[str, Any]
    hit: bool


async def see(work: Work, deps: VisionDeps) -> EvidenceRecord:
    """Read one picture.

    A stored record of the first route answers at once. Otherwise the routes are walked; each looks into the cache
    first, proves that it sees, and reads.

    Raises:
        EyesError: what intake, plan and walk raise; `EVIDENCE_PERSIST_FAILED` when the record cannot be written;
            `LOOK_TIMEOUT`.
    """
    stored = stored_reading(work, deps)
    if stored is not None:
        return stored.parsed()
    started = deps.clock.monotonic()
    plan = planned(work, deps).demand()
    trail = _Trail()
    if work.timeout_ms is None or work.wait:
        return await _walked(work, plan, deps, started, trail)
    return await _in_time(work, plan, deps, started, work.timeout_ms, trail)


async def _in_time(
    work: Work, plan: Plan, deps: VisionDeps, started: float, limit_ms: int, trail: _Trail
) -> EvidenceRecord:
    await loop_needed()
    import asyncio

    try:
        async with asyncio.timeout(limit_ms / 1000):
            return await _walked(work, plan, deps, started, trail)
    except TimeoutError:
        raise EyesError(
            LOOK_TIMEOUT,
            f"No route answered within {limit_ms} ms.",
            details={
                "attempts": [one.model_dump(mode="json", by_alias=True) for one in trail.attempts],
                "usage": trail.tally.usage.model_dump(mode="json", by_alias=True),
                "limit": {"name": "look_timeout_ms", "value": limit_ms, "setting": "vision.look_timeout_ms"},
            },
        ) from None


class _Trail:
    """What a walk tried and spent so far, for those who break it off."""

    def __init__(self) -> None:
        from deepseekeyes.routing.tally import Tally

        self.attempts: list[Attempt] = []
        self.tally = Tally()

    def followed(self, deps: WalkDeps) -> WalkDeps:
        """The same deps, with every attempt noted here as well."""

        def record(attempt: Attempt) -> None:
            self.attempts.append(attempt)
            deps.record(attempt)

        return replace(deps, record=record)


async def _walked(work: Work, plan: Plan, deps: VisionDeps, started: float, trail: _Trail) -> EvidenceRecord:
    from deepseekeyes.imaging.decode import decode
    from deepseekeyes.routing.walk import walk
    from deepseekeyes.vision.route_reading import read_on

    tally, away = trail.tally, deps.elsewhere
    opened: list[Decoded] = []

    def picture() -> Decoded:
        if not opened:
            opened.append(decode(work.data, deps.settings.limits, work.frame))
            keep()
        return opened[0]

    def keep() -> None:
        if deps.keep_pictures:
            persisted(lambda: deps.blobs.put(work.data))

    async def run(route: Route) -> _Found:
        cached = None if work.fresh else stored_record(work, route, deps)
        if cached is not None:
            return _Found(cached, hit=True)
        verification = await deps.verifier().verify(route)
        tally.usage = tally.usage + verification.usage
        if away is not None and away.takes(route):
            key, content = await away.read(route, work, verification, tally)
            keep()
        else:
            key, content = await read_on(route, work, picture(), verification, deps, tally)
        return _Found(persisted(lambda: deps.records.add(key, content, fresh=work.fresh)), hit=False)

    if away is None or not away.takes(plan.places[0].route):
        picture()
    walked = await walk(
        plan,
        run,
        trail.followed(deps.walk()),
        operation=work.operation,
        tally=tally,
        session_hash=deps.session_hash,
        image_sha256=work.sha256,
        wait_s=deps.max_wait_s if work.wait else 0.0,
        unasked=lambda found: found.hit,
    )
    _tell_detour(work.route, walked, deps)
    return _record(walked, work, deps, started)


def _tell_detour(asked: str | None, walked: Walked[_Found], deps: VisionDeps) -> None:
    """Say that another route than the one asked for served, and why."""
    served = walked.route
    if asked is None or asked in (served.id, served.label):
        return
    own = [one for one in walked.attempts if asked in (one.route, f"{one.provider}/{one.model}")]
    if own:
        why = "rests" if own[-1].phase == "circuit" else f"failed [{own[-1].error_code}]"
        deps.note(f"Route {own[-1].route}, which was asked for, {why}: {served.id} read the picture instead.")


def _record(walked: Walked[_Found], work: Work, deps: VisionDeps, started: float) -> EvidenceRecord:
    run = RunFacts(
        at=rfc3339(deps.clock.now()),
        duration_ms=deps.clock.milliseconds_since(started),
        attempts=walked.attempts,
        usage=walked.usage,
        input=work.label,
    )
    persistence = deps.persistence()
    if walked.state_code is not None and persistence.healthy:
        persistence = Persistence(healthy=False, code=walked.state_code)
    found = walked.value
    return EvidenceRecord.model_validate(
        {**found.stored, "cacheHit": found.hit, "run": run, "persistence": persistence}
    )


def persisted(write: Callable[[], T]) -> T:
    """The result of a write that must not be lost.

    Raises:
        EyesError: `EVIDENCE_PERSIST_FAILED`.
    """
    try:
        return write()
    except EyesError as trouble:
        raise EyesError(
            EVIDENCE_PERSIST_FAILED, f"The evidence could not be stored: {trouble.message}", details=trouble.details
        ) from trouble
