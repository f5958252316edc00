"""`desktop move`: the pointer."""

from __future__ import annotations

from deepseekeyes.contracts.desktop import DesktopAction
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import opened
from deepseekeyes.desktop.replies import done
from deepseekeyes.desktop.requests import TargetRequest, on_target
from deepseekeyes.desktop.scoping import aim_at


class MoveRequest(TargetRequest):
    """Which element or point."""


async def move(request: MoveRequest, deps: DesktopDeps) -> DesktopAction:
    """Put the pointer onto an element or a point.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_SESSION_CLOSED, DESKTOP_TARGET_REQUIRED; refusals are in the document.
    """
    asked = on_target("move", request)
    async with opened(request.session, deps, enable=request.enable, starts=asked.needs == "fresh") as desk:
        await aim_at(desk, request)
        return await done(asked, desk, request)
