"""`desktop perform`: an action that an element offers, by name."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.desktop import DesktopAction
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import opened
from deepseekeyes.desktop.replies import done
from deepseekeyes.desktop.requests import Short, TargetRequest, on_target
from deepseekeyes.desktop.scoping import aim_at


class PerformRequest(TargetRequest):
    """Which element, and which of its actions."""

    action_name: Short = Field(description="One of the element's actions, as the state lists them.")


async def perform(request: PerformRequest, deps: DesktopDeps) -> DesktopAction:
    """Carry out one of the actions that an element offers.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_SESSION_CLOSED, DESKTOP_TARGET_REQUIRED; refusals are in the document.
    """
    asked = on_target(
        "perform",
        request,
        pointer=False,
        points=False,
        arguments={"actionName": request.action_name},
        doing={"value": request.action_name},
    )
    async with opened(request.session, deps, enable=request.enable, starts=asked.needs == "fresh") as desk:
        await aim_at(desk, request)
        return await done(asked, desk, request)
