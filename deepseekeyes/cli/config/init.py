"""`config init`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes config init"


def command(force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False) -> Call:
    """Write a commented starter configuration to the home."""
    return "config.init", {"force": force}
