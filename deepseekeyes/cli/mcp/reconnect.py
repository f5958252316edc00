"""`mcp reconnect`."""

from __future__ import annotations

from deepseekeyes.cli.mcp.arguments import Enable, Server
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes mcp reconnect files --enable"


def command(server: Server, enable: Enable = False) -> Call:
    """End a server's connection and open a new one; the variables it refers to are read again."""
    return "mcp.reconnect", {"server": server, "enable": enable}
