"""`desktop double-click`."""

from __future__ import annotations

from deepseekeyes.contracts.desktop import DesktopAction
from deepseekeyes.desktop.click import clicked
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.requests import TargetRequest


class DoubleClickRequest(TargetRequest):
    """Which element or point."""


async def double_click(request: DoubleClickRequest, deps: DesktopDeps) -> DesktopAction:
    """Click an element or a point twice, if the click would really reach it.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_SESSION_CLOSED, DESKTOP_TARGET_REQUIRED; refusals are in the document.
    """
    return await clicked("double_click", request, deps, button="left", count=2)
