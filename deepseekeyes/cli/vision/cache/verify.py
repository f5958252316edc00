"""`vision cache verify`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes vision cache verify"


def command(
    record: Annotated[str | None, typer.Argument(metavar="RECORD", help="One record; all when absent.")] = None,
) -> Call:
    """Re-check stored records offline: digest, schema, source and rendition hashes, boxes. Exits 1 when one fails."""
    return "vision.cache.verify", {"record": record}
