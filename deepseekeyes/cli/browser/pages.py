"""`browser pages`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.browser.arguments import DEFAULT, RequireVerified, SessionName, State, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser pages --switch p2"


def command(
    switch: Annotated[str | None, typer.Option("--switch", metavar="PAGE", help="Make this page active.")] = None,
    close: Annotated[str | None, typer.Option("--close", metavar="PAGE", help="Close this page.")] = None,
    state: State = None,
    session: SessionName = DEFAULT,
    require_verified: RequireVerified = False,
) -> Call:
    """List the pages, switch to one, or close one."""
    return "browser.pages", payload(locals())
