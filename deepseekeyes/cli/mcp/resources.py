"""`mcp resources`."""

from __future__ import annotations

from deepseekeyes.cli.mcp.arguments import Enable, OneServer
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes mcp resources files"


def command(server: OneServer = None, enable: Enable = False) -> Call:
    """List resources and resource templates, and whether they may be read."""
    return "mcp.resources", {"server": server, "enable": enable}
