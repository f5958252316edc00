"""`mcp reconnect SERVER`: end the connection and open a new one, secrets read again."""

from __future__ import annotations

from deepseekeyes.contracts.mcp import McpServers
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.mcp.deps import McpDeps, require_enabled
from deepseekeyes.mcp.describe import live_server


class ReconnectRequest(Contract):
    """`server` is an id."""

    server: str
    enable: bool = False


async def reconnect(request: ReconnectRequest, deps: McpDeps) -> McpServers:
    """The server as the new connection found it. Outside a serving process the connection ends with the command, and
    every serving process is asked to reconnect too.

    Raises:
        EyesError: MCP_DISABLED, MCP_SERVER_UNKNOWN, MCP_SERVER_DISABLED, MCP_CLOSE_FAILED, and why connecting failed.
    """
    require_enabled(deps, enable=request.enable)
    deps.upstreams.server(request.server)
    await loop_needed()
    async with deps.upstreams.using(request.server, fresh=True) as live:
        described = live_server(live, deps.upstreams.exposure([request.server]))
    deps.tell(request.server, "reconnect")
    return McpServers(enabled=deps.settings.enabled, items=(described,))
