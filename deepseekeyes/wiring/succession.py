"""What one app leaves to the next when a running door takes over a changed configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deepseekeyes.wiring.app import App


async def hand_over(old: App, new: App) -> None:
    """Move what lives (connections to servers, browsers) from one app to the next, revoking before anything else.

    Afterwards the old app owns nothing that has to be ended.
    """
    import sys

    if "deepseekeyes.wiring.mcp" in sys.modules:
        from deepseekeyes.wiring import mcp

        if mcp.in_use(old):
            await mcp.carry_over(old, new)
    if "deepseekeyes.wiring.browser" in sys.modules:
        from deepseekeyes.wiring import browser

        await browser.carry_over(old, new)
    if "deepseekeyes.wiring.desktop" in sys.modules:
        from deepseekeyes.wiring import desktop

        await desktop.end_displays(old)
    old.endings.clear()
