"""`usage export`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes usage export --json > usage.json"


def command(
    limit: Annotated[
        int, typer.Option("--limit", min=0, max=1_000_000, help="Single calls at most, the newest.")
    ] = 10_000,
) -> Call:
    """Print the running totals and the single calls that are still kept."""
    return "usage.export", {"limit": limit}
