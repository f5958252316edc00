"""`desktop report`: the run so far as one document and one page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field

from deepseekeyes.automation.publishing import published, wanted
from deepseekeyes.automation.run import Run
from deepseekeyes.contracts.automation import DesktopReport
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import VERSION, document, no_session, stored_run
from deepseekeyes.desktop.requests import SessionRequest, Short


class ReportRequest(SessionRequest):
    """What the files are called, and where the page goes beside the run's folder."""

    report_name: Short | None = Field(default=None, description="Name of the files in the run's folder.")
    html: Short | None = Field(default=None, description="Write the page to this file too.")


async def report(request: ReportRequest, deps: DesktopDeps) -> DesktopReport:
    """Write report and page; also of a session that was closed.

    Raises:
        EyesError: SESSION_NOT_FOUND, OUT_FOLDER_MISSING, DISK_FULL, WRITE_FAILED.
    """
    found = deps.sessions.load(document(request.session), VERSION)
    if not found:
        raise no_session(request.session)
    beside = wanted(request.html, deps.cwd)
    return reported(stored_run(found, deps), deps, name=request.report_name, beside=beside)


def reported(run: Run, deps: DesktopDeps, *, name: str | None = None, beside: Path | None = None) -> DesktopReport:
    """The report of a run, written where the run has a folder."""
    found = published(run, deps.automation, surface=_surface(run), name=name, beside=beside)
    assert isinstance(found, DesktopReport)
    return found


def _surface(run: Run) -> dict[str, Any]:
    view = run.newest.snapshot.body if run.newest is not None else None
    if view is None:
        return {}
    return {"platform": view.system, "backend": view.backend, "display": view.display, "monitors": list(view.monitors)}
