"""`mcp resources [SERVER]`: resources and templates, and whether they may be read."""

from __future__ import annotations

from deepseekeyes.contracts.mcp_lists import McpResource, McpResources
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.mcp.content_catalog import Entry, resource_allowed
from deepseekeyes.mcp.content_listing import list_content
from deepseekeyes.mcp.deps import McpDeps
from deepseekeyes.mcp.live import Live
from deepseekeyes.mcp.surface import visible


class ResourcesRequest(Contract):
    """`server` narrows to one."""

    server: str | None = None
    enable: bool = False


async def resources(request: ResourcesRequest, deps: McpDeps) -> McpResources:
    """List resources, then templates, of each server in the order it gave them.

    Raises:
        EyesError: as `list_content`.
    """
    items, failed = await list_content(
        deps,
        request.server,
        enable=request.enable,
        switched_on=lambda server: server.resources_enabled,
        items=_items,
    )
    return McpResources(items=items, failed=failed, verified_at=rfc3339(deps.clock.now()))


def _items(live: Live) -> list[McpResource]:
    plain = [_resource(live, entry, entry["uri"], None) for entry in live.content.resources]
    templates = [_resource(live, entry, None, entry["uriTemplate"]) for entry in live.content.templates]
    return plain + templates


def _resource(live: Live, entry: Entry, uri: str | None, template: str | None) -> McpResource:
    identity = uri or template or ""
    return McpResource(
        server=live.server_id,
        uri=uri,
        uri_template=template,
        name=visible(entry["name"]),
        title=entry.get("title") and visible(entry["title"]),
        description=entry.get("description") and visible(entry["description"]),
        mime_type=entry.get("mimeType"),
        size=entry.get("size"),
        allowed=resource_allowed(live.server_id, live.server, identity, template),
    )
