"""`desktop windows`."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.desktop.arguments import in_session
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop windows --enable"


@in_session
def command(
    **shared: Any,
) -> Call:
    """List the windows, front first."""
    return "desktop.windows", payload(**shared)
