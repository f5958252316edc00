"""`desktop run`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.desktop.arguments import in_session
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop run steps.jsonl --enable"


@in_session
def command(
    steps: Annotated[str, typer.Argument(metavar="STEPS", help="A file of steps, or - for a pipe.")],
    keep_going: Annotated[bool, typer.Option("--keep-going", help="Go on after a step that failed.")] = False,
    keep_open: Annotated[bool, typer.Option("--keep-open", help="Leave the session open afterwards.")] = False,
    allow_launch: Annotated[bool, typer.Option("--allow-launch", help="Allow the programs it launches.")] = False,
    **shared: Any,
) -> Call:
    """Run a script of steps in one process, write the report, close the session."""
    return "desktop.run", payload(
        steps=steps, keep_going=keep_going, keep_open=keep_open, allow_launch=allow_launch, **shared
    )
