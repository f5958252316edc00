"""`browser wait`: until something is so, or time is up."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deepseekeyes.automation.perform import beginning, look
from deepseekeyes.automation.surface import Snapshot
from deepseekeyes.browser.codes import BROWSER_EXPECTED_MISSING, BROWSER_TARGET_REQUIRED, BROWSER_WAIT_TIMEOUT
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.locate import matches
from deepseekeyes.browser.replies import observation
from deepseekeyes.browser.requests import TargetRequest
from deepseekeyes.contracts.browser import BrowserObservation
from deepseekeyes.core.errors import EyesError

PAUSE_S = 0.1


class WaitRequest(TargetRequest):
    """What is waited for."""

    until: Literal["time", "text", "url", "visible", "hidden", "enabled", "dialog", "download", "page"] = Field(
        default="time", description="What is waited for."
    )
    expected: str | None = Field(default=None, max_length=10_000, description="Text, or a part of the address.")
    timeout_ms: int = Field(default=0, ge=0, le=120_000, description="Milliseconds; 0 = as configured, 1000 for time.")


async def wait(request: WaitRequest, deps: BrowserDeps) -> BrowserObservation:
    """Wait and show the state in which it came true.

    Raises:
        EyesError: BROWSER_NOT_OPEN, BROWSER_WAIT_TIMEOUT, BROWSER_TARGET_REQUIRED, BROWSER_EXPECTED_MISSING.
    """
    session = deps.desk.get(request.session)
    _complete(request)
    limit_s = (request.timeout_ms or (1_000 if request.until == "time" else deps.settings.timeout_ms)) / 1000
    deadline = deps.clock.monotonic() + limit_s
    arguments = {"until": request.until, "timeoutMs": round(limit_s * 1000)}
    async with beginning(session.run, action="wait", arguments=arguments):
        start = await session.live.glance()
        if request.until == "time":
            await session.live.pause(limit_s)
        else:
            now = start
            while not _holds(request, start, now):
                if deps.clock.monotonic() >= deadline:
                    raise EyesError(
                        BROWSER_WAIT_TIMEOUT,
                        f"{_what(request)} did not come true within {limit_s:g} s.",
                        details={"dispatched": "no"},
                    )
                await session.live.pause(PAUSE_S)
                now = await session.live.glance()
    performed = await look(session.live, session.run, action="wait", arguments=arguments)
    assert performed.seen is not None
    return observation(performed.seen, session, deps)


def _complete(request: WaitRequest) -> None:
    if request.until in ("text", "url") and not request.expected:
        raise EyesError(BROWSER_EXPECTED_MISSING, f"Waiting for {request.until} needs --expected.")
    if request.until in ("visible", "hidden", "enabled") and request.ref is None and request.locator is None:
        raise EyesError(BROWSER_TARGET_REQUIRED, "No control was named.")


def _holds(request: WaitRequest, start: Snapshot, now: Snapshot) -> bool:
    facts, until = now.facts, request.until
    if until == "text":
        return str(request.expected) in now.text
    if until == "url":
        return str(request.expected) in str(facts["url"])
    if until == "dialog":
        return facts["dialog"] is not None
    if until == "download":
        rows = now.body.downloads
        return bool(rows) and rows[-1]["state"] != "started"
    if until == "page":
        return len(facts["pages"]) > len(start.facts["pages"])
    return _control_holds(request, now)


def _control_holds(request: WaitRequest, now: Snapshot) -> bool:
    if request.ref is not None:
        found = tuple(one for one in now.elements if one.ref == request.ref)
    else:
        assert request.locator is not None
        found = matches(now.elements, request.locator)
    if request.until == "hidden":
        return not found
    if request.until == "enabled":
        return any(one.fields.get("enabled", True) for one in found)
    return bool(found)


def _what(request: WaitRequest) -> str:
    if request.until in ("text", "url"):
        return f"{request.until} {str(request.expected)[:80]!r}"
    return f"{request.until} of {request.ref or request.locator or 'the session'}"
