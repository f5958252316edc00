"""`desktop observe`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.desktop.arguments import about_window
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop observe --app mousepad"


@about_window
def command(
    scope: Annotated[str | None, typer.Option("--scope", help="desktop, or window: the active one.")] = None,
    screenshot: Annotated[
        bool | None,
        typer.Option("--screenshot/--no-screenshot", help="Show the pixels, or do not.", show_default=False),
    ] = None,
    role: Annotated[str | None, typer.Option("--role", help="Only elements of this role.")] = None,
    find: Annotated[str | None, typer.Option("--find", metavar="TEXT", help="Only elements that hold this.")] = None,
    **shared: Any,
) -> Call:
    """Look at the desktop, or at one window with its elements."""
    return "desktop.observe", payload(scope=scope, screenshot=screenshot, role=role, find=find, **shared)
