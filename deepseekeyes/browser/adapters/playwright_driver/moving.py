"""Gestures on the browser itself: addresses, history, pages and dialogs."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from deepseekeyes.automation.surface import Target
from deepseekeyes.browser import codes
from deepseekeyes.browser.ports import Doing
from deepseekeyes.core.errors import EyesError

if TYPE_CHECKING:
    from playwright.async_api import Response

    from deepseekeyes.browser.adapters.playwright_driver.surface import PlaywrightSurface

Facts = Mapping[str, Any]
FAILED = 400
STOP_S = 1.0
INTERRUPTIONS = 4
"""So often may a page that goes elsewhere by itself cut off the way to an address."""


async def open_(surface: PlaywrightSurface, doing: Doing, target: Target) -> Facts:
    """Go to an address.

    Raises:
        EyesError: BROWSER_URL_DENIED before anything is sent, BROWSER_NAVIGATION_FAILED.
    """
    del target
    surface.policy.check(doing.value)
    for _ in range(INTERRUPTIONS):
        try:
            return await _gone(surface, _to(surface, doing.value))
        except EyesError as failed:
            if "interrupted by another navigation" not in failed.message:
                raise
    return await _gone(surface, _to(surface, doing.value))


async def back(surface: PlaywrightSurface, doing: Doing, target: Target) -> Facts:
    """One entry of the history back."""
    del doing, target
    return await _gone(surface, surface.page().page.go_back(wait_until="domcontentloaded"))


async def forward(surface: PlaywrightSurface, doing: Doing, target: Target) -> Facts:
    """One entry of the history forward."""
    del doing, target
    return await _gone(surface, surface.page().page.go_forward(wait_until="domcontentloaded"))


async def reload(surface: PlaywrightSurface, doing: Doing, target: Target) -> Facts:
    """Load the page anew."""
    del doing, target
    return await _gone(surface, surface.page().page.reload(wait_until="domcontentloaded"))


async def pages(surface: PlaywrightSurface, doing: Doing, target: Target) -> Facts:
    """Make another page the active one, or close one."""
    del target
    found = surface.pages.find(doing.value)
    if found is None:
        ids = ", ".join(one.id for one in surface.pages.all)
        raise EyesError(
            codes.BROWSER_PAGE_UNKNOWN,
            f"There is no page {doing.value[:20]!r}; there are {ids}.",
            details={"dispatched": "no"},
        )
    if doing.more.get("close"):
        if len(surface.pages.all) == 1:
            raise EyesError(
                codes.BROWSER_LAST_PAGE, f"{found.id} is the only page of this session.", details={"dispatched": "no"}
            )
        await surface.bounded(found.page.close(run_before_unload=False))
        return {"closed": doing.value}
    surface.pages.active_id = found.id
    if found.dialog is None:
        await surface.bounded(found.page.bring_to_front())
    return {"switchedTo": found.id}


async def dialog(surface: PlaywrightSurface, doing: Doing, target: Target) -> Facts:
    """Answer the dialog that is open on the active page."""
    del target
    active = surface.page()
    waiting = active.dialog
    if waiting is None:
        raise EyesError(codes.BROWSER_NO_DIALOG, "No dialog is open.", details={"dispatched": "no"})
    accept = bool(doing.more["accept"])
    surface.findings["dialog"] = waiting.type
    surface.pages.answered(active)
    if accept and waiting.type == "prompt":
        await surface.bounded(waiting.accept(doing.value))
    elif accept:
        await surface.bounded(waiting.accept())
    else:
        await surface.bounded(waiting.dismiss())
    return {"type": waiting.type, "accepted": accept}


async def _stopped(surface: PlaywrightSurface) -> None:
    """Give up a navigation that takes too long; until then the page that is still there does not answer."""
    from playwright.async_api import Error

    session = surface.page().session
    with suppress(Error, TimeoutError):
        if session is not None:
            await asyncio.wait_for(session.send("Page.stopLoading"), STOP_S)


def _to(surface: PlaywrightSurface, url: str) -> Coroutine[Any, Any, Response | None]:
    return surface.page().page.goto(url, wait_until="domcontentloaded")


async def _gone(surface: PlaywrightSurface, work: Any) -> Facts:
    """Wait for a navigation and tell how it ended; a download instead of a page is no failure."""
    refused = surface.navigation.count
    downloads = len(surface.pages.downloads)
    try:
        answer = await surface.bounded(work)
    except EyesError as failed:
        if surface.navigation.count > refused:
            reason, fix = surface.navigation.last
            raise EyesError(codes.BROWSER_URL_DENIED, reason, details={"dispatched": "yes"}, fix=fix) from None
        if "Download is starting" in failed.message:
            await surface.pages.downloading(downloads)
        await surface.pages.settled()
        if len(surface.pages.downloads) > downloads or "ERR_ABORTED" in failed.message:
            surface.findings["stayed"] = True
            return {"status": None, "download": len(surface.pages.downloads) > downloads}
        if failed.code is codes.BROWSER_FAILED:
            raise EyesError(codes.BROWSER_NAVIGATION_FAILED, failed.message) from None
        await _stopped(surface)
        raise
    status = answer.status if answer is not None else None
    if status is not None and status >= FAILED:
        surface.pages.notices.append(f"The server answered {status}.")
    return {"status": status}
