"""One live server: its connection, its catalogs as they were last drained, and what went wrong with either plane."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.core.redact import surface
from deepseekeyes.mcp.catalog import Catalog, CatalogBuilder, Tool
from deepseekeyes.mcp.codes import (
    MCP_CATALOG_CURSOR_LOOP,
    MCP_CATALOG_PAGE_LIMIT,
    MCP_CATALOG_REJECTED,
    MCP_CONNECTION_UNHEALTHY,
    MCP_FRAME_LIMIT,
    MCP_METHOD_UNSUPPORTED,
    MCP_PROTOCOL_INVALID,
    MCP_STDOUT_NOISE,
    MCP_TIMEOUT,
)
from deepseekeyes.mcp.content_catalog import (
    METHOD_NOT_FOUND,
    ContentCatalog,
    drain_content,
    prompt_allowed,
    resource_allowed,
)
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.drain import PageBudget, drain
from deepseekeyes.mcp.exposure import Source
from deepseekeyes.mcp.pins import Pin
from deepseekeyes.mcp.ports import Fault, Wire, WireError, again
from deepseekeyes.mcp.settings import McpSettings


@dataclass(slots=True)
class Live:
    """What a connection is good for right now.

    Attributes:
        tools, content: the last complete catalogs; empty while a plane is in error.
        tools_error, content_error: why a plane is not usable, or None.
        pins: remembered definitions by raw name.
        connect_ms, latency_ms: how long connecting and the first listing took.
        verified_at: when the catalogs were drained (RFC 3339).
        trouble: code of a cache or pin file that could not be written.
    """

    server_id: str
    server: ServerSettings
    wire: Wire
    tools: Catalog = field(default_factory=Catalog)
    content: ContentCatalog = field(default_factory=ContentCatalog)
    tools_error: EyesError | None = None
    content_error: EyesError | None = None
    pins: Mapping[str, Pin] = field(default_factory=dict)
    connect_ms: int = 0
    latency_ms: int = 0
    verified_at: str = ""
    verified_clock: float = 0.0
    trouble: str | None = None

    @property
    def alive(self) -> bool:
        return self.wire.vitals().alive

    @property
    def tools_ready(self) -> bool:
        return self.server.tools_enabled and self.tools_error is None and self.alive

    @property
    def content_ready(self) -> bool:
        return self.server.content_enabled and self.content_error is None and self.alive

    def approved(self, tool: Tool) -> bool:
        """Whether a tool's definition is the remembered one; an unseen tool has nothing to differ from."""
        pin = self.pins.get(tool.raw_name)
        return pin is None or pin.digest == tool.digest

    def stamp(self) -> tuple[object, ...]:
        """Objects whose identity changes whenever `source()` would give something else."""
        return self.server, self.tools, self.content, self.pins, self.tools_ready, self.content_ready

    def source(self) -> Source:
        """This server as exposure sees it."""
        content = self.content if self.content_ready else ContentCatalog()
        server, server_id = self.server, self.server_id
        return Source(
            server_id,
            server,
            self.tools if self.tools_ready else Catalog(),
            self.approved,
            resources=any(resource_allowed(server_id, server, entry["uri"], None) for entry in content.resources)
            or any(
                resource_allowed(server_id, server, entry["uriTemplate"], entry["uriTemplate"])
                for entry in content.templates
            ),
            prompts=any(prompt_allowed(server_id, server, entry["name"]) for entry in content.prompts),
        )


async def drain_tools(wire: Wire, server_id: str, server: ServerSettings, settings: McpSettings) -> Catalog:
    """A server's complete tool catalog. A server without the Tools capability that does not know the method has none.

    Raises:
        EyesError: MCP_CATALOG_*, MCP_TIMEOUT, MCP_CONNECTION_UNHEALTHY and the codes of a broken connection.
    """
    builder = CatalogBuilder(server_id, settings, wire.objection)
    pages = PageBudget(settings.max_catalog_pages, settings.max_catalog_pages, MCP_CATALOG_PAGE_LIMIT)
    wire.settled("tools")
    try:
        await drain(
            wire,
            "tools/list",
            "tools",
            pages=pages,
            loop=MCP_CATALOG_CURSOR_LOOP,
            invalid=MCP_CATALOG_REJECTED,
            timeout_s=settings.timeout_s(server),
            take=builder.add,
        )
    except WireError as failed:
        missing = failed.fault == "answered" and failed.rpc_code == METHOD_NOT_FOUND
        if not missing or isinstance(wire.greeting.capabilities.get("tools"), dict):
            raise listing_error(server_id, "tools", failed) from failed
    return builder.finish()


async def drain_all_content(
    wire: Wire, server_id: str, server: ServerSettings, settings: McpSettings
) -> ContentCatalog:
    """A server's complete content catalog.

    Raises:
        EyesError: MCP_CONTENT_*, MCP_RESOURCES_UNSUPPORTED, MCP_PROMPTS_UNSUPPORTED and as `drain_tools`.
    """
    wire.settled("resources")
    wire.settled("prompts")
    try:
        return await drain_content(wire, server_id, server, settings)
    except WireError as failed:
        raise listing_error(server_id, "resources or prompts", failed) from failed


_LISTING_CODES: Mapping[Fault, Code] = {
    "timeout": MCP_TIMEOUT,
    "frame-limit": MCP_FRAME_LIMIT,
    "noise": MCP_STDOUT_NOISE,
    "unreadable": MCP_PROTOCOL_INVALID,
    "answered": MCP_METHOD_UNSUPPORTED,
}


def listing_error(server_id: str, what: str, failed: WireError) -> EyesError:
    """A failed listing as an error. A listing changes nothing, so asking again is always safe."""
    if failed.fault == "depth-limit":
        from deepseekeyes.mcp.codes import MCP_CATALOG_SCHEMA_DEPTH_LIMIT

        return EyesError(MCP_CATALOG_SCHEMA_DEPTH_LIMIT, f"The {what} of the server {server_id} are nested too deeply.")
    if failed.reason is not None:
        return again(failed.reason)
    code = _LISTING_CODES.get(failed.fault, MCP_CONNECTION_UNHEALTHY)
    return EyesError(
        code, f"The server {server_id} could not list its {what}: {surface(failed.message)}.", server=server_id
    )
