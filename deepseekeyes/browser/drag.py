"""`browser drag`: from one control to another, or by an offset."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.automation.choosing import Locator
from deepseekeyes.browser.codes import BROWSER_DRAG_END_REQUIRED
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.replies import done
from deepseekeyes.browser.requests import Short, TargetRequest, gesture
from deepseekeyes.contracts.browser import BrowserAction
from deepseekeyes.core.errors import EyesError


class DragRequest(TargetRequest):
    """What is dragged, and where to."""

    to_ref: Short | None = Field(default=None, description="Ref of the control it is dropped on.")
    to_role: Short | None = Field(default=None, description="Role of the control it is dropped on.")
    to_name: Short | None = Field(default=None, description="Name of the control it is dropped on.")
    by_x: float = Field(default=0, ge=-10_000, le=10_000, description="Pixels to the right, without an end control.")
    by_y: float = Field(default=0, ge=-10_000, le=10_000, description="Pixels down, without an end control.")


async def drag(request: DragRequest, deps: BrowserDeps) -> BrowserAction:
    """Drag one control with the left button.

    Raises:
        EyesError: BROWSER_NOT_OPEN, BROWSER_TARGET_REQUIRED, BROWSER_DRAG_END_REQUIRED; refusals are in the document.
    """
    named = request.to_role is not None or request.to_name is not None
    if not (named or request.to_ref is not None or request.by_x or request.by_y):
        raise EyesError(BROWSER_DRAG_END_REQUIRED, "Where it is dragged to was not said.", details={"dispatched": "no"})
    end = Locator(request.to_role, request.to_name) if named else None
    asked = gesture(
        "drag",
        request,
        arguments={"to": request.to_ref or request.to_name, "byX": request.by_x, "byY": request.by_y},
        end=(request.to_ref, end),
        delta_x=request.by_x,
        delta_y=request.by_y,
    )
    session = deps.desk.get(request.session)
    return await done(asked, session, deps, require_verified=request.require_verified)
