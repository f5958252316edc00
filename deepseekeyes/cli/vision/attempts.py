"""`vision attempts`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes vision attempts --failed"


def command(
    limit: Annotated[int, typer.Option("--limit", min=1, max=10_000, metavar="N", help="At most so many.")] = 50,
    route: Annotated[str | None, typer.Option("--route", metavar="ID", help="Only those on this route.")] = None,
    image: Annotated[
        str | None, typer.Option("--image", metavar="SHA256", help="Only those about this picture.")
    ] = None,
    failed: Annotated[bool, typer.Option("--failed", help="Only those that failed.")] = False,
) -> Call:
    """List what was tried on which route, newest first: no words, no pictures, only how it ended."""
    return "vision.attempts", {"limit": limit, "route": route, "image": image, "failed": failed}
