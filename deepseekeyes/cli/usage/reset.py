"""`usage reset`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes usage reset --yes"


def command(
    yes: Annotated[bool, typer.Option("--yes", help="The numbers may go for good.")] = False,
) -> Call:
    """Remove all usage rows, totals and sessions, and begin anew."""
    return "usage.reset", {"yes": yes}
