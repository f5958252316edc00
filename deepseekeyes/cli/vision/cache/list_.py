"""`vision cache list`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes vision cache list --limit 20"


def command(
    limit: Annotated[int, typer.Option("--limit", min=1, max=10000, help="Most recent records first.")] = 100,
    image: Annotated[
        str | None, typer.Option("--image", metavar="SHA256", help="Only records of this picture.")
    ] = None,
) -> Call:
    """List stored evidence records, newest first."""
    return "vision.cache.list", {"limit": limit, "image": image}
