"""`browser upload`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.gestures import on_control, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser upload report.pdf --name Attachment"


@on_control
def command(
    file: Annotated[list[str], typer.Argument(metavar="FILE", help="Files.")],
    **shared: Any,
) -> Call:
    """Hand files to a file field."""
    return "browser.upload", payload(file=file, **shared)
