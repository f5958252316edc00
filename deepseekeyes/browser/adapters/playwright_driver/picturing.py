"""Pixels of a page: the viewport, and the part of it around a control."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from deepseekeyes.automation import pixels
from deepseekeyes.automation.surface import Grid, Shot

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

    from deepseekeyes.browser.adapters.playwright_driver.pages import OpenPage
    from deepseekeyes.browser.adapters.playwright_driver.surface import PlaywrightSurface

QUICK = {"format": "png", "optimizeForSpeed": True}


async def whole(surface: PlaywrightSurface, active: OpenPage) -> bytes:
    """A PNG of the viewport."""
    if active.session is None:
        return await active.page.screenshot(type="png", timeout=surface.settings.timeout_ms)
    return await _taken(active.session, QUICK)


async def around(surface: PlaywrightSurface) -> Grid | None:
    """The newest screenshot's tiles with those around the target as they are now; None when nobody can tell."""
    shot = surface.run.newest.snapshot.shot if surface.run.newest is not None else None
    box, active = surface.findings.get("box"), surface.page()
    if shot is None or shot.grid is None or box is None or active.session is None:
        return None
    tiles = pixels.tiles_around(shot.grid, box)
    if tiles is None:
        return None
    data = await surface.bounded(_part(active.session, tiles, shot))
    return pixels.patch(data, surface.run.keys, shot.grid, tiles[:2])


async def _part(session: CDPSession, tiles: tuple[int, int, int, int], shot: Shot) -> bytes:
    left, top = tiles[0] * pixels.TILE, tiles[1] * pixels.TILE
    at = (await session.send("Page.getLayoutMetrics"))["cssVisualViewport"]
    clip = {
        "x": at["pageX"] + left,
        "y": at["pageY"] + top,
        "width": min(tiles[2] * pixels.TILE, shot.width - left),
        "height": min(tiles[3] * pixels.TILE, shot.height - top),
        "scale": 1,
    }
    return await _taken(session, {**QUICK, "captureBeyondViewport": False, "clip": clip})


async def _taken(session: CDPSession, given: dict[str, Any]) -> bytes:
    return base64.b64decode((await session.send("Page.captureScreenshot", given))["data"])
