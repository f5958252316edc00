"""`desktop scroll`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.desktop.arguments import on_place
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop scroll --delta-y 300 --state ID"


@on_place
def command(
    delta_x: Annotated[float | None, typer.Option("--delta-x", help="Pixels to the right.")] = None,
    delta_y: Annotated[float | None, typer.Option("--delta-y", help="Pixels down.")] = None,
    into_view: Annotated[bool, typer.Option("--into-view", help="Scroll the element into view instead.")] = False,
    **shared: Any,
) -> Call:
    """Turn the wheel over an element, a point or the window; needs a state."""
    return "desktop.scroll", payload(delta_x=delta_x, delta_y=delta_y, into_view=into_view, **shared)
