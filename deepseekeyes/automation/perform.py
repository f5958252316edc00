"""The one order in which every gesture is carried out.

newest state -> the very node that was seen -> role, name and document still the same -> budget -> hit test -> act ->
settle -> observe -> delta -> verdict -> append the step -> reply. Whatever stops it before `act` is a refusal: nothing
was dispatched, and a fresh state comes with it. Whatever goes wrong after `act` leaves no state that may be acted on,
unless a fresh one was seen.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from deepseekeyes.automation.codes import ACTION_UNRESOLVED
from deepseekeyes.automation.delta import delta as difference
from deepseekeyes.automation.rows import json_value, marker_in, shot_row, target_row
from deepseekeyes.automation.run import Run
from deepseekeyes.automation.surface import Check, Gesture, Remembering, Seen, StateCodes, Surface, Target
from deepseekeyes.automation.verdict import verdict as judged
from deepseekeyes.contracts.automation import Compared, Delta, Marker, Step, TargetRow, Verdict
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.core.errors import Dispatched, EyesError


@dataclass(frozen=True, slots=True)
class Performed:
    """What came of a gesture; operations make their public document of it.

    Attributes:
        verdict: None only for gestures that do not mutate.
        before: the state it started from.
        seen: the newest state afterwards; None when the surface could not be observed.
        error: of a refused action, or of one that failed after it was dispatched.
        step: as it was stored.
    """

    action: str
    verdict: Verdict | None
    compared: tuple[Compared, ...]
    before: Seen | None
    seen: Seen | None
    delta: Delta | None
    target: TargetRow | None
    marker: Marker | None
    facts: Mapping[str, Any]
    error: ErrorBody | None
    step: Step


@dataclass(slots=True)
class _Course:
    """How far a gesture has come."""

    gesture: Gesture
    at: str
    started: float
    before: Seen | None = None
    target: Target = field(default_factory=Target)
    marker: Marker | None = None
    seen: Seen | None = None
    delta: Delta | None = None
    checks: tuple[Check, ...] = ()
    dispatched: Dispatched = "no"
    facts: dict[str, Any] = field(default_factory=dict)
    error: EyesError | None = None


async def perform(gesture: Gesture, surface: Surface, run: Run) -> Performed:
    """Carry out one gesture.

    Returns:
        What came of it; expected failures are in `error`, never raised once the log is written.

    Raises:
        EyesError: the step could not be written (DISK_FULL, WRITE_FAILED); its details say whether it was dispatched.
    """
    async with run.turn:
        course = _Course(gesture, rfc3339(run.clock.now()), run.clock.monotonic())
        try:
            await _prepare(course, surface, run)
        except EyesError as refusal:
            course.error = refusal
            await _look_again(course, surface, run)
            return _finished(course, run)
        await _carry_out(course, surface, run)
        return _finished(course, run)


async def look(
    surface: Surface, run: Run, *, action: str = "observe", arguments: Mapping[str, Any] | None = None
) -> Performed:
    """Observe on purpose and append the step.

    Raises:
        EyesError: what the surface raises; the failed look is a step too.
    """
    async with run.turn:
        gesture = Gesture(action, needs="nothing", mutates=False, arguments=arguments or {})
        course = _Course(gesture, rfc3339(run.clock.now()), run.clock.monotonic(), before=run.newest)
        try:
            _observed(course, await surface.observe(None), run)
        except EyesError as failed:
            course.error = failed
            _finished(course, run)
            raise
        return _finished(course, run)


@asynccontextmanager
async def beginning(run: Run, *, action: str, arguments: Mapping[str, Any] | None = None) -> AsyncIterator[None]:
    """What has to be found before anything is looked at; that it was not found is a step too."""
    try:
        yield
    except EyesError as failed:
        async with run.turn:
            gesture = Gesture(action, needs="nothing", mutates=False, arguments=arguments or {})
            course = _Course(gesture, rfc3339(run.clock.now()), run.clock.monotonic(), before=run.newest)
            course.error = failed
            _finished(course, run)
        raise


async def _prepare(course: _Course, surface: Surface, run: Run) -> None:
    """Everything that may refuse; raises with nothing dispatched."""
    gesture = course.gesture
    if gesture.needs == "state" or gesture.state_id is not None:
        require_newest(gesture.state_id, run, surface.codes)
    reused = gesture.needs == "fresh" and gesture.state_id is None and await _unchanged(surface, run)
    if gesture.needs == "fresh" and gesture.state_id is None and not reused:
        run.admit(await surface.observe(None))
    course.before = run.newest
    course.target = await _resolved(course, surface, run, again=reused)
    await _still_the_same(course.target, surface)
    if gesture.mutates:
        run.budget.check(run.age_s)
    if gesture.pointer:
        course.marker = await surface.reach(gesture, course.target)


async def _unchanged(surface: Surface, run: Run) -> bool:
    """Whether the newest observation may stand for a fresh one."""
    if run.newest is None or run.state_id is None or not isinstance(surface, Remembering):
        return False
    return await surface.unchanged(run.newest)


async def _resolved(course: _Course, surface: Surface, run: Run, *, again: bool) -> Target:
    """The gesture's target; where an observation was reused and does not hold it, a fresh one is taken first."""
    try:
        return await surface.resolve(course.gesture, run.newest)
    except EyesError:
        if not again:
            raise
    course.before = run.admit(await surface.observe(None))
    return await surface.resolve(course.gesture, course.before)


