"""`probe run`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes probe run qwen --rung grid --rung place"


def command(
    routes: Annotated[
        list[str] | None,
        typer.Argument(metavar="ROUTE", help="Ids or provider/model; the first of the plan when none."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every enabled eye.")] = False,
    rungs: Annotated[
        list[str] | None,
        typer.Option(
            "--rung",
            metavar="[grid|text|place|blank|inject]",
            help="Only this rung; may be given several times. All when absent.",
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Replay the challenges of this seed.")] = None,
) -> Call:
    """Prove that routes see: run the ladder, store the verdicts, and print the chance of a blind guess for each rung.

    Exits 0 when every rung that was run passed, 1 when one failed. A route that sees nothing is not asked the other
    rungs unless they are named.
    """
    return "probe.run", {"routes": tuple(routes or ()), "all": every, "rungs": tuple(rungs or ()), "seed": seed}
