"""`mcp test`."""

from __future__ import annotations

from deepseekeyes.cli.mcp.arguments import Enable, Server
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes mcp test files --enable"


def command(server: Server, enable: Enable = False) -> Call:
    """Connect to a server anew and report how it went: both planes, counts, times, noise on its stdout.

    Exits 0 when it works, otherwise by the kind of what failed.
    """
    return "mcp.test", {"server": server, "enable": enable}
