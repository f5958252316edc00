"""`browser press`: one key or chord."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.replies import done
from deepseekeyes.browser.requests import TargetRequest, gesture
from deepseekeyes.contracts.browser import BrowserAction


class PressRequest(TargetRequest):
    """Which key, and optionally which control gets it."""

    key: str = Field(min_length=1, max_length=60, description="A key such as Enter, Escape, Control+a.")


async def press(request: PressRequest, deps: BrowserDeps) -> BrowserAction:
    """Press a key on a control, or on whatever has the focus; needs a state.

    Raises:
        EyesError: BROWSER_NOT_OPEN; refusals are in the document.
    """
    key = " " if request.key == " " else request.key.strip()
    asked = gesture("press", request, pointer=False, optional=True, value=key, arguments={"key": key})
    session = deps.desk.get(request.session)
    return await done(asked, session, deps, require_verified=request.require_verified)
