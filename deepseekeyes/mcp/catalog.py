"""One server's tools as it announced them: admitted whole or not at all, from raw wire values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from deepseekeyes.core.canonical import digest
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.codes import MCP_CATALOG_DUPLICATE_TOOL, MCP_CATALOG_TOOL_LIMIT
from deepseekeyes.mcp.measure import Meter, tool_bounds
from deepseekeyes.mcp.naming import public_name
from deepseekeyes.mcp.risk import Classification, classify
from deepseekeyes.mcp.settings import McpSettings

MAX_RAW_NAME = 1024
MAX_TITLE = 200


@dataclass(frozen=True, slots=True)
class Tool:
    """One announced tool. `input_schema` and `output_schema` are what the server sent, unread.

    Attributes:
        raw_name: the server's own name, used on the wire; `#3` for an item whose name cannot be used.
        public_name: the name models see.
        digest: SHA-256 of the canonical definition (name, description, schemas, kept annotations).
        problem: why this one can never be shown, or None.
    """

    raw_name: str
    public_name: str
    title: str | None
    description: str
    input_schema: Any
    output_schema: Any
    classification: Classification
    digest: str
    problem: str | None = None

    def definition(self) -> dict[str, Any]:
        """What the digest covers, as JSON."""
        return definition(self.raw_name, self.description, self.input_schema, self.output_schema, self.classification)


@dataclass(frozen=True, slots=True)
class Catalog:
    """A complete generation of a server's tools, by public name in code-point order."""

    tools: tuple[Tool, ...] = ()

    def __len__(self) -> int:
        return len(self.tools)

    def find(self, name: str) -> Tool | None:
        """A tool by its raw name, else by its public name."""
        by_raw = next((tool for tool in self.tools if tool.raw_name == name and tool.problem is None), None)
        return by_raw or next((tool for tool in self.tools if tool.public_name == name), None)

    def raw(self) -> list[dict[str, Any]]:
        """The catalog as listed tools again, for the cache; `admit` of it gives an equal catalog."""
        return [_relisted(tool) for tool in self.tools if tool.problem is None]


def definition(
    name: str, description: str, input_schema: Any, output_schema: Any, classification: Classification
) -> dict[str, Any]:
    """The part of a tool that a pin remembers."""
    return {
        "name": name,
        "description": description,
        "inputSchema": input_schema,
        "outputSchema": output_schema,
        "annotations": dict(classification.annotations),
    }


class CatalogBuilder:
    """Builds a catalog from raw items one at a time, within the ceilings.

    An item that is no usable tool, or that the connection objects to, is kept with its problem, so that nothing
    vanishes uncounted; an excess or a name that appears twice refuses the whole generation.
    """

    def __init__(
        self,
        server_id: str,
        settings: McpSettings,
        objection: Callable[[Any], str | None] = lambda input_schema: None,  # noqa: ARG005
    ) -> None:
        self._server_id = server_id
        self._objection = objection
        self._limit = settings.max_catalog_tools
        self._meter = Meter(tool_bounds(settings))
        self._tools: dict[str, Tool] = {}

    def add(self, item: Any) -> None:
        """Take in one listed item.

        Raises:
            EyesError: MCP_CATALOG_TOOL_LIMIT, MCP_CATALOG_DUPLICATE_TOOL, MCP_CATALOG_SCHEMA_*_LIMIT,
                MCP_CATALOG_SCHEMA_INVALID.
        """
        if len(self._tools) >= self._limit:
            raise EyesError(
                MCP_CATALOG_TOOL_LIMIT,
                f"The server lists more than {self._limit} tools.",
                details={"limit": {"name": "tools", "value": self._limit, "setting": "mcp.max_catalog_tools"}},
            )
        tool = _tool(self._server_id, len(self._tools), item, self._meter, self._objection)
        if tool.public_name in self._tools:
            raise EyesError(
                MCP_CATALOG_DUPLICATE_TOOL, f"The server lists two tools under the name {tool.public_name}."
            )
        self._tools[tool.public_name] = tool

    def finish(self) -> Catalog:
        """The whole generation."""
        return Catalog(tuple(self._tools[name] for name in sorted(self._tools)))


def admit(server_id: str, listed: Iterable[Any], settings: McpSettings) -> Catalog:
    """A catalog from all raw items of a `tools/list`.

    Raises:
        EyesError: as `CatalogBuilder.add`.
    """
    builder = CatalogBuilder(server_id, settings)
    for item in listed:
        builder.add(item)
    return builder.finish()


def _tool(server_id: str, position: int, item: Any, meter: Meter, objection: Callable[[Any], str | None]) -> Tool:
    fields: Mapping[str, Any] = item if isinstance(item, dict) else {}
    name, problem = _name(fields, position)
    described = fields.get("description")
    description = described if isinstance(described, str) else ""
    if problem is None and described is not None and not isinstance(described, str):
        problem = "its description is not text"
    public = public_name(server_id, name)
    classification = classify(fields.get("annotations"))
    surface = {
        "name": public,
        "description": description,
        "inputSchema": fields.get("inputSchema"),
        "outputSchema": fields.get("outputSchema"),
    }
    meter.add(surface)
    problem = problem or objection(surface["inputSchema"])
    pinned = definition(name, description, surface["inputSchema"], surface["outputSchema"], classification)
    title = fields.get("title")
    return Tool(
        raw_name=name,
        public_name=public,
        title=title[:MAX_TITLE] if isinstance(title, str) else None,
        description=description,
        input_schema=surface["inputSchema"],
        output_schema=surface["outputSchema"],
        classification=classification,
        digest=digest(pinned),
        problem=problem,
    )


def _name(fields: Mapping[str, Any], position: int) -> tuple[str, str | None]:
    name = fields.get("name")
    if not isinstance(name, str) or not name:
        return f"#{position}", "it has no name"
    if len(name) > MAX_RAW_NAME:
        return f"#{position}", f"its name is longer than {MAX_RAW_NAME} characters"
    return name, None


def _relisted(tool: Tool) -> dict[str, Any]:
    listed = tool.definition()
    if tool.title is not None:
        listed["title"] = tool.title
    return listed
