"""`mcp refresh`."""

from __future__ import annotations

from deepseekeyes.cli.mcp.arguments import Enable, Server
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes mcp refresh files --enable"


def command(server: Server, enable: Enable = False) -> Call:
    """Ask a server for its tools again and remember them."""
    return "mcp.refresh", {"server": server, "enable": enable}
