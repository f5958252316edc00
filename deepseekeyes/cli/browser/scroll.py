"""`browser scroll`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.gestures import on_control, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser scroll --state ID --delta-y 600"


@on_control
def command(
    delta_x: Annotated[float | None, typer.Option("--delta-x", help="Pixels to the right.")] = None,
    delta_y: Annotated[float | None, typer.Option("--delta-y", help="Pixels down; 600 when absent.")] = None,
    **shared: Any,
) -> Call:
    """Turn the wheel over a control or the page; needs a state."""
    return "browser.scroll", payload(delta_x=delta_x, delta_y=delta_y, **shared)
