"""`browser report`."""

from __future__ import annotations

from deepseekeyes.cli.gestures import in_session, reporting

EXAMPLE = "deepseekeyes browser report --html report.html"

command = in_session(reporting("browser"))
