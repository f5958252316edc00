"""`browser report`: the run so far as one document and one page."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.automation.page import page
from deepseekeyes.automation.report import build, placed, write
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.desk import Session
from deepseekeyes.browser.requests import SessionRequest, Short
from deepseekeyes.contracts.automation import BrowserReport
from deepseekeyes.core.atomic import write_private
from deepseekeyes.core.clock import rfc3339


class ReportRequest(SessionRequest):
    """What the files are called, and where the page goes beside the run's folder."""

    report_name: Short | None = Field(default=None, description="Name of the files in the run's folder.")
    html: Short | None = Field(default=None, description="Write the page to this file too.")


async def report(request: ReportRequest, deps: BrowserDeps) -> BrowserReport:
    """Write report and page.

    Raises:
        EyesError: BROWSER_NOT_OPEN, DISK_FULL, WRITE_FAILED.
    """
    session = deps.desk.get(request.session)
    return reported(session, deps, name=request.report_name, html=request.html)


def reported(session: Session, deps: BrowserDeps, *, name: str | None = None, html: str | None = None) -> BrowserReport:
    """The report of a session, written where the run has a folder."""
    run = session.run
    newest = run.newest.snapshot.body if run.newest is not None else None
    made = build(
        run.log,
        deps.automation,
        now=rfc3339(deps.clock.now()),
        surface=session.live.launched,
        diagnostics=newest.diagnostics if newest is not None else None,
        closed_at=run.closed_at,
    )
    content = page(made, run.log.picture, deps.automation)
    found = placed(made, write(made, content, run.log, name))
    if html is not None:
        target = deps.cwd / html
        write_private(target, content.encode("utf-8", "backslashreplace"))
        found = found.model_copy(update={"page": str(target)})
    assert isinstance(found, BrowserReport)
    return found
