"""`desktop resize-window`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.desktop.arguments import on_window
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop resize-window --app mousepad --width 800 --height 600"


@on_window
def command(
    width: Annotated[float, typer.Option("--width", help="Pixels, without the frame.")],
    height: Annotated[float, typer.Option("--height", help="Pixels, without the frame.")],
    **shared: Any,
) -> Call:
    """Give a window's content a size."""
    return "desktop.resize_window", payload(width=width, height=height, **shared)
