"""`mcp refresh SERVER`: ask a server for its tools again and remember them."""

from __future__ import annotations

from deepseekeyes.contracts.mcp import McpTools
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.mcp.deps import McpDeps, require_enabled
from deepseekeyes.mcp.tools import ToolsRequest, tools


class RefreshRequest(Contract):
    """`server` is an id."""

    server: str
    enable: bool = False


async def refresh(request: RefreshRequest, deps: McpDeps) -> McpTools:
    """The server's tools as they are now. An open connection is kept; otherwise one is opened for the occasion.

    Raises:
        EyesError: MCP_DISABLED, MCP_SERVER_UNKNOWN, MCP_SERVER_DISABLED.
    """
    require_enabled(deps, enable=request.enable)
    deps.upstreams.server(request.server)
    live = deps.upstreams.live(request.server)
    if live is None or not live.alive:
        listed = await tools(ToolsRequest(server=request.server, refresh=True, enable=request.enable), deps)
        deps.tell(request.server, "refresh")
        return listed
    await loop_needed()
    await deps.upstreams.refresh(live)
    return await tools(ToolsRequest(server=request.server, enable=request.enable), deps)
