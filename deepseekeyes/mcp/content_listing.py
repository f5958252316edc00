"""Asking several servers for their content, each on its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.mcp_lists import McpUnlisted
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.mcp.codes import MCP_CONTENT_DISABLED
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.deps import McpDeps, require_enabled
from deepseekeyes.mcp.live import Live

Item = TypeVar("Item")


async def list_content(
    deps: McpDeps,
    server_id: str | None,
    *,
    enable: bool,
    switched_on: Callable[[ServerSettings], bool],
    items: Callable[[Live], list[Item]],
) -> tuple[tuple[Item, ...], tuple[McpUnlisted, ...]]:
    """The items of one server, or of every server that has the plane on; always read live.

    Returns:
        The items, and the servers that could not answer while others could.

    Raises:
        EyesError: MCP_DISABLED, MCP_SERVER_UNKNOWN, MCP_SERVER_DISABLED, MCP_CONTENT_DISABLED, and, when no server
            could answer, the failure of the first.
    """
    require_enabled(deps, enable=enable)
    if server_id is not None:
        if not switched_on(deps.upstreams.server(server_id)):
            raise EyesError(
                MCP_CONTENT_DISABLED, f"That part of the server {server_id} is switched off.", server=server_id
            )
        wanted = [server_id]
    else:
        wanted = [each for each, server in deps.settings.servers.items() if server.enabled and switched_on(server)]
    await loop_needed()
    import asyncio

    async def ask(each: str) -> list[Item]:
        async with deps.upstreams.using(each) as live:
            if live.content_error is not None:
                raise live.content_error
            return items(live)

    found = await asyncio.gather(*(ask(each) for each in wanted), return_exceptions=True)
    failed: list[McpUnlisted] = []
    for server, answer in zip(wanted, found, strict=True):
        if isinstance(answer, EyesError) and len(failed) + 1 < len(wanted):
            failed.append(McpUnlisted(server=server, error=ErrorBody.of(answer)))
        elif isinstance(answer, BaseException):
            raise next(each for each in found if isinstance(each, BaseException))
    return tuple(item for answer in found if isinstance(answer, list) for item in answer), tuple(failed)
