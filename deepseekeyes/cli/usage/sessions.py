"""`usage sessions`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes usage sessions --limit 5"


def command(
    session: Annotated[
        str | None, typer.Argument(metavar="HASH", help="Only sessions whose hash begins like this.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=1000, help="Sessions at most.")] = 50,
) -> Call:
    """List the recent sessions with their sums, newest first; session ids are stored hashed."""
    return "usage.sessions", {"session": session, "limit": limit}
