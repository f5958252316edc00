"""`mcp approve SERVER TOOL`: see how a tool's definition changed, and accept it."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.mcp import McpApproval, McpChange
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.catalog import Tool
from deepseekeyes.mcp.codes import MCP_APPROVAL_STALE, MCP_CATALOG_UNKNOWN, MCP_TOOL_UNAVAILABLE
from deepseekeyes.mcp.deps import McpDeps
from deepseekeyes.mcp.pins import differences


class ApproveRequest(Contract):
    """`accept` remembers the present definition; `digest` is the one that was shown, and refuses any other."""

    server: str
    tool: str
    accept: bool = False
    digest: str | None = Field(
        default=None,
        pattern=r"^[0-9a-f]{8,64}$",
        description="the first 8 or more of the 64 digits of a digest, as the difference shows",
    )


async def approve(request: ApproveRequest, deps: McpDeps) -> McpApproval:
    """Compare the last listed definition with the remembered one, and replace it when accepted.

    Raises:
        EyesError: MCP_SERVER_UNKNOWN, MCP_CATALOG_UNKNOWN, MCP_TOOL_UNAVAILABLE, MCP_APPROVAL_STALE.
    """
    tool = _present(request, deps)
    pin = deps.upstreams.pins.of(request.server).get(tool.raw_name)
    if request.digest is not None and not tool.digest.startswith(request.digest):
        raise EyesError(
            MCP_APPROVAL_STALE,
            f"The definition of {tool.raw_name} is not the one that was shown.",
            server=request.server,
            tool=tool.raw_name,
        )
    same = pin is not None and pin.digest == tool.digest
    changes, omitted = ((), 0) if same or pin is None else differences(pin.definition, tool.definition())
    if request.accept and not same:
        deps.upstreams.pins.approve(request.server, tool)
        live = deps.upstreams.live(request.server)
        if live is not None:
            live.pins = deps.upstreams.pins.of(request.server)
        deps.tell(request.server, "refresh")
    return McpApproval(
        server=request.server,
        name=tool.raw_name,
        public_name=tool.public_name,
        status="unchanged" if same else "approved" if request.accept else "pending",
        pinned=None if pin is None else pin.digest,
        present=tool.digest,
        changes=tuple(McpChange(path=each.path, before=each.before, after=each.after) for each in changes),
        omitted=omitted,
    )


def _present(request: ApproveRequest, deps: McpDeps) -> Tool:
    server = deps.upstreams.server(request.server, usable=False)
    live = deps.upstreams.live(request.server)
    if live is not None and live.tools_ready:
        catalog = live.tools
    else:
        cached = deps.upstreams.cache.load(request.server, server, deps.settings)
        if cached is None:
            raise EyesError(
                MCP_CATALOG_UNKNOWN,
                f"The tools of the server {request.server} were never listed yet.",
                server=request.server,
            )
        catalog = cached.catalog
    tool = catalog.find(request.tool)
    if tool is None or tool.problem is not None:
        raise EyesError(
            MCP_TOOL_UNAVAILABLE,
            f"The server {request.server} has no tool {request.tool[:64]!r}.",
            server=request.server,
        )
    return tool
