"""`desktop launch`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.desktop.arguments import on_program
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop launch mousepad --enable --allow-launch"


@on_program
def command(
    program: Annotated[str, typer.Argument(metavar="PROGRAM", help="Name on the PATH, or a whole path.")],
    arguments: Annotated[list[str] | None, typer.Argument(metavar="ARGUMENT", help="Its arguments; after --.")] = None,
    allow_launch: Annotated[bool, typer.Option("--allow-launch", help="Allow it for this once.")] = False,
    wait_ms: Annotated[int | None, typer.Option("--wait", min=0, metavar="MS", help="For its first window.")] = None,
    **shared: Any,
) -> Call:
    """Start an allowed program, and look at its first window."""
    return "desktop.launch", payload(
        program=program, arguments=arguments, allow_launch=allow_launch, wait_ms=wait_ms, **shared
    )
