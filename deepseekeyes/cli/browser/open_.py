"""`browser open`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.browser.arguments import Enable, Headless
from deepseekeyes.cli.gestures import on_surface, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser open https://example.org/"


@on_surface
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
    **shared: Any,
) -> Call:
    """Open an address; the first call starts the session's browser."""
    return "browser.open", payload(
        url=url,
        enable=enable,
        headless=headless,
        allow=allow,
        deny=deny,
        allow_private=allow_private,
        allow_file=allow_file,
        **shared,
    )
