"""`desktop focus`: a window to the front."""

from __future__ import annotations

from deepseekeyes.contracts.desktop import DesktopAction
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import opened
from deepseekeyes.desktop.replies import done
from deepseekeyes.desktop.requests import ActionRequest, on_window


class FocusRequest(ActionRequest):
    """Which window."""


async def focus(request: FocusRequest, deps: DesktopDeps) -> DesktopAction:
    """Bring a window to the front, give it the keyboard and look at it.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_WINDOW_REQUIRED; refusals are in the document.
    """
    asked = on_window("focus", request, stateless=True)
    async with opened(request.session, deps, enable=request.enable, starts=asked.needs == "nothing") as desk:
        return await done(asked, desk, request)
