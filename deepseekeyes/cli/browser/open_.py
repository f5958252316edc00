"""`browser open`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.browser.arguments import DEFAULT, Enable, Headless, RequireVerified, SessionName, State, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser open https://example.org/"


def command(
    url: Annotated[str, typer.Argument(metavar="URL", help="The address.")],
    enable: Enable = False,
    headless: Headless = None,
    allow: Annotated[
        list[str] | None, typer.Option("--allow", metavar="HOST", help="Open this host and no others.")
    ] = None,
    deny: Annotated[list[str] | None, typer.Option("--deny", metavar="HOST", help="Never open this host.")] = None,
    allow_private: Annotated[bool, typer.Option("--allow-private", help="Open private addresses too.")] = False,
    allow_file: Annotated[bool, typer.Option("--allow-file", help="Open local files too.")] = False,
    state: State = None,
    session: SessionName = DEFAULT,
    require_verified: RequireVerified = False,
) -> Call:
    """Open an address; the first call starts the session's browser."""
    return "browser.open", payload(locals())
