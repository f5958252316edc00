"""`vision schema`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes vision schema --variant target"


def command(
    variant: Annotated[
        Literal["base", "target"] | None, typer.Option("--variant", help="One variant; both when absent.")
    ] = None,
) -> Call:
    """Print the evidence contract as JSON Schema (draft-07)."""
    return "vision.schema", {"variant": variant}
