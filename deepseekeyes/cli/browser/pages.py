"""`browser pages`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.gestures import on_surface, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser pages --switch p2"


@on_surface
def command(
    switch: Annotated[str | None, typer.Option("--switch", metavar="PAGE", help="Make this page active.")] = None,
    close: Annotated[str | None, typer.Option("--close", metavar="PAGE", help="Close this page.")] = None,
    **shared: Any,
) -> Call:
    """List the pages, switch to one, or close one."""
    return "browser.pages", payload(switch=switch, close=close, **shared)
