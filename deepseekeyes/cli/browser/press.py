"""`browser press`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.gestures import on_control, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser press Enter --state ID"


@on_control
def command(
    key: Annotated[str, typer.Argument(help="Such as Enter, Escape, Control+a.")],
    **shared: Any,
) -> Call:
    """Press a key or chord; needs a state."""
    return "browser.press", payload(key=key, **shared)
