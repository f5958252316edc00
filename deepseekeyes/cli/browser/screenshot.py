"""`browser screenshot`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.browser.arguments import DEFAULT, SessionName, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser screenshot --out page.png"


def command(
    out: Annotated[str | None, typer.Option("--out", metavar="FILE", help="Write the PNG here too.")] = None,
    session: SessionName = DEFAULT,
) -> Call:
    """Take a picture of the viewport; protected fields are painted over."""
    return "browser.screenshot", payload(locals())
