"""`desktop invoke`: the natural action of an element."""

from __future__ import annotations

from deepseekeyes.contracts.desktop import DesktopAction
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import opened
from deepseekeyes.desktop.replies import done
from deepseekeyes.desktop.requests import TargetRequest, on_target
from deepseekeyes.desktop.scoping import aim_at


class InvokeRequest(TargetRequest):
    """Which element."""


async def invoke(request: InvokeRequest, deps: DesktopDeps) -> DesktopAction:
    """Do what an element is there for (press a button, open a menu), without the pointer where it offers that.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_SESSION_CLOSED, DESKTOP_TARGET_REQUIRED; refusals are in the document.
    """
    asked = on_target("invoke", request, pointer=False, points=False)
    async with opened(request.session, deps, enable=request.enable, starts=asked.needs == "fresh") as desk:
        await aim_at(desk, request)
        return await done(asked, desk, request)
