"""`mcp serve`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = """deepseekeyes mcp serve
deepseekeyes mcp serve --print-tools
deepseekeyes mcp serve --transport http --host 0.0.0.0 --token-env EYES_TOKEN"""


def command(
    transport: Annotated[Literal["stdio", "http"], typer.Option(help="How clients reach it.")] = "stdio",
    group: Annotated[
        list[str] | None,
        typer.Option(metavar="GROUP", help="Serve this group; may be repeated. Default: serve.mcp_groups."),
    ] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on, with --transport http.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")] = None,
    token_env: Annotated[
        str | None, typer.Option(metavar="NAME", help="The environment variable that holds the bearer token.")
    ] = None,
    upstream: Annotated[
        bool, typer.Option("--upstream", help="Serve the allowed tools of managed servers too.")
    ] = False,
    enable: Annotated[
        bool, typer.Option("--enable", help="Switch on what the served groups and --upstream need, for this process.")
    ] = False,
    print_tools: Annotated[bool, typer.Option("--print-tools", help="List the tools and end.")] = False,
) -> Call:
    """Serve our operations as MCP tools to any host.

    Over stdio it ends when its input does. Over HTTP it listens on loopback; beyond that a token is required, and
    pictures are named by hash or data URL unless serve.roots names folders.
    """
    return "mcp.serve", {
        "transport": transport, "groups": group or None, "host": host, "port": port, "token_env": token_env,
        "upstream": upstream, "enable": enable, "print_tools": print_tools,
    }  # fmt: skip
