"""`desktop screenshot`: the pixels of a fresh state."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.automation.perform import look
from deepseekeyes.automation.publishing import wanted
from deepseekeyes.contracts.desktop import DesktopScreenshot
from deepseekeyes.core.atomic import write_private
from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.codes import DESKTOP_SCREENSHOT_MISSING, DESKTOP_UNSUPPORTED_HERE
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import opened
from deepseekeyes.desktop.looking import Wanted
from deepseekeyes.desktop.replies import observation
from deepseekeyes.desktop.requests import Short, WindowRequest, refused
from deepseekeyes.desktop.scoping import look_at


class ScreenshotRequest(WindowRequest):
    """Of which window, and where the picture goes beside the store."""

    out: Short | None = Field(default=None, description="Write the PNG to this file too.")


async def screenshot(request: ScreenshotRequest, deps: DesktopDeps) -> DesktopScreenshot:
    """Take a picture of a window, or of the whole desktop; protected fields are painted over.

    Raises:
        EyesError: as `observe`.
    """
    path = wanted(request.out, deps.cwd)
    async with opened(request.session, deps, enable=request.enable, starts=True) as desk:
        if any((request.window, request.app, request.title)):
            await look_at(desk, request, strict=True)
        else:
            desk.surface.wanted = Wanted()
        seen = (await look(desk.surface, desk.run, action="screenshot")).seen
        shot = seen.snapshot.shot if seen is not None else None
        if seen is None or shot is None or shot.data is None:
            if desk.surface.wanted.window is not None and not desk.backend.environment.capabilities.window_pixels:
                raise EyesError(
                    DESKTOP_UNSUPPORTED_HERE,
                    "This display gives no pixels of single windows.",
                    details={"dispatched": "no"},
                    instead="Take the whole desktop: deepseekeyes desktop screenshot",
                )
            why = seen.snapshot.body.warnings if seen is not None else ()
            raise refused(DESKTOP_SCREENSHOT_MISSING, why[-1] if why else "There are no pixels.")
        found = observation(seen, desk, action="screenshot", asked=True)
        assert found.screenshot is not None
        if path is not None:
            write_private(path, shot.data)
        return DesktopScreenshot(
            session=desk.name,
            state_id=seen.state_id,
            captured_window=found.captured_window,
            screen=found.screen,
            screenshot=found.screenshot,
            tiles=found.tiles,
            masks=found.masks,
            path=str(path) if path is not None else None,
        )
