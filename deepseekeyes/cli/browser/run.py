"""`browser run`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.browser.arguments import DEFAULT, Enable, Headless, SessionName, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser run steps.jsonl"


def command(
    steps: Annotated[str, typer.Argument(metavar="STEPS", help="A file of steps, or - for a pipe.")],
    enable: Enable = False,
    headless: Headless = None,
    keep_going: Annotated[bool, typer.Option("--keep-going", help="Go on after a step that failed.")] = False,
    session: SessionName = DEFAULT,
) -> Call:
    """Run a script of steps in one process, write the report, close."""
    return "browser.run", payload(locals())
