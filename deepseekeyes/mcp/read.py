"""`mcp read SERVER URI`: one resource."""

from __future__ import annotations

from deepseekeyes.contracts.mcp import McpResult
from deepseekeyes.contracts.model import Contract
from deepseekeyes.mcp.calling import Asked, perform
from deepseekeyes.mcp.deps import McpDeps
from deepseekeyes.mcp.gates import resource_gate


class ReadRequest(Contract):
    """`uri` is listed, or fits a listed template."""

    server: str
    uri: str
    run_id: str | None = None
    enable: bool = False
    provider: str | None = None


async def read(request: ReadRequest, deps: McpDeps) -> McpResult:
    """Read a resource through every gate; counted, audited and bounded like a call.

    Raises:
        EyesError: MCP_DISABLED, MCP_SERVER_UNKNOWN, MCP_CONTENT_UNAVAILABLE, MCP_RESOURCES_DISABLED,
            MCP_RESOURCE_UNKNOWN, MCP_RESOURCE_NOT_ALLOWED, MCP_EXTERNAL_CALL_LIMIT_REACHED, MCP_RESOURCE_READ_FAILED,
            MCP_RESOURCE_RESULT_INVALID, and the codes of the result.
    """
    asked = Asked(
        request.server,
        "resource",
        request.uri,
        {"uri": request.uri},
        run_id=request.run_id,
        enable=request.enable,
        provider=request.provider,
    )
    return await perform(deps, asked, lambda live: resource_gate(live, deps.settings, request.uri))
