"""`desktop set-value`: replace what an element holds."""

from __future__ import annotations

from deepseekeyes.contracts.desktop import DesktopAction
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import opened
from deepseekeyes.desktop.replies import done
from deepseekeyes.desktop.requests import on_target
from deepseekeyes.desktop.scoping import aim_at
from deepseekeyes.desktop.texts import TypingRequest, given_text


class SetValueRequest(TypingRequest):
    """Which element, and where the value comes from."""


async def set_value(request: SetValueRequest, deps: DesktopDeps) -> DesktopAction:
    """Replace the text of a field or the number of a slider, and read it back.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_SESSION_CLOSED, DESKTOP_TARGET_REQUIRED, TEXT_MISSING, TEXT_REFUSED,
            TEXT_FILE_UNREADABLE, TEXT_TOO_LONG, SECRET_UNKNOWN, SECRET_ELSEWHERE; refusals are in the document.
    """
    text = given_text(request, deps)
    async with opened(request.session, deps, enable=request.enable, starts=request.locator is not None) as desk:
        asked = on_target(
            "set_value",
            request,
            pointer=False,
            points=False,
            arguments={"value": desk.run.keys.told(text)},
            doing={"value": text, "secret": request.hidden},
        )
        await aim_at(desk, request)
        return await done(asked, desk, request)