def require_newest(given: str | None, run: Run, codes: StateCodes) -> None:
    """Refuse a state that is missing or not the newest one.

    Raises:
        EyesError: the surface's own `missing` or `stale` code.
    """
    if given is None or run.newest is None:
        sentence = "No state was named." if run.newest is not None else "Nothing was observed yet."
        raise EyesError(codes.missing, sentence, details={"dispatched": "no"})
    if given != run.state_id:
        raise EyesError(codes.stale, "The state is not the newest one any more.", details={"dispatched": "no"})


async def _still_the_same(target: Target, surface: Surface) -> None:
    control = target.control
    if control is None:
        return
    now = await surface.identity(target)
    if now is None:
        raise EyesError(
            surface.codes.changed, f"The {_called(control.role, control.name)} is gone.", details={"dispatched": "no"}
        )
    was = (control.role, control.name, control.document)
    if (now.role, now.name, now.document) != was:
        reason = f"is now the {_called(now.role, now.name)}"
        if (now.role, now.name) == was[:2]:
            reason = "belongs to another document now"
        raise EyesError(
            surface.codes.changed,
            f"The {_called(control.role, control.name)} {reason}.",
            details={"dispatched": "no"},
        )


def _called(role: str, name: str) -> str:
    return f'{role or "control"} "{name[:80]}"' if name else role or "control"


async def _carry_out(course: _Course, surface: Surface, run: Run) -> None:
    """Act, settle, look, compare. Anything unexpected leaves the state untrusted."""
    gesture = course.gesture
    try:
        run.log.begin(gesture.action, course.at)
        run.invalidate()
        if gesture.mutates:
            run.budget.spend()
        course.dispatched = "unknown"
        course.facts.update(await surface.act(gesture, course.target))
        course.dispatched = "yes" if gesture.mutates else "no"
        await surface.settle(gesture)
        _observed(course, await surface.observe(gesture), run)
        await _compare(course, surface)
    except EyesError as failed:
        course.error = failed
        course.dispatched = _dispatched(course, failed)
        await _look_again(course, surface, run)
        if course.dispatched == "unknown" and course.seen is None:
            course.error = _unresolved(failed)
    except BaseException:
        _recorded(course, run)
        raise


async def _compare(course: _Course, surface: Surface) -> None:
    assert course.seen is not None
    assert course.delta is not None
    found: Sequence[Check] = await surface.checks(
        course.gesture, course.target, course.before, course.seen, course.delta
    )
    course.checks = tuple(found)


def _dispatched(course: _Course, failed: EyesError) -> Dispatched:
    """What the failure says about itself; what it does not say is taken from how far the gesture came."""
    if not course.gesture.mutates:
        return "no"
    if course.dispatched != "unknown":
        return course.dispatched
    return failed.details.get("dispatched", "unknown")


def _unresolved(failed: EyesError) -> EyesError:
    """Something was sent, and neither its answer nor the surface tells what came of it."""
    message = f"{failed.message.rstrip('.')} ({failed.code.name}); it may or may not have taken effect."
    return EyesError(ACTION_UNRESOLVED, message, details=failed.details)


async def _look_again(course: _Course, surface: Surface, run: Run) -> None:
    """A fresh state beside a refusal or a failure, where the surface still can be observed."""
    if course.seen is not None:
        return
    stale = course.error is not None and course.error.kind in {"refused-stale", "policy"}
    if not stale and course.dispatched == "no":
        return
    try:
        _observed(course, await surface.observe(course.gesture if course.dispatched != "no" else None), run)
    except EyesError:
        if course.dispatched != "no":
            run.invalidate()


def _observed(course: _Course, snapshot: Any, run: Run) -> None:
    course.before = course.before or run.newest
    course.delta = difference(course.before, snapshot)
    course.seen = run.admit(snapshot)


def _finished(course: _Course, run: Run) -> Performed:
    step = _recorded(course, run)
    return Performed(
        action=course.gesture.action,
        verdict=step.verdict,
        compared=tuple(check.compared for check in course.checks),
        before=course.before,
        seen=course.seen,
        delta=course.delta,
        target=target_row(course.target),
        marker=course.marker,
        facts=course.facts,
        error=step.error,
        step=step,
    )


def _verdict(course: _Course) -> Verdict | None:
    if course.error is not None and course.dispatched == "no":
        return "refused" if course.gesture.mutates else None
    if not course.gesture.mutates:
        return None
    return "unverified" if course.error is not None else judged(course.checks)


def _recorded(course: _Course, run: Run) -> Step:
    gesture, before, seen = course.gesture, course.before, course.seen
    if course.error is not None:
        course.error.details["dispatched"] = course.dispatched
    content = {
        "at": course.at,
        "action": gesture.action,
        "arguments": json_value(gesture.arguments),
        "target": json_value(target_row(course.target)),
        "stateBefore": before.state_id if before is not None else None,
        "stateId": seen.state_id if seen is not None else None,
        "verdict": _verdict(course),
        "compared": json_value([check.compared for check in course.checks]),
        "delta": json_value(course.delta),
        "dispatched": course.dispatched,
        "marker": json_value(marker_in(course.marker, before)),
        "shotBefore": json_value(shot_row(before)),
        "shot": json_value(shot_row(seen)),
        "facts": json_value({**(seen.snapshot.facts if seen is not None else {}), **course.facts}),
        "assertion": None,
        "error": None if course.error is None else json_value(ErrorBody.of(course.error)),
        "durationMs": run.clock.milliseconds_since(course.started),
    }
    try:
        row = run.record(content)
    except EyesError as lost:
        lost.details["dispatched"] = course.dispatched
        raise
    return Step.model_validate(row)
