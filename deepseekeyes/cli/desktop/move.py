"""`desktop move`."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.desktop.arguments import on_place
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop move --x 120 --y 80 --state ID"


@on_place
def command(
    **shared: Any,
) -> Call:
    """Put the pointer onto an element or a point."""
    return "desktop.move", payload(**shared)
