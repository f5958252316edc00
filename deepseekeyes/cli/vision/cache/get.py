"""`vision cache get`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes vision cache get 3f9a2b"


def command(
    record: Annotated[
        str, typer.Argument(metavar="RECORD", help="Record hash or cache key; a unique prefix of 4 or more serves.")
    ],
) -> Call:
    """Print one stored evidence record."""
    return "vision.cache.get", {"record": record}
