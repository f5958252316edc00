"""`desktop close`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.gestures import in_session, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop close --all"


@in_session
def command(
    all_sessions: Annotated[bool, typer.Option("--all", help="Every session; what runs stops.")] = False,
    **shared: Any,
) -> Call:
    """End a session, or all at once; windows and programs stay as they are."""
    return "desktop.close", payload(all=all_sessions, **shared)
