"""`desktop report`: the run so far as one document and one page."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from deepseekeyes.automation.page import page
from deepseekeyes.automation.report import build, placed, write
from deepseekeyes.automation.run import Run
from deepseekeyes.contracts.automation import DesktopReport
from deepseekeyes.core.atomic import write_private
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.codes import DESKTOP_STATE_MISSING
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import VERSION, document, stored_run
from deepseekeyes.desktop.requests import SessionRequest, Short


class ReportRequest(SessionRequest):
    """What the files are called, and where the page goes beside the run's folder."""

    report_name: Short | None = Field(default=None, description="Name of the files in the run's folder.")
    html: Short | None = Field(default=None, description="Write the page to this file too.")


async def report(request: ReportRequest, deps: DesktopDeps) -> DesktopReport:
    """Write report and page; also of a session that was closed.

    Raises:
        EyesError: DESKTOP_STATE_MISSING when there is no such session, DISK_FULL, WRITE_FAILED.
    """
    found = deps.sessions.load(document(request.session), VERSION)
    if not found:
        raise EyesError(DESKTOP_STATE_MISSING, f"There is no desktop session named {request.session!r}.")
    return reported(stored_run(found, deps), deps, name=request.report_name, html=request.html)


def reported(run: Run, deps: DesktopDeps, *, name: str | None = None, html: str | None = None) -> DesktopReport:
    """The report of a run, written where the run has a folder."""
    made = build(
        run.log,
        deps.automation,
        now=rfc3339(deps.clock.now()),
        surface=_surface(run),
        closed_at=run.closed_at,
    )
    content = page(made, run.log.picture, deps.automation)
    found = placed(made, write(made, content, run.log, name))
    if html is not None:
        target = deps.cwd / html
        write_private(target, content.encode("utf-8", "backslashreplace"))
        found = found.model_copy(update={"page": str(target)})
    assert isinstance(found, DesktopReport)
    return found


def _surface(run: Run) -> dict[str, Any]:
    view = run.newest.snapshot.body if run.newest is not None else None
    if view is None:
        return {}
    return {"platform": view.system, "backend": view.backend, "display": view.display, "monitors": list(view.monitors)}
