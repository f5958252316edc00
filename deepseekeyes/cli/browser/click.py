"""`browser click`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.gestures import on_control, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser click --role button --name Save"


@on_control
def command(
    button: Annotated[str | None, typer.Option("--button", help="left, right or middle.")] = None,
    double: Annotated[bool, typer.Option("--double", help="Click twice.")] = False,
    **shared: Any,
) -> Call:
    """Click one control, if a pointer would really meet it."""
    return "browser.click", payload(button=button, double=double, **shared)
