"""`desktop right-click`."""

from __future__ import annotations

from deepseekeyes.contracts.desktop import DesktopAction
from deepseekeyes.desktop.click import clicked
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.requests import TargetRequest


class RightClickRequest(TargetRequest):
    """Which element or point."""


async def right_click(request: RightClickRequest, deps: DesktopDeps) -> DesktopAction:
    """Click an element or a point with the right button, if the click would really reach it.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_SESSION_CLOSED, DESKTOP_TARGET_REQUIRED; refusals are in the document.
    """
    return await clicked("right_click", request, deps, button="right", count=1)
