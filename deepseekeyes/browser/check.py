"""`browser check`."""

from __future__ import annotations

from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.replies import done
from deepseekeyes.browser.requests import TargetRequest, gesture
from deepseekeyes.contracts.browser import BrowserAction


class CheckRequest(TargetRequest):
    """Which checkbox, radio button or switch."""


async def check(request: CheckRequest, deps: BrowserDeps) -> BrowserAction:
    """Bring a control into the wanted state; nothing is clicked when it is in it already.

    Raises:
        EyesError: BROWSER_NOT_OPEN, BROWSER_TARGET_REQUIRED; refusals are in the document.
    """
    session = deps.desk.get(request.session)
    asked = gesture("check", request, checked=True)
    return await done(asked, session, deps, require_verified=request.require_verified)
