"""`mcp artifacts`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.mcp.arguments import Limit
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes mcp artifacts --server files"


def command(
    digest: Annotated[
        str | None,
        typer.Argument(metavar="DIGEST", help="One result with its content, by the start of its digest."),
    ] = None,
    server: Annotated[str | None, typer.Option("--server", metavar="SERVER", help="Only this server.")] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove the result, or with --server all of the server.")
    ] = False,
    limit: Limit = 100,
) -> Call:
    """List the whole results that were kept, or print one after checking its digest."""
    return "mcp.artifacts", {"digest": digest, "server": server, "remove": remove, "limit": limit}
