"""`probe challenge`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes probe challenge --rung grid --seed 7 --out p.png --json"


def command(
    rung: Annotated[Literal["grid", "text", "place", "blank", "inject"], typer.Option("--rung", help="Which kind.")],
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Which picture; a random one when absent.")] = None,
    out: Annotated[str | None, typer.Option("--out", metavar="FILE", help="Write the PNG here as well.")] = None,
    reveal: Annotated[bool, typer.Option("--reveal", help="Put the right answer into the document.")] = False,
) -> Call:
    """Draw a picture with a known truth and print what to ask about it, so that any eye can be tested.

    The document can be piped into `vision read -`; `probe grade` with the same rung and seed judges the answer.
    """
    return "probe.challenge", {"rung": rung, "seed": seed, "out": out, "reveal": reveal}
