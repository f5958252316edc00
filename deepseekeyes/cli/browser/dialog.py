"""`browser dialog`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.browser.arguments import DEFAULT, RequireVerified, SessionName, State, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser dialog --accept"


def command(
    accept: Annotated[bool, typer.Option("--accept/--dismiss", help="Accept or dismiss it.")],
    answer: Annotated[str | None, typer.Option("--answer", help="Text for a prompt.")] = None,
    state: State = None,
    session: SessionName = DEFAULT,
    require_verified: RequireVerified = False,
) -> Call:
    """Answer the dialog that is open."""
    return "browser.dialog", payload(locals())
