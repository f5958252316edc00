"""`desktop close-window`: as its close button would."""

from __future__ import annotations

from deepseekeyes.contracts.desktop import DesktopAction
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import opened
from deepseekeyes.desktop.replies import done
from deepseekeyes.desktop.requests import ActionRequest, on_window
from deepseekeyes.desktop.scoping import look_at


class CloseWindowRequest(ActionRequest):
    """Which window."""


async def close_window(request: CloseWindowRequest, deps: DesktopDeps) -> DesktopAction:
    """Ask a window to close; the state afterwards is of the whole desktop.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_SESSION_CLOSED, DESKTOP_WINDOW_REQUIRED; refusals are in the document.
    """
    asked = on_window("close_window", request)
    async with opened(request.session, deps, enable=request.enable, starts=asked.needs == "fresh") as desk:
        await look_at(desk, request)
        return await done(asked, desk, request)
