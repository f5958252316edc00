"""`browser forward`."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.gestures import on_surface, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser forward --state ID"


@on_surface
def command(
    **shared: Any,
) -> Call:
    """Go one entry of the history forward; needs a state."""
    return "browser.forward", payload(**shared)
