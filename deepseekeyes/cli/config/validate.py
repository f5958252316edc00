"""`config validate`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes config validate deepseekeyes.toml"


def command(
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="A file; everything in force when absent.")] = None,
) -> Call:
    """Check a configuration file and list every problem. Exits 0 when valid and 1 when not."""
    return "config.validate", {"file": file}
