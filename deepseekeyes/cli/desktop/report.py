"""`desktop report`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.gestures import in_session, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop report --html report.html"


@in_session
def command(
    report_name: Annotated[str | None, typer.Option("--report-name", metavar="NAME", help="Name of the files.")] = None,
    html: Annotated[str | None, typer.Option("--html", metavar="FILE", help="Write the page here too.")] = None,
    verify: Annotated[bool, typer.Option("--verify", help="Check a stored run again.")] = False,
    run: Annotated[
        str | None, typer.Option("--run", metavar="RUN", help="Run id, folder or report for --verify.")
    ] = None,
    **shared: Any,
) -> Call:
    """Write the run so far as a document and a page, or check a stored run again."""
    if verify:
        return "desktop.verify", payload(run=run)
    return "desktop.report", payload(report_name=report_name, html=html, **shared)
