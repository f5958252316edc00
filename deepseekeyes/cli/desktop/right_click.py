"""`desktop right-click`."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.desktop.arguments import on_place
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop right-click --ref REF --state ID"


@on_place
def command(
    **shared: Any,
) -> Call:
    """Click an element or a point with the right button."""
    return "desktop.right_click", payload(**shared)
