"""`desktop resize-window`."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from deepseekeyes.contracts.desktop import DesktopAction
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import opened
from deepseekeyes.desktop.replies import done
from deepseekeyes.desktop.requests import ActionRequest, on_window
from deepseekeyes.desktop.scoping import look_at


class ResizeWindowRequest(ActionRequest):
    """Which window, and how large."""

    width: float = Field(gt=0, le=100_000, description="Pixels, without the frame.")
    height: float = Field(gt=0, le=100_000, description="Pixels, without the frame.")


async def resize_window(request: ResizeWindowRequest, deps: DesktopDeps) -> DesktopAction:
    """Give a window's content a size.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_SESSION_CLOSED, DESKTOP_WINDOW_REQUIRED; refusals are in the document.
    """
    size: dict[str, Any] = {"width": request.width, "height": request.height}
    asked = on_window("resize_window", request, arguments=size, **size)
    async with opened(request.session, deps, enable=request.enable, starts=asked.needs == "fresh") as desk:
        await look_at(desk, request)
        return await done(asked, desk, request)
