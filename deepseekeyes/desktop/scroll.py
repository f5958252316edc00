"""`desktop scroll`: the wheel, or an element into view."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.desktop import DesktopAction
from deepseekeyes.desktop.codes import DESKTOP_ARGUMENT_INVALID
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import opened
from deepseekeyes.desktop.replies import done
from deepseekeyes.desktop.requests import TargetRequest, on_target, refused
from deepseekeyes.desktop.scoping import aim_at


class ScrollRequest(TargetRequest):
    """How far, and over what; the middle of the window when nothing is named."""

    delta_x: float = Field(default=0, ge=-100_000, le=100_000, description="Pixels to the right.")
    delta_y: float = Field(default=0, ge=-100_000, le=100_000, description="Pixels down.")
    into_view: bool = Field(default=False, description="Ask for the element to be scrolled into view instead.")


async def scroll(request: ScrollRequest, deps: DesktopDeps) -> DesktopAction:
    """Turn the wheel over an element, a point or the window; needs a state. Pixels become whole notches.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_SESSION_CLOSED, SESSION_NOT_FOUND, DESKTOP_ARGUMENT_INVALID; refusals
            are in the document.
    """
    far = bool(request.delta_x or request.delta_y)
    if far == request.into_view:
        raise refused(DESKTOP_ARGUMENT_INVALID, "Say how far (--delta-y, --delta-x), or --into-view.")
    asked = on_target(
        "scroll",
        request,
        optional=not request.into_view,
        points=not request.into_view,
        stateful=True,
        arguments={"deltaX": request.delta_x, "deltaY": request.delta_y, "intoView": request.into_view},
        delta_x=request.delta_x,
        delta_y=request.delta_y,
        into_view=request.into_view,
    )
    async with opened(request.session, deps, enable=request.enable, starts=False) as desk:
        await aim_at(desk, request)
        return await done(asked, desk, request)
