"""`browser wait`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.gestures import about_control, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser wait --until text --expected Saved"


@about_control
def command(
    until: Annotated[
        str | None, typer.Option("--until", help="time, text, url, visible, hidden, enabled, dialog, download or page.")
    ] = None,
    expected: Annotated[str | None, typer.Option("--expected", help="Text, or a part of the address.")] = None,
    timeout_ms: Annotated[
        int | None, typer.Option("--timeout", min=0, max=120_000, metavar="MS", help="How long.")
    ] = None,
    **shared: Any,
) -> Call:
    """Wait until something is so."""
    return "browser.wait", payload(until=until, expected=expected, timeout_ms=timeout_ms, **shared)
