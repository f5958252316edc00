"""`browser dialog`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.gestures import on_surface, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser dialog --accept"


@on_surface
def command(
    accept: Annotated[bool, typer.Option("--accept/--dismiss", help="Accept or dismiss it.")],
    answer: Annotated[str | None, typer.Option("--answer", help="Text for a prompt.")] = None,
    **shared: Any,
) -> Call:
    """Answer the dialog that is open."""
    return "browser.dialog", payload(accept=accept, answer=answer, **shared)
