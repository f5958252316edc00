"""`browser hover`."""

from __future__ import annotations

from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.replies import done
from deepseekeyes.browser.requests import TargetRequest, gesture
from deepseekeyes.contracts.browser import BrowserAction


class HoverRequest(TargetRequest):
    """Which control."""


async def hover(request: HoverRequest, deps: BrowserDeps) -> BrowserAction:
    """Move the pointer onto a control.

    Raises:
        EyesError: BROWSER_NOT_OPEN, BROWSER_TARGET_REQUIRED; refusals are in the document.
    """
    session = deps.desk.get(request.session)
    return await done(gesture("hover", request), session, deps, require_verified=request.require_verified)
