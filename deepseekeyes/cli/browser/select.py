"""`browser select`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.gestures import on_control, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser select Berlin --name City"


@on_control
def command(
    option: Annotated[list[str], typer.Argument(help="Label or value.")],
    **shared: Any,
) -> Call:
    """Choose options of a native select by label or value."""
    return "browser.select", payload(option=option, **shared)
