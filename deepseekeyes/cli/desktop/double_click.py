"""`desktop double-click`."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.desktop.arguments import on_place
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop double-click --x 120 --y 80 --state ID"


@on_place
def command(
    **shared: Any,
) -> Call:
    """Click an element or a point twice."""
    return "desktop.double_click", payload(**shared)
