"""`browser observe`: look on purpose, whole or in part."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.automation.perform import look
from deepseekeyes.browser.codes import BROWSER_REF_UNKNOWN
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.replies import observation
from deepseekeyes.browser.requests import SessionRequest, Short
from deepseekeyes.browser.selection import Selection
from deepseekeyes.contracts.browser import BrowserObservation
from deepseekeyes.core.errors import EyesError


class ObserveRequest(SessionRequest):
    """Which part of the page is shown; the whole of it is seen either way."""

    find: Short | None = Field(default=None, description="Controls and lines of text that hold this.")
    role: Short | None = Field(default=None, description="Controls of one role.")
    subtree: Short | None = Field(default=None, description="Controls inside the element with this ref.")
    start: int = Field(default=0, ge=0, le=1_000_000, description="Pass over so many controls.")
    most: int | None = Field(default=None, ge=1, le=2_000, description="Show at most so many controls.")
    text_start: int = Field(default=0, ge=0, description="Pass over so many characters of text.")


async def observe(request: ObserveRequest, deps: BrowserDeps) -> BrowserObservation:
    """Look at the active page.

    Raises:
        EyesError: BROWSER_NOT_OPEN, BROWSER_PAGE_CLOSED, BROWSER_REF_UNKNOWN.
    """
    session = deps.desk.get(request.session)
    performed = await look(session.live, session.run)
    if performed.seen is None:
        raise EyesError(BROWSER_REF_UNKNOWN, "The page could not be looked at.")
    inside = await session.live.subtree(request.subtree) if request.subtree is not None else None
    selection = Selection(
        find=request.find,
        role=request.role,
        inside=inside,
        start=request.start,
        most=request.most,
        text_start=request.text_start,
    )
    return observation(performed.seen, session, deps, selection)
