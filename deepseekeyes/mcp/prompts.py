"""`mcp prompts [SERVER]`: prompts, their arguments, and whether they may be fetched."""

from __future__ import annotations

from deepseekeyes.contracts.mcp_lists import McpPrompt, McpPromptArgument, McpPrompts
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.mcp.content_catalog import Entry, prompt_allowed
from deepseekeyes.mcp.content_listing import list_content
from deepseekeyes.mcp.deps import McpDeps
from deepseekeyes.mcp.live import Live
from deepseekeyes.mcp.surface import visible


class PromptsRequest(Contract):
    """`server` narrows to one."""

    server: str | None = None
    enable: bool = False


async def prompts(request: PromptsRequest, deps: McpDeps) -> McpPrompts:
    """List prompts of each server in the order it gave them.

    Raises:
        EyesError: as `list_content`.
    """
    items, failed = await list_content(
        deps,
        request.server,
        enable=request.enable,
        switched_on=lambda server: server.prompts_enabled,
        items=lambda live: [_prompt(live, entry) for entry in live.content.prompts],
    )
    return McpPrompts(items=items, failed=failed, verified_at=rfc3339(deps.clock.now()))


def _prompt(live: Live, entry: Entry) -> McpPrompt:
    return McpPrompt(
        server=live.server_id,
        name=entry["name"],
        title=entry.get("title") and visible(entry["title"]),
        description=entry.get("description") and visible(entry["description"]),
        arguments=tuple(
            McpPromptArgument(name=each["name"], description=each.get("description"), required=each["required"])
            for each in entry["arguments"]
        ),
        allowed=prompt_allowed(live.server_id, live.server, entry["name"]),
    )
