"""`vision eval`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.arguments import RouteOption
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes vision eval --route local --min-accuracy 0.9"


def command(
    suite: Annotated[
        str | None, typer.Argument(metavar="SUITE", help="A suite.json or its folder; by default the packaged suite.")
    ] = None,
    route: RouteOption = None,
    min_accuracy: Annotated[
        float | None,
        typer.Option("--min-accuracy", min=0, max=1, metavar="SHARE", help="Exit 1 when fewer assertions hold."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="CATEGORY", help="Run this category; may be repeated.")
    ] = None,
) -> Call:
    """Measure how well an eye reads: pictures with known truth, held against what it says.

    Every reading is real: stored records are not asked, and nothing is stored but usage. Misses, answers that hold no
    evidence and calls that failed are counted apart.
    """
    return "vision.eval", {"suite": suite, "route": route, "min_accuracy": min_accuracy, "only": only or ()}
