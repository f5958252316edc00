"""`mcp tools`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.mcp.arguments import Enable, OneServer
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes mcp tools files --schema --json | jq '.items[].inputSchema'"


def command(
    server: OneServer = None,
    schema: Annotated[bool, typer.Option("--schema", help="With the schemas.")] = False,
    refresh: Annotated[bool, typer.Option("--refresh", help="Ask the servers again.")] = False,
    enable: Enable = False,
) -> Call:
    """List the tools a model may be shown, and every other one with the reason why it is withheld.

    Answers from what the last connection listed, and says when that was.
    """
    return "mcp.tools", {"server": server, "schemas": schema, "refresh": refresh, "enable": enable}
