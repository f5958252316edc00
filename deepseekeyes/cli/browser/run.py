"""`browser run`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.browser.arguments import Enable, Headless
from deepseekeyes.cli.gestures import in_session, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser run steps.jsonl"


@in_session
def command(
    steps: Annotated[str, typer.Argument(metavar="STEPS", help="A file of steps, or - for a pipe.")],
    enable: Enable = False,
    headless: Headless = None,
    keep_going: Annotated[bool, typer.Option("--keep-going", help="Go on after a step that failed.")] = False,
    **shared: Any,
) -> Call:
    """Run a script of steps in one process, write the report, close."""
    return "browser.run", payload(steps=steps, enable=enable, headless=headless, keep_going=keep_going, **shared)
