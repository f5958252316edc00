"""`desktop assert`: a claim about a window or element, tried for a while, recorded."""

from __future__ import annotations

from typing import Final

from pydantic import Field

from deepseekeyes.automation.asserting import assert_that
from deepseekeyes.automation.assertions import Assertion, Subject
from deepseekeyes.automation.perform import beginning
from deepseekeyes.automation.surface import Seen, Snapshot
from deepseekeyes.contracts.automation import AssertionRow, Delta
from deepseekeyes.contracts.desktop import DesktopAssertion
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.desktop.choosing import controls_first, elements_called, windows_called
from deepseekeyes.desktop.codes import DESKTOP_ELEMENT_REF_NOT_FOUND, DESKTOP_WINDOW_REF_NOT_FOUND
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import Desk, opened
from deepseekeyes.desktop.looking import Wanted
from deepseekeyes.desktop.requests import TargetRequest, refused
from deepseekeyes.desktop.scoping import look_at
from deepseekeyes.desktop.targets import Row
from deepseekeyes.desktop.view import View

OF_WINDOWS: Final = frozenset({"window_exists", "window_title_contains"})


class AssertRequest(TargetRequest):
    """What is claimed."""

    assertion: str = Field(min_length=1, max_length=60, description="Kind of claim, such as element_value_equals.")
    expected: str | None = Field(default=None, max_length=100_000, description="What it is compared with.")
    actual: str | None = Field(default=None, max_length=100_000, description="Of a visual claim: what was seen.")
    passed: bool | None = Field(default=None, description="Of a visual claim: whether it holds.")
    retry_ms: int | None = Field(default=None, ge=0, le=120_000, description="Milliseconds to try again.")


async def assert_(request: AssertRequest, deps: DesktopDeps) -> DesktopAssertion:
    """Look afresh and say whether a claim holds.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_SESSION_CLOSED, DESKTOP_ELEMENT_REF_NOT_FOUND, ASSERTION_UNSUPPORTED,
            ASSERTION_TARGET_MISSING, ASSERTION_EXPECTED_MISSING.
    """
    kind = request.assertion.strip().lower().replace("-", "_")
    async with opened(request.session, deps, enable=request.enable, starts=True) as desk:
        async with beginning(desk.run, action="assert", arguments={"assertion": kind}):
            _known(request, desk)
        before = desk.run.newest
        if kind == "window_exists":
            desk.surface.wanted = Wanted()
        else:
            await look_at(desk, request, active=request.locator is not None)
        target = _target(request, kind)
        retry_ms = deps.automation.assert_retry_ms if request.retry_ms is None else request.retry_ms

        async def look(snapshot: Snapshot, delta: Delta) -> Subject:
            return subject(request, kind, snapshot, delta, before)

        made = await assert_that(
            Assertion(
                kind,
                target=target,
                expected=request.expected,
                declared_actual=request.actual,
                declared_passed=request.passed,
            ),
            desk.surface,
            desk.run,
            look,
            state_id=request.state,
            retry_s=retry_ms / 1000,
            interval_s=deps.automation.assert_interval_ms / 1000,
            arguments={"assertion": kind, "target": target},
        )
        row = made.row or AssertionRow(assertion=kind, target=target, passed=False, at=rfc3339(deps.clock.now()))
        return DesktopAssertion(
            session=desk.name,
            run_id=desk.run.id,
            passed=row.passed,
            assertion=row,
            state_id=made.seen.state_id if made.seen is not None else None,
            error=made.error,
        )


def _known(request: AssertRequest, desk: Desk) -> None:
    """A ref has to be of the newest state; one that vanishes from here on makes the claim false."""
    view = desk.view
    if request.ref is not None and (view is None or view.element(request.ref) is None):
        raise refused(DESKTOP_ELEMENT_REF_NOT_FOUND, f"The newest state has no element {request.ref[:40]!r}.")
    if request.window is not None and (view is None or view.window(request.window) is None):
        raise refused(DESKTOP_WINDOW_REF_NOT_FOUND, f"The newest state has no window {request.window[:40]!r}.")


def subject(request: AssertRequest, kind: str, snapshot: Snapshot, delta: Delta, before: Seen | None) -> Subject:
    """What an observation says about the target of a claim.

    Args:
        before: the newest state before the assertion, for visual claims: its pixels have to be these, and to have been
            shown.
    """
    view: View = snapshot.body
    same = delta.screenshot_changed is False and before is not None
    delivered = same and before is not None and before.snapshot.body.delivered
    if kind in OF_WINDOWS:
        found = _windows(request, view)
        first = found[0] if found else None
        return Subject(
            count=len(found),
            title=first["title"] if first is not None else None,
            screenshot_changed=delta.screenshot_changed,
            delivered=delivered,
        )
    rows = _elements(request, view)
    first = rows[0] if rows else None
    if first is None:
        return Subject(count=0, screenshot_changed=delta.screenshot_changed, delivered=delivered)
    value = first["value"]
    return Subject(
        count=len(rows),
        visible=first["visible"],
        enabled=first["enabled"],
        checked=first["checked"],
        focused=first["focused"],
        text=value if value is not None else first["name"],
        value=value,
        name=first["name"],
        protected=first["protected"],
        screenshot_changed=delta.screenshot_changed,
        delivered=delivered,
    )


def _windows(request: AssertRequest, view: View) -> list[Row]:
    if request.window is not None:
        return [row for row in view.windows if row["ref"] == request.window]
    if request.app is None and request.title is None:
        return [row for row in view.windows if row["ref"] == view.captured]
    return windows_called(view.windows, request.app, request.title)


def _elements(request: AssertRequest, view: View) -> list[Row]:
    if request.ref is not None:
        return [row for row in view.elements if row["ref"] == request.ref]
    locator = request.locator
    if locator is None:
        return []
    found = controls_first(elements_called(view.elements, locator))
    return found if locator.nth is None else found[locator.nth - 1 : locator.nth]


def _target(request: AssertRequest, kind: str) -> str | None:
    if kind in OF_WINDOWS:
        named = request.window or " ".join(part for part in (request.app, request.title) if part)
        return named or ("captured window" if kind == "window_title_contains" else None)
    if request.ref is not None:
        return request.ref
    return None if request.locator is None else str(request.locator)
