"""`browser select`: options of a native select."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.replies import done
from deepseekeyes.browser.requests import TargetRequest, gesture
from deepseekeyes.contracts.browser import BrowserAction


class SelectRequest(TargetRequest):
    """Which control, which options."""

    option: tuple[str, ...] = Field(min_length=1, max_length=200, description="Label or value of an option.")


async def select(request: SelectRequest, deps: BrowserDeps) -> BrowserAction:
    """Choose options by label or value.

    Raises:
        EyesError: BROWSER_NOT_OPEN, BROWSER_TARGET_REQUIRED; refusals are in the document.
    """
    asked = gesture(
        "select",
        request,
        arguments={"options": list(request.option)},
        value=request.option[0],
        options=request.option,
    )
    session = deps.desk.get(request.session)
    return await done(asked, session, deps, require_verified=request.require_verified)
