"""`mcp allow`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from deepseekeyes.cli.mcp.arguments import Server
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes mcp allow files read_file 'list_*'\ndeepseekeyes mcp allow notes 'notes://*' --kind resources"

Kind = Literal["tools", "resources", "prompts"]


def command(
    server: Server,
    selectors: Annotated[list[str], typer.Argument(metavar="GLOB", help="Names; * is any run, ? one character.")],
    kind: Annotated[Kind, typer.Option("--kind", help="What the names are of.")] = "tools",
    deny: Annotated[bool, typer.Option("--deny", help="Change the deny list, which wins.")] = False,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Take the names out of the list.")] = False,
) -> Call:
    """Allow tools, resources or prompts of a server, or deny them, in the home's configuration."""
    return "mcp.allow", {
        "server": server,
        "selectors": tuple(selectors),
        "kind": kind,
        "deny": deny,
        "withdraw": withdraw,
    }
