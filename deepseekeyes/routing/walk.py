"""Walk a plan: one route after the other until one serves, within a budget, every step on record."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from deepseekeyes.contracts.attempt import Attempt, Phase, Status
from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.core.clock import Clock, rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing import codes
from deepseekeyes.routing.ask import is_idempotent
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.faults import fault
from deepseekeyes.routing.outcome import Failed, failure, unresolved
from deepseekeyes.routing.plan import Place, Plan
from deepseekeyes.routing.ports import Readiness
from deepseekeyes.routing.states import RouteStates
from deepseekeyes.routing.tally import Tally, usage_of

T = TypeVar("T")
IMAGE_HASH_LENGTH: Final = 64


@dataclass(frozen=True, slots=True)
class WalkDeps:
    """What a walk touches.

    Attributes:
        record: takes every attempt as it happens; a failing recorder is its own affair and must not raise.
        sleep: waits for a resting route; only called when the caller allows waiting.
    """

    states: RouteStates
    readiness: Readiness
    clock: Clock
    record: Callable[[Attempt], None]
    sleep: Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Walked(Generic[T]):
    """What a walk brought home.

    Attributes:
        attempts: every step, skips and failures included, in order.
        usage: tokens of all calls, failed ones included.
        state_code: the failure that kept circuits from being read or written, None when all went well.
    """

    value: T
    route: Route
    place: Place
    attempts: tuple[Attempt, ...]
    usage: TokenUsage
    state_code: str | None = None


async def walk(
    plan: Plan,
    run: Callable[[Route], Awaitable[T]],
    deps: WalkDeps,
    *,
    operation: str,
    tally: Tally | None = None,
    session_hash: str | None = None,
    image_sha256: str | None = None,
    wait_s: float = 0.0,
    unasked: Callable[[T], bool] | None = None,
) -> Walked[T]:
    """Serve one request.

    A resting route is skipped; the first skipped one gets a trial when nothing else served. Failures that no other
    route could mend end the walk at once.

    Args:
        plan: is walked in its order, at most `plan.asked.attempt_budget` failures long.
        run: does the whole work on one route, verification included; a call through `ask` books into `tally`.
        tally: the same object that `run` books into.
        wait_s: seconds the walk may wait for the first resting route when all rest.
        unasked: whether a value came from a cache, so that it says nothing about its route.

    Raises:
        EyesError: what `Plan.demand` raises; the only failure as it was; `VISION_FAILOVER_EXHAUSTED` (eyes) or
            `ROUTES_EXHAUSTED` after several; `ROUTES_COOLING` when every route rests; `INVOCATION_UNRESOLVED`. Their
            details hold `attempts`, `usage` and `retryAfterSeconds`.
    """
    plan.demand()
    trail = _Trail(plan, deps, operation, tally or Tally(), session_hash, image_sha256)
    trail.unasked = unasked
    skipped: list[Place] = []
    waited = False
    queue = list(plan.places)
    while True:
        for place in queue:
            if trail.spent():
                trail.untried += 1
            elif trail.skips(place):
                skipped.append(place)
            else:
                served = await _attempt(trail, place, run)
                if served is not None:
                    return served
        trial = None if trail.spent() else trail.trial_among(skipped)
        if trial is not None:
            skipped.remove(trial)
            served = await _attempt(trail, trial, run)
            if served is not None:
                return served
        pause = trail.pause(skipped, wait_s)
        if waited or pause is None:
            break
        await _pause(deps, pause)
        queue, skipped, waited = skipped or list(plan.places), [], True
    raise trail.failure(skipped)


async def _pause(deps: WalkDeps, seconds: float) -> None:
    from deepseekeyes.core.eventloop import loop_needed

    await loop_needed()
    await deps.sleep(seconds)


async def _attempt(trail: _Trail, place: Place, run: Callable[[Route], Awaitable[T]]) -> Walked[T] | None:
    deps, route = trail.deps, place.route
    started = deps.clock.monotonic()
    phase: Phase = "health"
    trail.calls_before = trail.tally.calls
    try:
        readied = await deps.readiness.ready(route, trail.plan.capability)
        if readied.checked == "fresh":
            trail.note(place, "health", "success", deps.clock.milliseconds_since(started))
        started, phase = deps.clock.monotonic(), "operation"
        value = await run(route)
    except EyesError as error:
        trail.failed(place, phase, deps.clock.milliseconds_since(started), error, error)
        return None
    except Exception as error:  # noqa: BLE001 - a defect of one engine must not take the others down; alone it is re-raised
        seen = EyesError(codes.VISION_ROUTE_ERROR, f"Route {route.id} failed with {type(error).__name__}.")
        trail.failed(place, phase, deps.clock.milliseconds_since(started), seen, error)
        return None
    except BaseException:
        trail.aborted(place, phase, deps.clock.milliseconds_since(started))
        raise
    return trail.served(place, value, deps.clock.milliseconds_since(started))


@dataclass(slots=True)
class _Trail:
    plan: Plan
    deps: WalkDeps
    operation: str
    tally: Tally
    session_hash: str | None
    image_sha256: str | None
    attempts: list[Attempt] = field(default_factory=list)
    failures: list[Failed] = field(default_factory=list)
    untried: int = 0
    calls_before: int = 0
    state_code: str | None = None
    unasked: Callable[[Any], bool] | None = None

    def spent(self) -> bool:
        budget = self.plan.asked.attempt_budget
        return budget is not None and len(self.failures) >= max(1, budget)

    def skips(self, place: Place) -> bool:
        try:
            resting = self.deps.states.circuit(place.route).is_open(self.deps.clock.now())
        except EyesError as error:
            self.state_code = error.code.name
            return False
        if resting:
            self.note(place, "circuit", "skipped-open-circuit", 0)
        return resting

    def trial_among(self, skipped: list[Place]) -> Place | None:
        now = self.deps.clock.now()
        return next((place for place in skipped if not self.deps.states.circuit(place.route).is_held(now)), None)

    def pause(self, skipped: list[Place], wait_s: float) -> float | None:
        """Seconds to wait for the first resting route, if that is allowed and worth it."""
        if wait_s <= 0 or self.spent():
            return None
        seconds = self.deps.states.soonest(place.route for place in (skipped or self.plan.places))
        return seconds if seconds is not None and seconds <= wait_s else None

    def note(self, place: Place, phase: Phase, status: Status, duration_ms: int, code: str | None = None) -> None:
        route, image = place.route, self.image_sha256
        attempt = Attempt(
            attempt_id=self.deps.clock.new_id(),
            at=rfc3339(self.deps.clock.now()),
            operation=self.operation[:64],
            capability=self.plan.capability,
            route=route.id,
            provider=route.provider,
            model=route.model,
            position=place.position,
            failover_index=len(self.failures),
            phase=phase,
            status=status,
            duration_ms=duration_ms,
            error_code=code[:128] if code else None,
            session_hash=self.session_hash,
            image_sha256=image if image is not None and len(image) == IMAGE_HASH_LENGTH else None,
        )
        self.attempts.append(attempt)
        self.deps.record(attempt)

    def failed(self, place: Place, phase: Phase, duration_ms: int, error: EyesError, cause: Exception) -> None:
        """Put a failure on record; raises when the walk must end here."""
        if self.tally.calls == self.calls_before:
            self.tally.usage = self.tally.usage + usage_of(error)
        self._note_repetitions(place)
        lost = phase == "operation" and error.details.get("dispatched") == "unknown"
        if lost and not is_idempotent(place.route, self.plan.capability):
            self.note(place, phase, "unresolved", duration_ms, error.code.name)
            raise unresolved(error, place.route, tuple(self.attempts), self.tally.usage) from cause
        name = error.code.name if error is cause else type(cause).__name__
        self.note(place, phase, "failed", duration_ms, name)
        self.failures.append(Failed(place.route, name, error, cause))
        if fault(error) == "stop":
            raise self._dressed(error) from cause.__cause__
        if phase == "operation":
            self._keep_state(lambda: self.deps.states.failed(place.route, error))

    def aborted(self, place: Place, phase: Phase, duration_ms: int) -> None:
        """Put on record that the caller gave the work up (an interrupt, a time limit): no fault of the route."""
        self._note_repetitions(place)
        self.note(place, phase, "aborted", duration_ms, codes.INVOCATION_ABORTED.name)

    def served(self, place: Place, value: T, duration_ms: int) -> Walked[T]:
        self._note_repetitions(place)
        if self.unasked is not None and self.unasked(value):
            self.note(place, "operation", "cache-hit", duration_ms)
        else:
            self.note(place, "operation", "success", duration_ms)
            self._keep_state(lambda: self.deps.states.succeeded(place.route))
        return Walked(value, place.route, place, tuple(self.attempts), self.tally.usage, self.state_code)

    def failure(self, skipped: list[Place]) -> Exception:
        resting = [place.route for place in self.plan.places] if skipped or self.failures else []
        soonest: float | None = None
        try:
            soonest = self.deps.states.soonest(resting)
        except EyesError as error:
            self.state_code = error.code.name
        return failure(
            self.plan,
            tuple(self.failures),
            attempts=tuple(self.attempts),
            usage=self.tally.usage,
            untried=self.untried,
            resting=len(skipped),
            retry_after_s=soonest,
        )

    def _dressed(self, error: EyesError) -> EyesError:
        error.details.setdefault("attempts", [one.model_dump(mode="json", by_alias=True) for one in self.attempts])
        error.details["usage"] = self.tally.usage.model_dump(mode="json", by_alias=True)
        return error

    def _note_repetitions(self, place: Place) -> None:
        for one in self.tally.taken():
            self.note(place, "transport-retry", "retry", one.duration_ms, one.error_code)

    def _keep_state(self, change: Callable[[], None]) -> None:
        try:
            change()
        except EyesError as error:
            self.state_code = error.code.name
