"""From one picture to one evidence record: the cache, else a walk over the routes that may read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from deepseekeyes.contracts.evidence import EvidenceRecord, Persistence, RunFacts
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.vision.codes import EVIDENCE_PERSIST_FAILED, LOOK_TIMEOUT
from deepseekeyes.vision.stored import planned, stored_reading, stored_record

if TYPE_CHECKING:
    from deepseekeyes.imaging.decode import Decoded
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.routing.plan import Plan
    from deepseekeyes.routing.walk import Walked
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
    if work.timeout_ms is None or work.wait:
        return await _walked(work, plan, deps, started)
    return await _in_time(work, plan, deps, started, work.timeout_ms)


async def _in_time(work: Work, plan: Plan, deps: VisionDeps, started: float, limit_ms: int) -> EvidenceRecord:
    await loop_needed()
    import asyncio

    try:
        async with asyncio.timeout(limit_ms / 1000):
            return await _walked(work, plan, deps, started)
    except TimeoutError:
        raise EyesError(
            LOOK_TIMEOUT,
            f"No route answered within {limit_ms} ms.",
            details={"limit": {"name": "look_timeout_ms", "value": limit_ms, "setting": "vision.look_timeout_ms"}},
        ) from None


async def _walked(work: Work, plan: Plan, deps: VisionDeps, started: float) -> EvidenceRecord:
    from deepseekeyes.imaging.decode import decode
    from deepseekeyes.routing.tally import Tally
    from deepseekeyes.routing.walk import walk
    from deepseekeyes.vision.route_reading import read_on

    tally, away = Tally(), deps.elsewhere
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
        deps.walk(),
        operation=work.operation,
        tally=tally,
        session_hash=deps.session_hash,
        image_sha256=work.sha256,
        wait_s=deps.max_wait_s if work.wait else 0.0,
    )
    return _record(walked, work, deps, started)


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
