"""`usage show`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes usage show --by route --since 2026-12-01"


def command(
    by: Annotated[
        Literal["purpose", "route", "provider", "model", "day", "outcome"], typer.Option("--by", help="How to group.")
    ] = "purpose",
    since: Annotated[
        str | None, typer.Option("--since", metavar="YYYY-MM-DD", help="Only from this day on (UTC).")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=20_000, help="Groups at most.")] = 200,
) -> Call:
    """What was spent: tokens as providers reported them, estimates apart, money only where a price is known."""
    return "usage.show", {"by": by, "since": since, "limit": limit}
