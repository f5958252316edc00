"""`mcp prompt`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.mcp.arguments import Args, Enable, RunId, Server, pair
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes mcp prompt notes summary --arg style=short"


def command(
    server: Server,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The prompt.")],
    pairs: Annotated[
        list[Any] | None,
        typer.Option("--arg", metavar="NAME=VALUE", parser=pair, help="One argument; may be given several times."),
    ] = None,
    args: Args = None,
    run_id: RunId = None,
    enable: Enable = False,
) -> Call:
    """Fetch one prompt with its arguments, through every gate."""
    return "mcp.prompt", {
        "server": server,
        "name": name,
        "arguments": {**(args or {}), **dict(pairs or ())},
        "run_id": run_id,
        "enable": enable,
    }
