"""`vision routes`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.arguments import RouteOption
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes vision routes --check"


def command(
    route: RouteOption = None,
    check: Annotated[
        bool, typer.Option("--check", help="Ask each endpoint whether it is up and knows the model.")
    ] = False,
    reset: Annotated[
        bool, typer.Option("--reset", help="Close circuits and forget health (of --route, or of all).")
    ] = False,
) -> Call:
    """List the eyes: their order, what decided each place, and why others are left out."""
    return "vision.routes", {"route": route, "check": check, "reset": reset}
