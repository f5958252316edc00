"""`mcp servers`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.mcp.arguments import Enable
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes mcp servers --probe"


def command(
    probe: Annotated[bool, typer.Option("--probe", help="Connect to every server that is switched on.")] = False,
    enable: Enable = False,
) -> Call:
    """List the configured servers: state of each plane, latency, how many tools are shown and withheld.

    Nothing is started without --probe; the counts are then of the last connection.
    """
    return "mcp.servers", {"probe": probe, "enable": enable}
