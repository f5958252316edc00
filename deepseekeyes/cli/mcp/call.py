"""`mcp call`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.mcp.arguments import Args, Enable, RunId, Server, Tool
from deepseekeyes.cli.parse import Call

EXAMPLE = """\
deepseekeyes mcp call files read_file --args '{"path": "notes.txt"}'
deepseekeyes mcp call everything get-tiny-image --json | deepseekeyes vision read -"""


def command(
    server: Server,
    tool: Tool,
    args: Args = None,
    run_id: RunId = None,
    confirm: Annotated[bool, typer.Option("--confirm", help="Ask on the terminal before anything is sent.")] = False,
    enable: Enable = False,
) -> Call:
    """Call one tool once, through every gate, and print its bounded result.

    Exits 1 when the tool reports an error of its own, 8 when the call may or may not have taken effect.
    """
    return "mcp.call", {
        "server": server,
        "tool": tool,
        "arguments": args or {},
        "run_id": run_id,
        "confirm": confirm,
        "enable": enable,
    }
