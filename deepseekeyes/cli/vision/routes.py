"""`vision routes`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.arguments import RouteOption
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes vision routes --check"


def command(
    route: RouteOption = None,
    reasoners: Annotated[
        bool, typer.Option("--reasoners", help="The models that answer `vision ask` instead of the eyes.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Ask each endpoint whether it is up and knows the model.")
    ] = False,
    reset: Annotated[
        bool, typer.Option("--reset", help="Close circuits and forget health (of --route, or of all).")
    ] = False,
) -> Call:
    """List the eyes, or the models that answer: their order, what decided it, and why others are left out."""
    capability = "text_to_text" if reasoners else "image_to_evidence"
    return "vision.routes", {"route": route, "capability": capability, "check": check, "reset": reset}
