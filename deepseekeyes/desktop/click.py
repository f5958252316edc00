"""`desktop click`."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.desktop import DesktopAction
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import opened
from deepseekeyes.desktop.ports import Button
from deepseekeyes.desktop.replies import done
from deepseekeyes.desktop.requests import TargetRequest, on_target
from deepseekeyes.desktop.scoping import aim_at


class ClickRequest(TargetRequest):
    """Which element or point, and which button."""

    button: Button = Field(default="left", description="Button of the mouse.")


async def click(request: ClickRequest, deps: DesktopDeps) -> DesktopAction:
    """Click an element or a point, if the click would really reach it.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_SESSION_CLOSED, DESKTOP_TARGET_REQUIRED; refusals are in the document.
    """
    return await clicked("click", request, deps, button=request.button, count=1)


async def clicked(
    action: str, request: TargetRequest, deps: DesktopDeps, *, button: Button, count: int
) -> DesktopAction:
    """A click of any kind."""
    asked = on_target(action, request, arguments={"button": button}, button=button, count=count)
    async with opened(request.session, deps, enable=request.enable, starts=asked.needs == "fresh") as desk:
        await aim_at(desk, request)
        return await done(asked, desk, request)
