"""`browser assert`: a claim about the page, tried for a while, recorded."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.automation.asserting import assert_that
from deepseekeyes.automation.assertions import Assertion, Subject
from deepseekeyes.automation.surface import Control, Snapshot
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.locate import matches
from deepseekeyes.browser.requests import TargetRequest
from deepseekeyes.contracts.automation import AssertionRow, Delta
from deepseekeyes.contracts.browser import BrowserAssertion
from deepseekeyes.core.clock import rfc3339

WHOLE = frozenset({"text_contains", "text_equals"})


class AssertRequest(TargetRequest):
    """What is claimed."""

    assertion: str = Field(min_length=1, max_length=60, description="Kind of claim, such as text_contains.")
    expected: str | None = Field(default=None, max_length=100_000, description="What it is compared with.")
    retry_ms: int | None = Field(default=None, ge=0, le=120_000, description="Milliseconds to try again.")


async def assert_(request: AssertRequest, deps: BrowserDeps) -> BrowserAssertion:
    """Look afresh and say whether a claim holds.

    Raises:
        EyesError: BROWSER_NOT_OPEN, ASSERTION_UNSUPPORTED, ASSERTION_TARGET_MISSING, ASSERTION_EXPECTED_MISSING.
    """
    session = deps.desk.get(request.session)
    target = _target(request)
    retry_ms = deps.automation.assert_retry_ms if request.retry_ms is None else request.retry_ms

    async def look(snapshot: Snapshot, delta: Delta) -> Subject:
        return subject(request, snapshot, delta)

    made = await assert_that(
        Assertion(request.assertion, target=target, expected=request.expected),
        session.live,
        session.run,
        look,
        state_id=request.state,
        retry_s=retry_ms / 1000,
        interval_s=deps.automation.assert_interval_ms / 1000,
        arguments={"assertion": request.assertion, "target": target},
    )
    row = made.row or AssertionRow(
        assertion=request.assertion, target=target, passed=False, at=rfc3339(deps.clock.now())
    )
    return BrowserAssertion(
        session=session.name,
        run_id=session.run.id,
        passed=row.passed,
        assertion=row,
        state_id=made.seen.state_id if made.seen is not None else None,
        error=made.error,
    )


def subject(request: AssertRequest, snapshot: Snapshot, delta: Delta) -> Subject:
    """What an observation says about the target of a claim."""
    url, title = str(snapshot.facts["url"]), str(snapshot.facts["title"])
    found = _found(request, snapshot)
    if found is None:
        return Subject(count=1, text=snapshot.text, url=url, title=title, screenshot_changed=delta.screenshot_changed)
    if not found and request.with_text is not None and request.role is None and request.name is None:
        lines = [line for line in snapshot.text.splitlines() if request.with_text.casefold() in line.casefold()]
        return Subject(
            count=len(lines),
            visible=bool(lines),
            text=lines[0] if lines else None,
            url=url,
            title=title,
            screenshot_changed=delta.screenshot_changed,
        )
    first = found[0] if found else None
    fields = first.fields if first is not None else {}
    value = fields.get("value")
    return Subject(
        count=len(found),
        visible=bool(found),
        enabled=fields.get("enabled") if first is not None else None,
        checked=fields.get("checked"),
        focused=bool(fields.get("focused")),
        text=None if first is None else str(value) if fields.get("editable") is not None and value else first.name,
        value=None if value is None else str(value),
        name=first.name if first is not None else None,
        url=url,
        title=title,
        protected=first.protected if first is not None else False,
        screenshot_changed=delta.screenshot_changed,
    )


def _found(request: AssertRequest, snapshot: Snapshot) -> tuple[Control, ...] | None:
    """Controls of the target; None when the whole page is meant."""
    if request.ref is not None:
        return tuple(one for one in snapshot.elements if one.ref == request.ref)
    locator = request.locator
    if locator is None:
        return None
    found = matches(snapshot.elements, locator)
    return found if locator.nth is None else found[locator.nth - 1 : locator.nth]


def _target(request: AssertRequest) -> str | None:
    if request.ref is not None:
        return request.ref
    if request.locator is not None:
        return str(request.locator)
    return "page" if request.assertion in WHOLE else None
