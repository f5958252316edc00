"""`browser screenshot`: the pixels of a fresh state."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.automation.perform import look
from deepseekeyes.automation.publishing import wanted
from deepseekeyes.browser.codes import BROWSER_DIALOG_OPEN
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.replies import observation
from deepseekeyes.browser.requests import SessionRequest, Short
from deepseekeyes.contracts.browser import BrowserScreenshot
from deepseekeyes.core.atomic import write_private
from deepseekeyes.core.errors import EyesError


class ScreenshotRequest(SessionRequest):
    """Where the picture goes, beside the store."""

    out: Short | None = Field(default=None, description="Write the PNG to this file too.")


async def screenshot(request: ScreenshotRequest, deps: BrowserDeps) -> BrowserScreenshot:
    """Take a picture of the viewport; protected fields are painted over.

    Raises:
        EyesError: BROWSER_NOT_OPEN, BROWSER_DIALOG_OPEN while nothing can be painted.
    """
    path = wanted(request.out, deps.cwd)
    session = deps.desk.get(request.session)
    performed = await look(session.live, session.run, action="screenshot")
    seen = performed.seen
    shot = seen.snapshot.shot if seen is not None else None
    if seen is None or shot is None or shot.data is None:
        raise EyesError(BROWSER_DIALOG_OPEN, "A dialog is open; the page cannot be painted.")
    document = observation(seen, session, deps)
    assert document.screenshot is not None
    if path is not None:
        write_private(path, shot.data)
    return BrowserScreenshot(
        session=session.name,
        state_id=seen.state_id,
        url=document.url,
        screenshot=document.screenshot,
        masks=document.masks,
        path=str(path) if path is not None else None,
    )
