"""`config trust`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes config trust"


def command(revoke: Annotated[bool, typer.Option("--revoke", help="Withdraw the trust.")] = False) -> Call:
    """Accept the working folder's deepseekeyes.toml as it is now; any later change asks again."""
    return "config.trust", {"revoke": revoke}
