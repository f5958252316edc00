"""`desktop report`."""

from __future__ import annotations

from deepseekeyes.cli.desktop.arguments import in_session
from deepseekeyes.cli.gestures import reporting

EXAMPLE = "deepseekeyes desktop report --html report.html"

command = in_session(reporting("desktop"))
