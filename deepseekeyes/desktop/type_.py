"""`desktop type`: text into the control that is meant, and into nothing else."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.desktop import DesktopAction
from deepseekeyes.desktop.codes import DESKTOP_TARGET_REQUIRED
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import opened
from deepseekeyes.desktop.replies import done
from deepseekeyes.desktop.requests import on_target, refused
from deepseekeyes.desktop.scoping import aim_at
from deepseekeyes.desktop.texts import TypingRequest, given_text


class TypeRequest(TypingRequest):
    """Which field, and where the text comes from."""

    allow_focused_target: bool = Field(default=False, description="Whatever has the focus may get the text.")
    submit: bool = Field(default=False, description="Press ENTER afterwards.")


async def type_(request: TypeRequest, deps: DesktopDeps) -> DesktopAction:
    """Type at the caret of one field: brought to the front, focused, proven to have the focus, typed, read back.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_SESSION_CLOSED, DESKTOP_TARGET_REQUIRED, TEXT_MISSING, TEXT_REFUSED,
            TEXT_FILE_UNREADABLE, TEXT_TOO_LONG, SECRET_UNKNOWN, SECRET_ELSEWHERE; refusals are in the document.
    """
    aimed = request.ref is not None or request.locator is not None or request.point is not None
    if not aimed and not request.allow_focused_target:
        raise refused(DESKTOP_TARGET_REQUIRED, "No field was named, and what has the focus may not be meant.")
    text = given_text(request, deps)
    async with opened(request.session, deps, enable=request.enable, starts=request.locator is not None) as desk:
        asked = on_target(
            "type",
            request,
            optional=request.allow_focused_target,
            arguments={
                "value": desk.run.keys.told(text),
                "allowFocusedTarget": request.allow_focused_target,
                "submit": request.submit,
            },
            doing={"value": text, "secret": request.hidden, "focused": request.allow_focused_target},
            submit=request.submit,
        )
        await aim_at(desk, request)
        return await done(asked, desk, request)
