"""`desktop move-window`."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from deepseekeyes.contracts.desktop import DesktopAction
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import opened
from deepseekeyes.desktop.replies import done
from deepseekeyes.desktop.requests import ActionRequest, on_window
from deepseekeyes.desktop.scoping import look_at


class MoveWindowRequest(ActionRequest):
    """Which window, and where to."""

    x: float = Field(ge=-100_000, le=100_000, description="Left edge in the virtual desktop, as windows are listed.")
    y: float = Field(ge=-100_000, le=100_000, description="Top edge in the virtual desktop, as windows are listed.")


async def move_window(request: MoveWindowRequest, deps: DesktopDeps) -> DesktopAction:
    """Move a window; coordinates are those in which windows are listed, on whichever monitor.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_SESSION_CLOSED, DESKTOP_WINDOW_REQUIRED; refusals are in the document.
    """
    where: dict[str, Any] = {"x": request.x, "y": request.y}
    asked = on_window("move_window", request, arguments=where, **where)
    async with opened(request.session, deps, enable=request.enable, starts=asked.needs == "fresh") as desk:
        await look_at(desk, request)
        return await done(asked, desk, request)
