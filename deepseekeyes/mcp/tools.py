"""`mcp tools [SERVER]`: what a model may be shown, and why the rest is withheld."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.mcp import McpCatalogSource, McpTools
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.mcp.codes import MCP_CATALOG_UNKNOWN
from deepseekeyes.mcp.deps import McpDeps, require_enabled
from deepseekeyes.mcp.describe import cached_source, tool_document, withheld_document
from deepseekeyes.mcp.exposure import Source, expose


class ToolsRequest(Contract):
    """`server` narrows to one; `refresh` asks the servers again, `known` asks none; `schemas` adds the schemas."""

    server: str | None = None
    refresh: bool = False
    known: bool = False
    schemas: bool = False
    enable: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    source: McpCatalogSource
    exposing: Source | None = None


async def tools(request: ToolsRequest, deps: McpDeps) -> McpTools:
    """List tools from open connections, else from memory, else (when the planes are on) by connecting.

    `listed` tools came in; each is either an item or withheld with its reason.

    Raises:
        EyesError: MCP_DISABLED, MCP_SERVER_UNKNOWN, MCP_SERVER_DISABLED.
    """
    if request.refresh:
        require_enabled(deps, enable=request.enable)
    if request.server is not None:
        deps.upstreams.server(request.server)
        wanted = [request.server]
    else:
        wanted = [server_id for server_id, server in deps.settings.servers.items() if server.enabled]
    wanted = [server_id for server_id in wanted if deps.settings.servers[server_id].tools_enabled]
    found = [None if request.refresh else _remembered(server_id, deps) for server_id in wanted]
    if None in found:
        found = await _asked(request, deps, wanted, found)
    known = [each for each in found if each is not None]
    exposure = expose([each.exposing for each in known if each.exposing is not None], deps.settings)
    items = tuple(tool_document(each, schemas=request.schemas) for each in exposure.exposed)
    withheld = tuple(withheld_document(each) for each in exposure.withheld)
    return McpTools(
        items=items,
        withheld=withheld,
        listed=len(items) + len(withheld),
        sources=tuple(each.source for each in known),
        schema_tokens_estimated=exposure.tokens,
    )


def _remembered(server_id: str, deps: McpDeps) -> _Found | None:
    live = deps.upstreams.live(server_id)
    if live is not None and live.tools_ready and "tools" not in live.wire.vitals().changed:
        return _Found(_source(server_id, "live", live.verified_at, len(live.tools)), live.source())
    server = deps.settings.servers[server_id]
    try:
        cached = deps.upstreams.cache.load(server_id, server, deps.settings)
        if cached is None:
            return None
        exposing = cached_source(server_id, server, cached, deps.upstreams.pins.of(server_id))
    except EyesError as failed:
        return _Found(_source(server_id, "none", None, None, failed))
    return _Found(_source(server_id, "cache", cached.verified_at, len(cached.catalog)), exposing)


async def _asked(
    request: ToolsRequest, deps: McpDeps, wanted: list[str], found: list[_Found | None]
) -> list[_Found | None]:
    if request.known or not (deps.settings.enabled or request.enable):
        return [each or _unknown(server_id) for server_id, each in zip(wanted, found, strict=True)]
    await loop_needed()
    import asyncio

    async def ask(server_id: str, known: _Found | None) -> _Found:
        if known is not None:
            return known
        try:
            async with deps.upstreams.using(server_id, fresh=request.refresh) as live:
                if live.tools_error is not None:
                    return _Found(_source(server_id, "live", live.verified_at, None, live.tools_error))
                return _Found(_source(server_id, "live", live.verified_at, len(live.tools)), live.source())
        except EyesError as failed:
            return _Found(_source(server_id, "none", None, None, failed))

    asked = await asyncio.gather(*(ask(server_id, each) for server_id, each in zip(wanted, found, strict=True)))
    return list(asked)


def _unknown(server_id: str) -> _Found:
    error = EyesError(
        MCP_CATALOG_UNKNOWN, f"The tools of the server {server_id} were never listed yet.", server=server_id
    )
    return _Found(_source(server_id, "none", None, None, error))


def _source(
    server_id: str,
    origin: Literal["live", "cache", "none"],
    verified_at: str | None,
    listed: int | None,
    error: EyesError | None = None,
) -> McpCatalogSource:
    return McpCatalogSource(
        server=server_id,
        source=origin,
        verified_at=verified_at,
        listed=listed,
        error=ErrorBody.of(error) if error is not None else None,
    )
