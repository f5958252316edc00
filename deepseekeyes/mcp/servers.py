"""`mcp servers`: every configured server and what is known about it."""

from __future__ import annotations

from deepseekeyes.contracts.mcp import McpServer, McpServers
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.mcp.deps import McpDeps, require_enabled
from deepseekeyes.mcp.describe import known_server, live_server
from deepseekeyes.mcp.live import Live
from deepseekeyes.mcp.oauth_document import with_sign_in

AT_ONCE = 8


class ServersRequest(Contract):
    """`probe` connects to every server that is switched on; otherwise nothing is started."""

    probe: bool = False
    enable: bool = False


async def servers(request: ServersRequest, deps: McpDeps) -> McpServers:
    """List the servers in the order of the configuration.

    Raises:
        EyesError: MCP_DISABLED when probing while the planes are off.
    """
    configured = deps.settings.servers
    if not request.probe:
        return McpServers(enabled=deps.settings.enabled, items=tuple(_known(each, deps) for each in configured))
    require_enabled(deps, enable=request.enable)
    await loop_needed()
    import asyncio

    slots = asyncio.Semaphore(AT_ONCE)

    async def probed(server_id: str) -> McpServer:
        async with slots:
            return await _probe(server_id, deps)

    items = await asyncio.gather(*(probed(server_id) for server_id in configured))
    return McpServers(enabled=deps.settings.enabled, items=tuple(items))


async def _probe(server_id: str, deps: McpDeps) -> McpServer:
    if not deps.settings.servers[server_id].enabled:
        return _known(server_id, deps)
    try:
        async with deps.upstreams.using(server_id) as live:
            return _live(live, deps)
    except EyesError as failed:
        return _known(server_id, deps, failed)


def _known(server_id: str, deps: McpDeps, error: EyesError | None = None) -> McpServer:
    live = deps.upstreams.live(server_id)
    if live is not None and live.alive and error is None:
        return _live(live, deps)
    server = deps.settings.servers[server_id]
    try:
        cached = deps.upstreams.cache.load(server_id, server, deps.settings)
        pins = deps.upstreams.pins.of(server_id) if cached else {}
    except EyesError as unreadable:
        cached, pins, error = None, {}, error or unreadable
    document = known_server(server_id, server, deps.settings, cached, pins, error)
    return with_sign_in(document, server, deps.sign_in(server_id))


def _live(live: Live, deps: McpDeps) -> McpServer:
    document = live_server(live, deps.upstreams.exposure([live.server_id]))
    return with_sign_in(document, live.server, deps.sign_in(live.server_id))
