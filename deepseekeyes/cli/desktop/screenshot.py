"""`desktop screenshot`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.desktop.arguments import about_window
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop screenshot --app mousepad --out window.png"


@about_window
def command(
    out: Annotated[str | None, typer.Option("--out", metavar="FILE", help="Write the PNG here too.")] = None,
    **shared: Any,
) -> Call:
    """Take a picture of a window or of the whole desktop; protected fields are painted over."""
    return "desktop.screenshot", payload(out=out, **shared)
