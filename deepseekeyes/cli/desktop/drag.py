"""`desktop drag`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.desktop.arguments import on_place
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop drag --x 20 --y 40 --to-x 200 --to-y 40 --state ID"


@on_place
def command(
    to_ref: Annotated[str | None, typer.Option("--to-ref", metavar="REF", help="Drop on this element.")] = None,
    to_x: Annotated[float | None, typer.Option("--to-x", min=0, help="Drop on this pixel.")] = None,
    to_y: Annotated[float | None, typer.Option("--to-y", min=0, help="Drop on this pixel.")] = None,
    duration_ms: Annotated[int | None, typer.Option("--duration", min=0, metavar="MS", help="How long.")] = None,
    **shared: Any,
) -> Call:
    """Drag from an element or point to another."""
    return "desktop.drag", payload(to_ref=to_ref, to_x=to_x, to_y=to_y, duration_ms=duration_ms, **shared)
