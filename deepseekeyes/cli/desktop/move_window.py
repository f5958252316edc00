"""`desktop move-window`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.desktop.arguments import on_window
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop move-window --app mousepad --x 0 --y 0"


@on_window
def command(
    x: Annotated[float, typer.Option("--x", help="Left edge, as windows are listed.")],
    y: Annotated[float, typer.Option("--y", help="Top edge, as windows are listed.")],
    **shared: Any,
) -> Call:
    """Move a window; coordinates as windows are listed."""
    return "desktop.move_window", payload(x=x, y=y, **shared)
