"""`probe show`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes probe show --forget qwen"


def command(
    route: Annotated[
        str | None, typer.Argument(metavar="ROUTE", help="An id or provider/model; all when absent.")
    ] = None,
    forget: Annotated[
        str | None, typer.Option("--forget", metavar="ROUTE", help="Drop the verdict of this route first.")
    ] = None,
) -> Call:
    """List the stored verdicts: what was proved, when, for how long, and at what cost."""
    return "probe.show", {"route": route, "forget": forget}
