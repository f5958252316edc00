"""`mcp approve`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.mcp.arguments import Server, Tool
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes mcp approve files read_file --yes"


def command(
    server: Server,
    tool: Tool,
    yes: Annotated[bool, typer.Option("--yes", help="Accept the present definition.")] = False,
    digest: Annotated[
        str | None,
        typer.Option("--digest", metavar="HEX", help="Accept only the definition whose digest begins like this."),
    ] = None,
) -> Call:
    """Show how a tool's definition differs from the remembered one; with --yes remember the present one.

    A tool whose definition changed is withheld until then.
    """
    return "mcp.approve", {"server": server, "tool": tool, "accept": yes, "digest": digest}
