"""`desktop key`: one key or chord."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.desktop import DesktopAction
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import opened
from deepseekeyes.desktop.replies import done
from deepseekeyes.desktop.requests import TargetRequest, on_target
from deepseekeyes.desktop.scoping import aim_at


class KeyRequest(TargetRequest):
    """Which key, and which window or element gets it."""

    key: str = Field(min_length=1, max_length=60, description="A key or chord, such as ENTER or CTRL+SHIFT+S.")
    allow_focused_target: bool = Field(default=False, description="Whatever has the keyboard may get it.")


async def key(request: KeyRequest, deps: DesktopDeps) -> DesktopAction:
    """Press a key while the window that was looked at has the keyboard; needs a state.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_SESSION_CLOSED, SESSION_NOT_FOUND; refusals are in the document.
    """
    word = request.key if request.key == " " else request.key.strip()
    asked = on_target(
        "key",
        request,
        pointer=False,
        optional=True,
        stateful=True,
        points=False,
        arguments={"key": word, "allowFocusedTarget": request.allow_focused_target},
        doing={"value": word, "focused": request.allow_focused_target},
    )
    async with opened(request.session, deps, enable=request.enable, starts=False) as desk:
        await aim_at(desk, request)
        return await done(asked, desk, request)
