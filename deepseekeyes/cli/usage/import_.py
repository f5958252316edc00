"""`usage import`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes usage import usage-stats.json"


def command(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A usage-stats.json, or the output of `usage export`.")],
) -> Call:
    """Add statistics that were counted elsewhere to the totals, once; the file is left alone."""
    return "usage.import", {"file": file}
