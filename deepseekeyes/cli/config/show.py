"""`config show`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes config show vision.failover_attempts"


def command(
    key: Annotated[str | None, typer.Argument(metavar="KEY", help="A section or a key; all when absent.")] = None,
) -> Call:
    """Print every setting with its value and where it came from."""
    return "config.show", {"key": key}
