"""`browser dialog`: answer the dialog that is open."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.automation.surface import Gesture
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.ports import Doing
from deepseekeyes.browser.replies import done
from deepseekeyes.browser.requests import ActionRequest
from deepseekeyes.contracts.browser import BrowserAction


class DialogRequest(ActionRequest):
    """How it is answered."""

    accept: bool = Field(description="Accept it; else it is dismissed.")
    answer: str = Field(default="", max_length=10_000, description="Text for a prompt.")


async def dialog(request: DialogRequest, deps: BrowserDeps) -> BrowserAction:
    """Accept or dismiss.

    Raises:
        EyesError: BROWSER_NOT_OPEN; BROWSER_NO_DIALOG is in the document.
    """
    session = deps.desk.get(request.session)
    asked = Gesture(
        "dialog",
        needs="nothing",
        state_id=request.state,
        arguments={"accept": request.accept, "answer": session.run.keys.told(request.answer)},
        request=Doing(value=request.answer, more={"accept": request.accept}),
    )
    return await done(asked, session, deps, require_verified=request.require_verified)
