"""`desktop wait`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.desktop.arguments import about_element
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop wait --until window --app mousepad"


@about_element
def command(
    until: Annotated[
        str | None,
        typer.Option("--until", help="time, window, no-window, title, visible, hidden, enabled, still or changed."),
    ] = None,
    expected: Annotated[str | None, typer.Option("--expected", help="A part of the title.")] = None,
    timeout_ms: Annotated[int | None, typer.Option("--timeout", min=0, metavar="MS", help="How long.")] = None,
    **shared: Any,
) -> Call:
    """Wait until something is so."""
    return "desktop.wait", payload(until=until, expected=expected, timeout_ms=timeout_ms, **shared)
