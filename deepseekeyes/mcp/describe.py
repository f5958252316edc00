"""A server, its planes and its tools as documents."""

from __future__ import annotations

from typing import Any

from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.mcp import McpPlane, McpServer, McpTool, McpWithheldTool
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.cache import Cached
from deepseekeyes.mcp.catalog import Catalog
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.exposure import Exposed, Exposure, Source, Withheld, expose
from deepseekeyes.mcp.live import Live
from deepseekeyes.mcp.pins import Pin
from deepseekeyes.mcp.settings import McpSettings
from deepseekeyes.mcp.surface import visible


def cached_source(server_id: str, server: ServerSettings, cached: Cached, pins: dict[str, Pin]) -> Source:
    """A remembered catalog as exposure sees it; content is never remembered."""
    return Source(
        server_id,
        server,
        cached.catalog,
        lambda tool: tool.raw_name not in pins or pins[tool.raw_name].digest == tool.digest,
    )


def live_server(live: Live, exposure: Exposure) -> McpServer:
    """A connected server."""
    content = live.content
    known = live.tools if live.server.tools_enabled and live.tools_error is None else None
    greeting = live.wire.greeting
    return _server(live.server_id, live.server, exposure, known).model_copy(
        update={
            "source": "live",
            "tools": _plane(live.server.tools_enabled, live.tools_error, live),
            "content": _plane(live.server.content_enabled, live.content_error, live),
            "latency_ms": live.connect_ms + live.latency_ms,
            "protocol_version": greeting.protocol_version,
            "server_name": _short(greeting.server_name),
            "server_version": _short(greeting.server_version),
            "resource_count": len(content.resources) if live.server.resources_enabled else None,
            "resource_template_count": len(content.templates) if live.server.resources_enabled else None,
            "prompt_count": len(content.prompts) if live.server.prompts_enabled else None,
        }
    )


def known_server(
    server_id: str,
    server: ServerSettings,
    settings: McpSettings,
    cached: Cached | None,
    pins: dict[str, Pin],
    error: EyesError | None = None,
) -> McpServer:
    """A server that is not connected, as far as it is remembered; `error` is why a connection failed."""
    exposure = expose([cached_source(server_id, server, cached, pins)], settings) if cached else Exposure()
    described = _server(server_id, server, exposure, cached.catalog if cached else None)
    body = ErrorBody.of(error) if error is not None else None
    on = server.enabled and (settings.enabled or error is not None)
    verified_at = cached.verified_at if cached else None

    def plane(enabled: bool) -> McpPlane:
        status = "disabled" if not (enabled and on) else "error" if body else "idle"
        return McpPlane(
            status=status, healthy=False, error=body if status == "error" else None, verified_at=verified_at
        )

    update: dict[str, Any] = {"source": "cache" if cached else "none", "tools": plane(server.tools_enabled)}
    update["content"] = plane(server.content_enabled)
    if cached is not None:
        update |= {
            "protocol_version": cached.protocol_version or None,
            "server_name": _short(cached.server_name),
            "server_version": _short(cached.server_version),
        }
    return described.model_copy(update=update)


def tool_document(exposed: Exposed, *, schemas: bool) -> McpTool:
    """A shown tool."""
    tool = exposed.tool
    return McpTool(
        server=exposed.server_id,
        name=tool.raw_name,
        public_name=tool.public_name,
        title=tool.title and visible(tool.title),
        description=exposed.shown.description,
        risk=tool.classification.risk,
        requires_approval=tool.classification.requires_approval,
        tokens_estimated=exposed.shown.tokens,
        digest=tool.digest,
        parameters=exposed.shown.parameters if schemas else None,
        input_schema=tool.input_schema if schemas else None,
        output_schema=tool.output_schema if schemas else None,
    )


def withheld_document(withheld: Withheld) -> McpWithheldTool:
    """A tool that is not shown."""
    return McpWithheldTool(
        server=withheld.server_id,
        name=withheld.tool.raw_name,
        public_name=withheld.tool.public_name,
        risk=withheld.tool.classification.risk,
        reason=withheld.reason,
        detail=withheld.detail,
    )


def _server(server_id: str, server: ServerSettings, exposure: Exposure, catalog: Catalog | None) -> McpServer:
    shown = [each for each in exposure.exposed if each.server_id == server_id]
    idle = McpPlane(status="idle", healthy=False)
    return McpServer(
        id=server_id,
        name=server.name or server_id,
        enabled=server.enabled,
        transport=server.transport,
        risk_policy=server.risk_policy,
        source="none",
        tools=idle,
        content=idle,
        tool_count=None if catalog is None else len(catalog),
        exposed_tool_count=len(shown),
        withheld_tool_count=sum(1 for each in exposure.withheld if each.server_id == server_id),
        schema_tokens_estimated=sum(each.shown.tokens for each in shown),
    )


def _plane(enabled: bool, error: EyesError | None, live: Live) -> McpPlane:
    if not enabled:
        return McpPlane(status="disabled", healthy=False)
    status = "error" if error else "connected" if live.alive else "degraded"
    return McpPlane(
        status=status,
        healthy=status == "connected",
        error=ErrorBody.of(error) if error is not None else None,
        verified_at=live.verified_at,
    )


def _short(text: str | None) -> str | None:
    return text and visible(text)[:128]
