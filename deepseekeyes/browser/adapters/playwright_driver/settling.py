"""When an action has had its effect: nothing changes, loads or moves any more, or time is up."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from deepseekeyes.automation.surface import Gesture

if TYPE_CHECKING:
    from deepseekeyes.browser.adapters.playwright_driver.pages import OpenPage
    from deepseekeyes.browser.adapters.playwright_driver.surface import PlaywrightSurface

TICK_S = 0.025
BRIEF_S = 0.05
LOAD_S = 5.0
MOST_S = 1.0
READ_BACK = frozenset({"type", "select", "check", "uncheck", "upload", "hover", "open", "pages", "reload"})
"""Gestures whose effect is there at once; nobody has to wait for it to begin."""


async def begun(surface: PlaywrightSurface) -> None:
    """Remember how things are right before an action."""
    surface.pages.loading_anew()
    surface.findings["pages"] = len(surface.pages.all)
    active = surface.pages.active
    quiet = active is None or active.dialog is not None
    surface.findings["began"] = None if quiet else _changes(await _now(surface, active))  # type: ignore[arg-type]


async def settled(surface: PlaywrightSurface, gesture: Gesture) -> None:
    """Wait: briefly once something happened, as long as configured while nothing has, a second at most.

    Raises:
        DialogOpenedError, EyesError: there is nothing to wait for any more.
    """
    from playwright.async_api import Error

    await surface.pages.settled()
    active = surface.page()
    with suppress(Error):
        loaded = active.page.wait_for_load_state("domcontentloaded", timeout=LOAD_S * 1000)
        await surface.bounded(loaded, timeout_s=LOAD_S)
    longest_s = surface.settings.settle_ms / 1000
    brief_s = min(longest_s, max(BRIEF_S, longest_s / 3))
    at_once = gesture.action in READ_BACK and not gesture.arguments.get("submit")
    loop = asyncio.get_running_loop()
    since = loop.time()
    end = since + max(MOST_S, longest_s * 3)
    last: Any = None
    while (now := loop.time()) < end:
        found = await _now(surface, active)
        if found != last:
            last, since = found, now
        elif now - since >= (brief_s if at_once or _began(surface, found) else longest_s) and not _busy(surface, found):
            return
        await asyncio.sleep(min(TICK_S, brief_s or TICK_S))


async def _now(surface: PlaywrightSurface, active: OpenPage) -> tuple[int, tuple[tuple[str, int, int], ...]]:
    return active.generation, await surface.bounded(surface.registries.busy(active.page))


def _began(surface: PlaywrightSurface, found: Any) -> bool:
    """Whether anything has happened since the action."""
    same_pages = len(surface.pages.all) == surface.findings.get("pages")
    return not same_pages or _changes(found) != surface.findings.get("began")


def _busy(surface: PlaywrightSurface, found: Any) -> bool:
    return surface.pages.loading > 0 or any(moving for _, _, moving in found[1])


def _changes(found: Any) -> Any:
    return found[0], [each[:2] for each in found[1]]
