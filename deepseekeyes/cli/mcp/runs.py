"""`mcp runs`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from deepseekeyes.cli.mcp.arguments import Limit
from deepseekeyes.cli.parse import Call

Action = Literal["show", "end"]
FIELDS = {"show": "run_id", "end": "end"}

EXAMPLE = "deepseekeyes mcp runs show nightly\ndeepseekeyes mcp runs end nightly"


def command(
    action: Annotated[
        Action | None, typer.Argument(metavar="show|end", help="Show one run with its markers, or forget it.")
    ] = None,
    run: Annotated[str, typer.Argument(metavar="ID", help="The run.")] = "",
    limit: Limit = 100,
) -> Call:
    """List the runs: their calls so far and their journals. A run is made by the first call with its --run-id."""
    return "mcp.runs", {"limit": limit} | ({FIELDS[action]: run} if action else {})
