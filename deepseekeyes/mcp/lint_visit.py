"""One server under examination: a connection that is opened again when a check ended it, and plain answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.redact import surface
from deepseekeyes.mcp.codes import (
    MCP_CATALOG_CURSOR_LOOP,
    MCP_CATALOG_PAGE_LIMIT,
    MCP_CATALOG_REJECTED,
    MCP_CATALOG_TOOL_LIMIT,
    MCP_CONNECTION_UNHEALTHY,
)
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.drain import PageBudget, drain
from deepseekeyes.mcp.measure import Meter, tool_bounds
from deepseekeyes.mcp.ports import Connector, Fault, Greeting, Wire, WireError
from deepseekeyes.mcp.settings import McpSettings

LONGEST_S = 10.0
REOPENINGS = 5


@dataclass(frozen=True, slots=True)
class Reply:
    """How a server answered: with a result, with an error of its own (`code`), or not at all (`fault`)."""

    result: dict[str, Any] | None = None
    code: int | None = None
    fault: Fault | None = None
    said: str = ""

    @property
    def refused(self) -> bool:
        return self.fault == "answered"

    @property
    def broken(self) -> str | None:
        """What went wrong when there was neither a result nor an error, as the end of a sentence."""
        if self.result is not None or self.refused:
            return None
        words = {"timeout": "was never answered", "closed": "ended the connection", "unsent": "found no connection"}
        return words.get(self.fault or "closed", f"brought no answer ({self.fault})")


@dataclass(slots=True)
class Listing:
    """A listing as far as it could be read, and what stopped it."""

    items: list[Any] = field(default_factory=list)
    pages: int = 0
    error: EyesError | None = None


class Visit:
    """The connection of a lint."""

    def __init__(self, server_id: str, server: ServerSettings, settings: McpSettings, connector: Connector) -> None:
        self.server_id = server_id
        self.server = server
        self.settings = settings
        self.timeout_s = min(settings.timeout_s(server), LONGEST_S)
        self._connector = connector
        self._wire: Wire | None = None
        self._openings = 0
        self._noise = 0

    async def open(self) -> Greeting:
        """Connect.

        Raises:
            EyesError: as the connector.
        """
        self._openings += 1
        self._wire = await self._connector(self.server_id, self.server, era=None)
        return self._wire.greeting

    @property
    def noise(self) -> int:
        """Lines on stdout that were no messages, over all connections."""
        return self._noise + (self._wire.vitals().noise if self._wire is not None else 0)

    async def wire(self) -> Wire:
        """The connection, opened again when a check ended it.

        Raises:
            EyesError: MCP_CONNECTION_UNHEALTHY when it was ended too often, and as the connector.
        """
        if self._wire is None or not self._wire.vitals().alive:
            await self.close()
            if self._openings > REOPENINGS:
                raise EyesError(
                    MCP_CONNECTION_UNHEALTHY, "The server ended the connection too often.", server=self.server_id
                )
            await self.open()
        assert self._wire is not None
        return self._wire

    async def close(self) -> None:
        """End the connection."""
        if self._wire is not None:
            self._noise += self._wire.vitals().noise
            await self._wire.close()
            self._wire = None

    async def ask(self, method: str, params: Mapping[str, Any] | None = None, *, timeout_s: float = 0) -> Reply:
        """Send one request and say how it was answered.

        Raises:
            EyesError: as `wire`.
        """
        wire = await self.wire()
        try:
            return Reply(await wire.request(method, params or {}, timeout_s=timeout_s or self.timeout_s))
        except WireError as failed:
            return Reply(code=failed.rpc_code, fault=failed.fault, said=surface(failed.message, 120))

    async def listing(self, method: str, key: str) -> Listing:
        """Read a listing to its end, or to the first thing that stops it."""
        found = Listing()
        limit = self.settings.max_catalog_tools
        meter = Meter(tool_bounds(self.settings))
        pages = PageBudget(self.settings.max_catalog_pages, self.settings.max_catalog_pages, MCP_CATALOG_PAGE_LIMIT)

        def take(item: Any) -> None:
            if len(found.items) >= limit:
                raise EyesError(MCP_CATALOG_TOOL_LIMIT, f"The listing has more than {limit} entries.")
            meter.add(item)
            found.items.append(item)

        try:
            await drain(
                await self.wire(),
                method,
                key,
                pages=pages,
                loop=MCP_CATALOG_CURSOR_LOOP,
                invalid=MCP_CATALOG_REJECTED,
                timeout_s=self.timeout_s,
                take=take,
            )
        except WireError as failed:
            found.error = EyesError(MCP_CATALOG_REJECTED, f"{method}: {surface(failed.message, 120)} ({failed.fault}).")
        except EyesError as failed:
            found.error = failed
        found.pages = pages.limit - pages.left
        return found
