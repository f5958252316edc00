"""`vision show`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.arguments import RouteOption
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes vision show screenshot.png --out evidence.html"


def command(
    target: Annotated[
        str, typer.Argument(metavar="RECORD|IMAGE", help="A record file, - , a record's hash, or a picture.")
    ],
    out: Annotated[str | None, typer.Option("--out", metavar="FILE", help="Where to write: .png or .html.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    route: RouteOption = None,
) -> Call:
    """Draw evidence over its upright picture, as PNG or as one self-contained HTML page.

    A picture is read first. `-` takes an evidence-record.
    """
    return "vision.show", {"target": target, "out": out, "force": force, "route": route}
