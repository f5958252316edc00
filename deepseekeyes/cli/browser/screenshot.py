"""`browser screenshot`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.gestures import in_session, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser screenshot --out page.png"


@in_session
def command(
    out: Annotated[str | None, typer.Option("--out", metavar="FILE", help="Write the PNG here too.")] = None,
    **shared: Any,
) -> Call:
    """Take a picture of the viewport; protected fields are painted over."""
    return "browser.screenshot", payload(out=out, **shared)
