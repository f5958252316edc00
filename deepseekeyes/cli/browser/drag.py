"""`browser drag`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.gestures import on_control, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser drag --name Card --to-name Done"


@on_control
def command(
    to_ref: Annotated[str | None, typer.Option("--to-ref", metavar="REF", help="Drop on this ref.")] = None,
    to_role: Annotated[str | None, typer.Option("--to-role", help="Drop on a control of this role.")] = None,
    to_name: Annotated[str | None, typer.Option("--to-name", help="Drop on the control of this name.")] = None,
    by_x: Annotated[float | None, typer.Option("--by-x", help="Pixels to the right.")] = None,
    by_y: Annotated[float | None, typer.Option("--by-y", help="Pixels down.")] = None,
    **shared: Any,
) -> Call:
    """Drag one control onto another, or by an offset."""
    return "browser.drag", payload(to_ref=to_ref, to_role=to_role, to_name=to_name, by_x=by_x, by_y=by_y, **shared)
