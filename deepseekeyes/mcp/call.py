"""`mcp call SERVER TOOL`: one call through every gate."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pydantic import Field

from deepseekeyes.contracts.mcp import McpResult
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.calling import Asked, perform
from deepseekeyes.mcp.codes import MCP_TOOL_NOT_APPROVED
from deepseekeyes.mcp.deps import McpDeps
from deepseekeyes.mcp.gates import Planned, tool_gate
from deepseekeyes.mcp.live import Live


class CallRequest(Contract):
    """`tool` is a raw or a public name; `run_id` makes the call part of a run; `provider` is whose model asks.

    `confirm` asks a person first.
    """

    server: str
    tool: str = Field(min_length=1)
    arguments: dict[str, Any] = Field(default_factory=dict)
    run_id: str | None = None
    confirm: bool = False
    enable: bool = False
    provider: str | None = None


async def call(request: CallRequest, deps: McpDeps) -> McpResult:
    """Call a tool once. A tool that reports its own error is a result whose status is `error`.

    Raises:
        EyesError: the first gate that refuses, in order: MCP_DISABLED, MCP_REQUIRES_DEEPSEEKEYES, MCP_SERVER_UNKNOWN,
            MCP_SERVER_DISABLED, MCP_RESULT_CONTEXT_UNAVAILABLE, why connecting failed, MCP_TOOL_UNAVAILABLE,
            MCP_TOOL_RISK_BLOCKED, MCP_TOOL_NOT_ALLOWED, MCP_TOOL_CHANGED, MCP_TOOL_WITHHELD, MCP_TOOL_NOT_APPROVED,
            MCP_EXTERNAL_CALL_LIMIT_REACHED; then MCP_TOOL_CALL_FAILED, MCP_TIMEOUT, MCP_CALL_UNRESOLVED,
            MCP_TRANSPORT_CLOSED, MCP_SESSION_LOST; then the codes of the result.
    """
    asked = Asked(
        request.server,
        "tool",
        request.tool,
        request.arguments,
        run_id=request.run_id,
        enable=request.enable,
        provider=request.provider,
    )

    def resolve(live: Live) -> Planned:
        exposure = deps.upstreams.exposure([request.server])
        return tool_gate(live, exposure, deps.settings, request.tool, request.arguments)

    return await perform(_asking(deps) if request.confirm else deps, asked, resolve)


def _asking(deps: McpDeps) -> McpDeps:
    """The same deps with a person in the way."""
    if deps.ask is None:
        raise EyesError(MCP_TOOL_NOT_APPROVED, "Nobody can be asked for approval here.", details={"dispatched": "no"})
    return replace(deps, authorise=deps.ask)
