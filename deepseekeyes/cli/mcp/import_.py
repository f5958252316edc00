"""`mcp import`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes mcp import ~/.cursor/mcp.json --dry-run\ndeepseekeyes mcp import .vscode/mcp.json"


def command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="JSON with `mcpServers` or `servers`; - reads standard input.")
    ],
    only: Annotated[list[str] | None, typer.Option("--only", metavar="NAME", help="Only this server.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace servers of the same name.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be written.")] = False,
) -> Call:
    """Take over the servers that another program is configured with.

    Values that stand in the file are not taken over: each becomes a reference to a variable that is named for you to
    set. Nothing is allowed and nothing is started.
    """
    return "mcp.import", {"file": file, "only": tuple(only or ()), "replace": replace, "dry_run": dry_run}
