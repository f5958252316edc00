"""`desktop click`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.desktop.arguments import on_place
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop click --app mousepad --role push_button --name Save"


@on_place
def command(
    button: Annotated[str | None, typer.Option("--button", help="left, middle or right.")] = None,
    **shared: Any,
) -> Call:
    """Click an element or a point, if the click would really reach it."""
    return "desktop.click", payload(button=button, **shared)
