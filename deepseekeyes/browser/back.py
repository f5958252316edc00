"""`browser back`."""

from __future__ import annotations

from deepseekeyes.automation.surface import Gesture
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.ports import Doing
from deepseekeyes.browser.replies import done
from deepseekeyes.browser.requests import ActionRequest
from deepseekeyes.contracts.browser import BrowserAction


class BackRequest(ActionRequest):
    """Which session and from which state."""


async def back(request: BackRequest, deps: BrowserDeps) -> BrowserAction:
    """Go one entry of the history back; needs a state.

    Raises:
        EyesError: BROWSER_NOT_OPEN; refusals are in the document.
    """
    session = deps.desk.get(request.session)
    asked = Gesture("back", needs="state", state_id=request.state, request=Doing())
    return await done(asked, session, deps, require_verified=request.require_verified)
