"""`browser type`: text into a field, read back."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.automation.given import TextRequest, text_of
from deepseekeyes.automation.named import origins_of
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.replies import done
from deepseekeyes.browser.requests import TargetRequest, gesture
from deepseekeyes.contracts.browser import BrowserAction


class TypeRequest(TextRequest, TargetRequest):
    """Which field, and where the text comes from."""

    append: bool = Field(default=False, description="Keep what is there and type after it.")
    submit: bool = Field(default=False, description="Press Enter afterwards.")


async def type_(request: TypeRequest, deps: BrowserDeps) -> BrowserAction:
    """Replace (or append to) the text of a field.

    Raises:
        EyesError: BROWSER_NOT_OPEN, BROWSER_TARGET_REQUIRED, TEXT_MISSING, TEXT_REFUSED, TEXT_FILE_UNREADABLE,
            TEXT_TOO_LONG, SECRET_UNKNOWN; refusals are in the document.
    """
    session = deps.desk.get(request.session)
    value = text_of(request, deps)
    asked = gesture(
        "type",
        request,
        value=value,
        secret=request.hidden,
        arguments={
            "value": session.run.keys.told(value),
            "secret": request.hidden,
            **({"secret_name": request.secret_name} if request.secret_name is not None else {}),
            "append": request.append,
            "submit": request.submit,
        },
        append=request.append,
        submit=request.submit,
        only_at=None
        if request.secret_name is None
        else (request.secret_name, origins_of(request.secret_name, deps.automation.secrets)),
    )
    return await done(asked, session, deps, require_verified=request.require_verified)
