"""A stdio MCP server on the official SDK with two tools, for measuring clients against."""

from __future__ import annotations

from mcp.server import MCPServer
from mcp.types import ToolAnnotations

server = MCPServer("echo")
READS = ToolAnnotations(readOnlyHint=True)


@server.tool(annotations=READS, structured_output=False)
def echo(text: str, n: int) -> str:
    """Say it back."""
    return f"{text} {n}"


@server.tool(annotations=READS, structured_output=False)
def big(characters: int, n: int) -> str:
    """Text of this length."""
    line = f"{n} All work and no play makes a long result. "
    return (line * (characters // len(line) + 1))[:characters]


if __name__ == "__main__":
    server.run()
