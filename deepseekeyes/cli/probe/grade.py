"""`probe grade`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes probe grade --rung grid --seed 7 answer.txt"


def command(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="What the eye answered.")],
    rung: Annotated[Literal["grid", "text", "place", "blank", "inject"], typer.Option("--rung", help="Which kind.")],
    seed: Annotated[int, typer.Option("--seed", min=0, help="The seed of the challenge.")],
) -> Call:
    """Judge an answer to a challenge by the truth of its seed.

    Exits 0 when it passes and 1 when not. `-` takes a model's text or an evidence-record.
    """
    return "probe.grade", {"file": file, "rung": rung, "seed": seed}
