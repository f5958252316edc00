"""`mcp read`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.mcp.arguments import Enable, RunId, Server
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes mcp read notes notes://today"


def command(
    server: Server,
    uri: Annotated[str, typer.Argument(metavar="URI", help="A listed resource, or one that fits a listed template.")],
    run_id: RunId = None,
    enable: Enable = False,
) -> Call:
    """Read one resource, through every gate, and print it within bounds."""
    return "mcp.read", {"server": server, "uri": uri, "run_id": run_id, "enable": enable}
