"""`browser pages`: which pages there are, and switching between them on purpose."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.automation.surface import Gesture
from deepseekeyes.browser.codes import BROWSER_PAGE_UNKNOWN
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.ports import Doing
from deepseekeyes.browser.replies import done
from deepseekeyes.browser.requests import ActionRequest, Short
from deepseekeyes.contracts.browser import BrowserAction, BrowserPageList, PageRow
from deepseekeyes.core.errors import EyesError


class PagesRequest(ActionRequest):
    """Nothing to list them, a page to switch to it or to close it."""

    switch: Short | None = Field(default=None, description="Make this page the active one.")
    close: Short | None = Field(default=None, description="Close this page.")


async def pages(request: PagesRequest, deps: BrowserDeps) -> BrowserPageList | BrowserAction:
    """List the pages, or switch to one, or close one.

    Raises:
        EyesError: BROWSER_NOT_OPEN, BROWSER_PAGE_UNKNOWN.
    """
    session = deps.desk.get(request.session)
    if request.switch is not None and request.close is not None:
        raise EyesError(BROWSER_PAGE_UNKNOWN, "Either switch or close.", details={"dispatched": "no"})
    wanted = request.switch or request.close
    if wanted is None:
        rows = tuple(PageRow.model_validate(row) for row in session.live.page_rows())
        return BrowserPageList(session=session.name, items=rows)
    asked = Gesture(
        "pages",
        needs="nothing",
        state_id=request.state,
        arguments={"close" if request.close else "switch": wanted},
        request=Doing(value=wanted, more={"close": request.close is not None}),
    )
    return await done(asked, session, deps, require_verified=request.require_verified)
