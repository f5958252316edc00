"""One server's resources, templates and prompts: one budget, normalised, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.codes import (
    MCP_CONTENT_CATALOG_ENTRY_LIMIT,
    MCP_CONTENT_CATALOG_INVALID,
    MCP_CONTENT_CURSOR_LOOP,
    MCP_CONTENT_PAGE_LIMIT,
    MCP_PROMPTS_UNSUPPORTED,
    MCP_RESOURCES_UNSUPPORTED,
)
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.drain import PageBudget, drain
from deepseekeyes.mcp.measure import Meter, content_bounds
from deepseekeyes.mcp.ports import Wire, WireError
from deepseekeyes.mcp.selectors import content_names, decide
from deepseekeyes.mcp.settings import McpSettings

METHOD_NOT_FOUND = -32601
Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ContentCatalog:
    """Entries as they are shown; nothing but the fields named here is kept."""

    resources: tuple[Entry, ...] = ()
    templates: tuple[Entry, ...] = ()
    prompts: tuple[Entry, ...] = ()


async def drain_content(wire: Wire, server_id: str, server: ServerSettings, settings: McpSettings) -> ContentCatalog:
    """Read the enabled halves of the Content plane: resources, then templates, then prompts.

    Raises:
        EyesError: MCP_RESOURCES_UNSUPPORTED, MCP_PROMPTS_UNSUPPORTED, MCP_CONTENT_CATALOG_*, MCP_CONTENT_PAGE_LIMIT,
            MCP_CONTENT_CURSOR_LOOP.
        WireError: a listing failed.
    """
    reader = _Reader(wire, server, settings)
    resources: list[Entry] = []
    templates: list[Entry] = []
    prompts: list[Entry] = []
    capabilities = wire.greeting.capabilities
    if server.resources_enabled:
        if not isinstance(capabilities.get("resources"), dict):
            raise EyesError(MCP_RESOURCES_UNSUPPORTED, f"The server {server_id} offers no resources.", server=server_id)
        resources = await reader.read("resources/list", "resources", _resource)
        try:
            templates = await reader.read("resources/templates/list", "resourceTemplates", _template)
        except WireError as failed:
            if not _is_missing(failed):
                raise
    if server.prompts_enabled:
        if not isinstance(capabilities.get("prompts"), dict):
            raise EyesError(MCP_PROMPTS_UNSUPPORTED, f"The server {server_id} offers no prompts.", server=server_id)
        prompts = await reader.read("prompts/list", "prompts", _prompt)
    return ContentCatalog(tuple(resources), tuple(templates), tuple(prompts))


class _Reader:
    def __init__(self, wire: Wire, server: ServerSettings, settings: McpSettings) -> None:
        self._wire = wire
        self._timeout_s = settings.timeout_s(server)
        self._settings = settings
        self._pages = PageBudget(settings.max_catalog_pages, settings.max_catalog_pages, MCP_CONTENT_PAGE_LIMIT)
        self._meter = Meter(content_bounds(settings))
        self._entries = 0

    async def read(self, method: str, key: str, normalise: Callable[[Mapping[str, Any]], Entry]) -> list[Entry]:
        entries: list[Entry] = []

        def take(item: Any) -> None:
            self._count()
            entry = normalise(_mapping(item))
            self._meter.add(entry)
            entries.append(entry)

        await drain(
            self._wire,
            method,
            key,
            pages=self._pages,
            loop=MCP_CONTENT_CURSOR_LOOP,
            invalid=MCP_CONTENT_CATALOG_INVALID,
            timeout_s=self._timeout_s,
            take=take,
        )
        return entries

    def _count(self) -> None:
        limit = self._settings.max_content_entries
        self._entries += 1
        if self._entries > limit:
            raise EyesError(
                MCP_CONTENT_CATALOG_ENTRY_LIMIT,
                f"The server lists more than {limit} resources, templates and prompts.",
                details={"limit": {"name": "entries", "value": limit, "setting": "mcp.max_content_entries"}},
            )


def _is_missing(failed: WireError) -> bool:
    text = failed.message.lower()
    return failed.fault == "answered" and (
        failed.rpc_code == METHOD_NOT_FOUND or "method not found" in text or "not supported" in text
    )


def _invalid(what: str) -> EyesError:
    return EyesError(MCP_CONTENT_CATALOG_INVALID, f"The server lists {what}.")


def _mapping(item: Any) -> Mapping[str, Any]:
    if not isinstance(item, dict):
        raise _invalid("an entry that is no object")
    return item


def _texts(fields: Mapping[str, Any], *keys: str) -> Entry:
    return {key: fields[key] for key in keys if isinstance(fields.get(key), str)}


def _resource(fields: Mapping[str, Any]) -> Entry:
    uri = fields.get("uri")
    if not isinstance(uri, str) or not uri:
        raise _invalid("a resource without a URI")
    entry = {"uri": uri, "name": uri, **_texts(fields, "name", "title", "description", "mimeType")}
    size = fields.get("size")
    if isinstance(size, int) and not isinstance(size, bool) and 0 <= size < 2**53:
        entry["size"] = size
    return entry


def _template(fields: Mapping[str, Any]) -> Entry:
    template = fields.get("uriTemplate")
    if not isinstance(template, str) or not template:
        raise _invalid("a template without a uriTemplate")
    return {"uriTemplate": template, "name": template, **_texts(fields, "name", "title", "description", "mimeType")}


def _prompt(fields: Mapping[str, Any]) -> Entry:
    name = fields.get("name")
    if not isinstance(name, str) or not name:
        raise _invalid("a prompt without a name")
    listed = fields.get("arguments")
    if listed is not None and not isinstance(listed, list):
        raise _invalid("a prompt whose arguments are no list")
    return {**_texts(fields, "name", "title", "description"), "arguments": [_argument(each) for each in listed or ()]}


def _argument(item: Any) -> Entry:
    fields = _mapping(item)
    if not isinstance(fields.get("name"), str) or not fields["name"]:
        raise _invalid("a prompt argument without a name")
    return {**_texts(fields, "name", "description"), "required": fields.get("required") is True}


def resource_allowed(server_id: str, server: ServerSettings, uri: str, template: str | None) -> bool:
    """Whether policy admits a resource, by its URI or by the template it came from; a denial of either wins."""
    name = server.name or server_id
    identities = (uri,) if template is None else (uri, template)
    names = tuple(each for identity in identities for each in content_names(server_id, name, identity))
    return decide(names, server.allowed_resources, server.deny_resources).allowed


def prompt_allowed(server_id: str, server: ServerSettings, prompt: str) -> bool:
    """Whether policy admits a prompt."""
    names = content_names(server_id, server.name or server_id, prompt)
    return decide(names, server.allowed_prompts, server.deny_prompts).allowed
