"""`mcp prompt SERVER NAME`: one prompt with its arguments."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from deepseekeyes.contracts.mcp import McpResult
from deepseekeyes.contracts.model import Contract
from deepseekeyes.mcp.calling import Asked, perform
from deepseekeyes.mcp.deps import McpDeps
from deepseekeyes.mcp.gates import prompt_gate


class PromptRequest(Contract):
    """`arguments` are the ones that the prompt declares; values are text."""

    server: str
    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    run_id: str | None = None
    enable: bool = False
    provider: str | None = None


async def prompt(request: PromptRequest, deps: McpDeps) -> McpResult:
    """Fetch a prompt through every gate; counted, audited and bounded like a call.

    Raises:
        EyesError: MCP_DISABLED, MCP_SERVER_UNKNOWN, MCP_CONTENT_UNAVAILABLE, MCP_PROMPTS_DISABLED, MCP_PROMPT_UNKNOWN,
            MCP_PROMPT_NOT_ALLOWED, MCP_PROMPT_ARGUMENT_INVALID, MCP_PROMPT_ARGUMENT_REQUIRED,
            MCP_EXTERNAL_CALL_LIMIT_REACHED, MCP_PROMPT_GET_FAILED, MCP_PROMPT_RESULT_INVALID, and the codes of the
            result.
    """
    asked = Asked(
        request.server,
        "prompt",
        request.name,
        request.arguments,
        run_id=request.run_id,
        enable=request.enable,
        provider=request.provider,
    )
    return await perform(deps, asked, lambda live: prompt_gate(live, deps.settings, request.name, request.arguments))
