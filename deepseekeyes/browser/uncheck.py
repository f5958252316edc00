"""`browser uncheck`."""

from __future__ import annotations

from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.replies import done
from deepseekeyes.browser.requests import TargetRequest, gesture
from deepseekeyes.contracts.browser import BrowserAction


class UncheckRequest(TargetRequest):
    """Which checkbox, radio button or switch."""


async def uncheck(request: UncheckRequest, deps: BrowserDeps) -> BrowserAction:
    """Bring a control into the wanted state; nothing is clicked when it is in it already.

    Raises:
        EyesError: BROWSER_NOT_OPEN, BROWSER_TARGET_REQUIRED; refusals are in the document.
    """
    session = deps.desk.get(request.session)
    asked = gesture("uncheck", request, checked=False)
    return await done(asked, session, deps, require_verified=request.require_verified)
