"""`browser hover`."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.gestures import on_control, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser hover --name Menu"


@on_control
def command(
    **shared: Any,
) -> Call:
    """Move the pointer onto a control."""
    return "browser.hover", payload(**shared)
