"""`desktop drag`: from one place to another with the left button."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.desktop import DesktopAction
from deepseekeyes.desktop.codes import DESKTOP_TARGET_REQUIRED
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import opened
from deepseekeyes.desktop.replies import done
from deepseekeyes.desktop.requests import Short, TargetRequest, on_target, pair, refused
from deepseekeyes.desktop.scoping import aim_at


class DragRequest(TargetRequest):
    """What is dragged, and where to."""

    to_ref: Short | None = Field(default=None, description="Ref of the element it is dropped on.")
    to_x: float | None = Field(default=None, ge=0, le=100_000, description="Pixel it is dropped on, from the left.")
    to_y: float | None = Field(default=None, ge=0, le=100_000, description="Pixel it is dropped on, from the top.")
    duration_ms: int = Field(default=400, ge=0, le=120_000, description="Milliseconds of the way.")


async def drag(request: DragRequest, deps: DesktopDeps) -> DesktopAction:
    """Drag from an element or point to another.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_SESSION_CLOSED, DESKTOP_TARGET_REQUIRED; refusals are in the document.
    """
    end = pair(request.to_x, request.to_y, "--to-x and --to-y")
    if (end is None) == (request.to_ref is None):
        raise refused(DESKTOP_TARGET_REQUIRED, "Say where it is dropped: --to-ref, or --to-x and --to-y.")
    told = {"toRef": request.to_ref, "toX": request.to_x, "toY": request.to_y}
    asked = on_target(
        "drag",
        request,
        arguments={key: one for key, one in told.items() if one is not None},
        doing={"end": end, "end_ref": request.to_ref},
        duration_ms=request.duration_ms,
    )
    async with opened(request.session, deps, enable=request.enable, starts=asked.needs == "fresh") as desk:
        await aim_at(desk, request)
        return await done(asked, desk, request)
