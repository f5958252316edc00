"""`mcp remove`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.mcp.arguments import Server
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes mcp remove files"


def command(
    server: Server,
    forget: Annotated[
        bool, typer.Option("--forget", help="Also forget its tools' definitions, so that it starts as unknown.")
    ] = False,
) -> Call:
    """Take a server out of the home's configuration; comments and everything else in the file stay."""
    return "mcp.remove", {"server": server, "forget": forget}
