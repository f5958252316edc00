"""`mcp prompts`."""

from __future__ import annotations

from deepseekeyes.cli.mcp.arguments import Enable, OneServer
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes mcp prompts notes"


def command(server: OneServer = None, enable: Enable = False) -> Call:
    """List prompts with their arguments, and whether they may be fetched."""
    return "mcp.prompts", {"server": server, "enable": enable}
