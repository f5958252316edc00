"""`mcp lint`."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from deepseekeyes.cli.mcp.arguments import OneServer
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes mcp lint files --call\ndeepseekeyes mcp lint --command 'node dist/index.js stdio' --json"


def command(
    server: OneServer = None,
    words: Annotated[
        str, typer.Option("--command", metavar="COMMAND", help="A server that is not configured: how to start it.")
    ] = "",
    url: Annotated[
        str | None, typer.Option("--url", metavar="URL", help="A server that is not configured: where it is.")
    ] = None,
    env: Annotated[
        list[str] | None, typer.Option("--env", metavar="NAME", help="Pass this variable on to --command.")
    ] = None,
    call: Annotated[
        bool, typer.Option("--call", help="Also call tools that are declared to only read, and read resources.")
    ] = False,
) -> Call:
    """Run a server through everything a client may meet or do, and score it from 0 to 100.

    Exits 0 when no check fails, 1 when one does, 3 when the server cannot be started. No tool is called without --call.
    """
    payload = {"server": server, "command": tuple(shlex.split(words)), "url": url, "env": tuple(env or ())}
    return "mcp.lint", {**payload, "call": call}
