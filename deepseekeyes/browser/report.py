"""`browser report`: the run so far as one document and one page."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from deepseekeyes.automation.publishing import published, wanted
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.desk import Session
from deepseekeyes.browser.requests import SessionRequest, Short
from deepseekeyes.contracts.automation import BrowserReport


class ReportRequest(SessionRequest):
    """What the files are called, and where the page goes beside the run's folder."""

    report_name: Short | None = Field(default=None, description="Name of the files in the run's folder.")
    html: Short | None = Field(default=None, description="Write the page to this file too.")


async def report(request: ReportRequest, deps: BrowserDeps) -> BrowserReport:
    """Write report and page.

    Raises:
        EyesError: BROWSER_NOT_OPEN, OUT_FOLDER_MISSING, DISK_FULL, WRITE_FAILED.
    """
    session = deps.desk.get(request.session)
    return reported(session, deps, name=request.report_name, beside=wanted(request.html, deps.cwd))


def reported(
    session: Session, deps: BrowserDeps, *, name: str | None = None, beside: Path | None = None
) -> BrowserReport:
    """The report of a session, written where the run has a folder."""
    newest = session.run.newest.snapshot.body if session.run.newest is not None else None
    found = published(
        session.run,
        deps.automation,
        surface=session.live.launched,
        diagnostics=newest.diagnostics if newest is not None else None,
        name=name,
        beside=beside,
    )
    assert isinstance(found, BrowserReport)
    return found
