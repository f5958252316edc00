"""`desktop wait`: until something is so, or time is up."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deepseekeyes.automation.perform import beginning, look, require_newest
from deepseekeyes.automation.surface import Snapshot
from deepseekeyes.contracts.desktop import DesktopObservation
from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.choosing import elements_called, windows_called
from deepseekeyes.desktop.codes import (
    DESKTOP_ARGUMENT_INVALID,
    DESKTOP_TARGET_REQUIRED,
    DESKTOP_WAIT_TIMEOUT,
    DESKTOP_WINDOW_REQUIRED,
)
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import Desk, opened
from deepseekeyes.desktop.looking import Wanted
from deepseekeyes.desktop.replies import observation
from deepseekeyes.desktop.requests import TargetRequest, refused
from deepseekeyes.desktop.rows import window_rows
from deepseekeyes.desktop.scoping import look_at
from deepseekeyes.desktop.surface import CODES

PAUSE_S = 0.15
Until = Literal["time", "window", "no-window", "title", "visible", "hidden", "enabled", "still", "changed"]


class WaitRequest(TargetRequest):
    """What is waited for."""

    until: Until = Field(
        default="time",
        description="time, window and no-window (by app or title), title of the window looked at, visible, hidden or "
        "enabled of an element, pixels that stay still or change.",
    )
    expected: str | None = Field(default=None, max_length=10_000, description="A part of the title.")
    timeout_ms: int = Field(default=0, ge=0, le=120_000, description="Milliseconds; 0 = as configured, 500 for time.")


async def wait(request: WaitRequest, deps: DesktopDeps) -> DesktopObservation:
    """Wait and show the state in which it came true.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_SESSION_CLOSED, DESKTOP_STATE_STALE, DESKTOP_WAIT_TIMEOUT,
            DESKTOP_TARGET_REQUIRED, DESKTOP_WINDOW_REQUIRED.
    """
    _complete(request)
    limit_s = (request.timeout_ms or (500 if request.until == "time" else deps.settings.timeout_ms)) / 1000
    async with opened(request.session, deps, enable=request.enable, starts=True) as desk:
        arguments = {"until": request.until, "timeoutMs": round(limit_s * 1000)}
        async with beginning(desk.run, action="wait", arguments=arguments):
            if request.state is not None:
                require_newest(request.state, desk.run, CODES)
            if request.until not in ("window", "no-window"):
                await look_at(desk, request, active=request.locator is not None)
            await _until(request, desk, limit_s)
            if request.until == "window":
                await look_at(desk, request, strict=True)
            elif request.until == "no-window":
                desk.surface.wanted = Wanted()
        performed = await look(
            desk.surface,
            desk.run,
            action="wait",
            arguments=arguments,
        )
        assert performed.seen is not None
        return observation(performed.seen, desk, action="wait", asked=request.screenshot, delta=performed.delta)


def _complete(request: WaitRequest) -> None:
    named = any((request.app, request.title, request.ref, request.locator, request.expected))
    if request.until == "time" and named:
        raise refused(DESKTOP_ARGUMENT_INVALID, "Say what is waited for: --until window, title, visible, ...")
    if request.until == "title" and not request.expected:
        raise refused(DESKTOP_ARGUMENT_INVALID, "Waiting for a title needs --expected.")
    if request.until in ("window", "no-window") and request.app is None and request.title is None:
        raise refused(DESKTOP_WINDOW_REQUIRED, "No window was named.")
    if request.until in ("visible", "hidden", "enabled") and request.ref is None and request.locator is None:
        raise refused(DESKTOP_TARGET_REQUIRED, "No element was named.")


async def _until(request: WaitRequest, desk: Desk, limit_s: float) -> None:
    import asyncio

    if request.until == "time":
        await desk.surface.pause(limit_s)
        return
    deadline = desk.deps.clock.monotonic() + limit_s
    start: Snapshot | None = None
    while True:
        if request.until in ("window", "no-window"):
            if await asyncio.to_thread(_there, request, desk) == (request.until == "window"):
                return
        else:
            now = await desk.surface.observe(None)
            if _holds(request, start, now):
                return
            start = now if start is None or request.until == "still" else start
        if desk.deps.clock.monotonic() >= deadline:
            raise EyesError(
                DESKTOP_WAIT_TIMEOUT,
                f"{_what(request)} did not come true within {limit_s:g} s.",
                details={"dispatched": "no"},
            )
        await desk.surface.pause(PAUSE_S)


def _there(request: WaitRequest, desk: Desk) -> bool:
    rows, _ = window_rows(desk.backend.windows(), desk.deps.settings)
    return bool(windows_called(rows, request.app, request.title))


def _holds(request: WaitRequest, start: Snapshot | None, now: Snapshot) -> bool:
    if request.until == "title":
        return str(request.expected) in str(now.facts["title"] or "")
    if request.until in ("still", "changed"):
        if start is None or start.shot is None or now.shot is None:
            return False
        return (start.shot.pixel_digest == now.shot.pixel_digest) == (request.until == "still")
    return _element_holds(request, now)


def _element_holds(request: WaitRequest, now: Snapshot) -> bool:
    rows = now.body.elements
    if request.ref is not None:
        found = [row for row in rows if row["ref"] == request.ref]
    else:
        assert request.locator is not None
        found = elements_called(rows, request.locator)
    seen = [row for row in found if row["visible"]]
    if request.until == "hidden":
        return not seen
    if request.until == "enabled":
        return any(row["enabled"] for row in seen)
    return bool(seen)


def _what(request: WaitRequest) -> str:
    if request.until == "title":
        return f"A title with {str(request.expected)[:80]!r}"
    if request.until in ("window", "no-window"):
        return " ".join(filter(None, (request.until, request.app, request.title)))
    if request.until in ("still", "changed"):
        return f"Pixels that are {request.until}"
    return f"{request.until} of {request.ref or request.locator}"
