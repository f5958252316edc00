"""`browser sessions`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser sessions"


def command(
    kill: Annotated[str | None, typer.Option("--kill", metavar="NAME", help="End this session by force.")] = None,
) -> Call:
    """List live sessions, or end one by force."""
    return "browser.sessions", payload(kill=kill)
