"""`browser click`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.replies import done
from deepseekeyes.browser.requests import TargetRequest, gesture
from deepseekeyes.contracts.browser import BrowserAction


class ClickRequest(TargetRequest):
    """Which control, which button, how often."""

    button: Literal["left", "right", "middle"] = Field(default="left", description="Button of the mouse.")
    double: bool = Field(default=False, description="Click twice.")


async def click(request: ClickRequest, deps: BrowserDeps) -> BrowserAction:
    """Click one control, if a pointer would really meet it.

    Raises:
        EyesError: BROWSER_NOT_OPEN, BROWSER_TARGET_REQUIRED; refusals are in the document.
    """
    asked = gesture(
        "double_click" if request.double else "click",
        request,
        arguments={"button": request.button},
        button=request.button,
        count=2 if request.double else 1,
    )
    session = deps.desk.get(request.session)
    return await done(asked, session, deps, require_verified=request.require_verified)
