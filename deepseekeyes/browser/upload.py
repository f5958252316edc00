"""`browser upload`: files into a file field."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.browser.codes import BROWSER_FILE_UNREADABLE
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.replies import done
from deepseekeyes.browser.requests import TargetRequest, gesture
from deepseekeyes.contracts.browser import BrowserAction
from deepseekeyes.core.errors import EyesError


class UploadRequest(TargetRequest):
    """Which field, which files."""

    file: tuple[str, ...] = Field(min_length=1, max_length=50, description="A file.")


async def upload(request: UploadRequest, deps: BrowserDeps) -> BrowserAction:
    """Hand files to a file field, or to the chooser that a control opens.

    Raises:
        EyesError: BROWSER_NOT_OPEN, BROWSER_TARGET_REQUIRED, BROWSER_FILE_UNREADABLE; refusals are in the document.
    """
    paths = [deps.cwd / name for name in request.file]
    for path in paths:
        if not path.is_file():
            raise EyesError(BROWSER_FILE_UNREADABLE, f"{path.name} is not a file.", details={"dispatched": "no"})
    asked = gesture(
        "upload",
        request,
        pointer=False,
        arguments={"files": [path.name for path in paths]},
        files=tuple(str(path) for path in paths),
    )
    session = deps.desk.get(request.session)
    return await done(asked, session, deps, require_verified=request.require_verified)
