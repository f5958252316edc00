"""`browser scroll`."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.replies import done
from deepseekeyes.browser.requests import TargetRequest, gesture
from deepseekeyes.contracts.browser import BrowserAction


class ScrollRequest(TargetRequest):
    """How far, and optionally over which control."""

    delta_x: float = Field(default=0, ge=-100_000, le=100_000, description="Pixels to the right.")
    delta_y: float = Field(default=600, ge=-100_000, le=100_000, description="Pixels down.")


async def scroll(request: ScrollRequest, deps: BrowserDeps) -> BrowserAction:
    """Turn the wheel over a control or over the middle of the page; needs a state.

    Raises:
        EyesError: BROWSER_NOT_OPEN; refusals are in the document.
    """
    asked = gesture(
        "scroll",
        request,
        optional=True,
        arguments={"deltaX": request.delta_x, "deltaY": request.delta_y},
        delta_x=request.delta_x,
        delta_y=request.delta_y,
    )
    session = deps.desk.get(request.session)
    return await done(asked, session, deps, require_verified=request.require_verified)
