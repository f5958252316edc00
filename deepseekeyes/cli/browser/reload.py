"""`browser reload`."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.gestures import on_surface, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser reload --state ID"


@on_surface
def command(
    **shared: Any,
) -> Call:
    """Load the page anew; needs a state."""
    return "browser.reload", payload(**shared)
