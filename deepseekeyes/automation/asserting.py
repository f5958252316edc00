"""Make an assertion on a live surface: observe, evaluate, try again for a while, append the step."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from deepseekeyes.automation.assertions import Assertion, Finding, Subject, check, evaluate
from deepseekeyes.automation.delta import delta as difference
from deepseekeyes.automation.perform import require_newest
from deepseekeyes.automation.rows import json_value, shot_row
from deepseekeyes.automation.run import Run
from deepseekeyes.automation.surface import Seen, Snapshot, StateCodes
from deepseekeyes.contracts.automation import AssertionRow, Delta, Step, SurfaceKind
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.redact import clip

SHOWN_CHARS = 2_000


class Watched(Protocol):
    """The part of a surface that an assertion needs."""

    @property
    def kind(self) -> SurfaceKind: ...

    @property
    def codes(self) -> StateCodes: ...

    async def observe(self, gesture: None) -> Snapshot: ...

    async def pause(self, seconds: float) -> None: ...


Look = Callable[[Snapshot, Delta], Awaitable[Subject]]
"""Finds the target in a fresh observation and says what it is like."""


@dataclass(frozen=True, slots=True)
class Asserted:
    """What came of an assertion; `error` is set when it could not be made."""

    row: AssertionRow | None
    seen: Seen | None
    delta: Delta | None
    error: ErrorBody | None
    step: Step


async def assert_that(
    assertion: Assertion,
    surface: Watched,
    run: Run,
    look: Look,
    *,
    state_id: str | None = None,
    retry_s: float = 0.0,
    interval_s: float = 0.1,
    arguments: Mapping[str, Any] | None = None,
) -> Asserted:
    """Observe and evaluate until it holds or time is up; the last observation is the newest state.

    Args:
        state_id: refuse unless this is the newest state.
        retry_s: how long a claim that does not hold is tried again.
        interval_s: the longest pause between two tries.
        arguments: what the log keeps of the request.

    Raises:
        EyesError: a claim that makes no sense (nothing is recorded), or the step could not be written.
    """
    check(assertion, surface.kind)
    async with run.turn:
        at, started, before = rfc3339(run.clock.now()), run.clock.monotonic(), run.newest
        seen: Seen | None = None
        delta: Delta | None = None
        row: AssertionRow | None = None
        error: ErrorBody | None = None
        try:
            if state_id is not None:
                require_newest(state_id, run, surface.codes)
            snapshot, delta, finding, tries = await _tried(assertion, surface, run, look, retry_s, interval_s)
            seen = run.admit(snapshot)
            row = _row(assertion, finding, seen, tries, rfc3339(run.clock.now()))
        except EyesError as failed:
            failed.details["dispatched"] = "no"
            error = ErrorBody.of(failed)
            seen = seen or await _fresh(surface, run, failed)
        step = run.record(
            {
                "at": at,
                "action": "assert",
                "arguments": json_value(arguments or {}),
                "target": None,
                "stateBefore": before.state_id if before is not None else None,
                "stateId": seen.state_id if seen is not None else None,
                "verdict": None,
                "compared": [],
                "delta": json_value(delta),
                "dispatched": "no",
                "marker": None,
                "shotBefore": json_value(shot_row(before)),
                "shot": json_value(shot_row(seen)),
                "facts": json_value(seen.snapshot.facts if seen is not None else {}),
                "assertion": json_value(row),
                "error": json_value(error),
                "durationMs": run.clock.milliseconds_since(started),
            }
        )
        return Asserted(row, seen, delta, error, Step.model_validate(step))


async def _tried(
    assertion: Assertion, surface: Watched, run: Run, look: Look, retry_s: float, interval_s: float
) -> tuple[Snapshot, Delta, Finding, int]:
    deadline = run.clock.monotonic() + retry_s
    tries = 0
    while True:
        tries += 1
        snapshot = await surface.observe(None)
        delta = difference(run.newest, snapshot)
        finding = evaluate(assertion, await look(snapshot, delta), run.keys)
        left = deadline - run.clock.monotonic()
        if finding.passed or left <= 0:
            return snapshot, delta, finding, tries
        await surface.pause(min(interval_s, left))


async def _fresh(surface: Watched, run: Run, failed: EyesError) -> Seen | None:
    """A new state beside a refusal, where one can be had."""
    if failed.kind != "refused-stale":
        return None
    try:
        return run.admit(await surface.observe(None))
    except EyesError:
        return None


def _row(assertion: Assertion, finding: Finding, seen: Seen, tries: int, at: str) -> AssertionRow:
    shot = seen.snapshot.shot
    return AssertionRow(
        assertion=assertion.kind,
        target=assertion.target,
        expected=_shown(finding.expected),
        actual=_shown(finding.actual),
        passed=finding.passed,
        verified_by=finding.verified_by,
        attempts=tries,
        state_id=seen.state_id,
        screenshot_sha256=shot.sha256 if shot is not None else None,
        at=at,
    )


def _shown(value: Any) -> Any:
    return clip(value, SHOWN_CHARS) if isinstance(value, str) else value
