"""`mcp audit`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from deepseekeyes.cli.mcp.arguments import Limit, RunId
from deepseekeyes.cli.parse import Call

Status = Literal["success", "error", "denied"]

EXAMPLE = "deepseekeyes mcp audit --server files --status denied"


def command(
    server: Annotated[str | None, typer.Option("--server", metavar="SERVER", help="Only this server.")] = None,
    run_id: RunId = None,
    status: Annotated[Status | None, typer.Option("--status", help="Only calls that ended like this.")] = None,
    limit: Limit = 50,
) -> Call:
    """Print the last calls, newest first: what was called, how it ended, digests of arguments and results."""
    return "mcp.audit", {"server": server, "run_id": run_id, "status": status, "limit": limit}
