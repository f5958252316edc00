"""All configured servers: connected one by one, each behind its own lock, so that a hung one never blocks another."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Iterable
from contextlib import asynccontextmanager
from operator import is_
from typing import TYPE_CHECKING

from deepseekeyes.core.clock import Clock, rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.cache import CatalogCache
from deepseekeyes.mcp.catalog import Catalog, Tool
from deepseekeyes.mcp.codes import (
    MCP_CLOSE_FAILED,
    MCP_CONNECTION_UNHEALTHY,
    MCP_SERVER_DISABLED,
    MCP_SERVER_UNKNOWN,
)
from deepseekeyes.mcp.content_catalog import ContentCatalog
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.exposure import Exposure, expose
from deepseekeyes.mcp.live import Live, drain_all_content, drain_tools
from deepseekeyes.mcp.pins import Pins
from deepseekeyes.mcp.ports import Connector, Wire
from deepseekeyes.mcp.selectors import decide, tool_names
from deepseekeyes.mcp.settings import McpSettings

if TYPE_CHECKING:
    import asyncio

CLOSE_S = 5.0
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0


class Upstreams:
    """The connections of one process.

    Args:
        settings: the whole section; `reload` replaces it.
        connector: opens one connection.
        cache, pins: what is remembered between processes.
        clock: time.
        keep_open: hold connections between uses (a serving process); otherwise each use closes its own.
    """

    def __init__(
        self,
        settings: McpSettings,
        connector: Connector,
        cache: CatalogCache,
        pins: Pins,
        clock: Clock,
        *,
        keep_open: bool = False,
    ) -> None:
        self.settings = settings
        self.cache = cache
        self.pins = pins
        self._connector = connector
        self._clock = clock
        self._keep_open = keep_open
        self._live: dict[str, Live] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._uses: dict[str, int] = {}
        self._suspended = False
        self._failed: dict[str, tuple[int, float, EyesError]] = {}
        self._exposures: dict[frozenset[str] | None, tuple[tuple[object, ...], Exposure]] = {}
        self._order: tuple[McpSettings | None, dict[str, int]] = (None, {})

    def server(self, server_id: str, *, usable: bool = True) -> ServerSettings:
        """A configured server.

        Args:
            server_id: its id.
            usable: refuse one that is switched off.

        Raises:
            EyesError: MCP_SERVER_UNKNOWN with the nearest ids, MCP_SERVER_DISABLED.
        """
        found = self.settings.servers.get(server_id)
        if found is None:
            from deepseekeyes.core.names import nearest

            close = nearest(server_id, self.settings.servers) if self.settings.servers else None
            raise EyesError(
                MCP_SERVER_UNKNOWN,
                f"There is no MCP server {server_id[:64]!r}{f'; did you mean {close!r}' if close else ''}.",
                details={"candidates": sorted(self.settings.servers)[:20]},
            )
        if usable and not found.enabled:
            raise EyesError(MCP_SERVER_DISABLED, f"The server {server_id} is switched off.", server=server_id)
        return found

    @property
    def connector(self) -> Connector:
        """What opens connections now."""
        return self._connector

    def live(self, server_id: str) -> Live | None:
        """The connection of a server that is open now."""
        return self._live.get(server_id)

    @asynccontextmanager
    async def using(self, server_id: str, *, fresh: bool = False) -> AsyncIterator[Live]:
        """A server, connected and drained, for as long as the block runs.

        Args:
            server_id: its id.
            fresh: close what is open and connect anew.

        Raises:
            EyesError: MCP_SERVER_UNKNOWN, MCP_SERVER_DISABLED, and what the connector raises.
        """
        server = self.server(server_id)
        self._uses[server_id] = self._uses.get(server_id, 0) + 1
        try:
            async with self._lock(server_id):
                if fresh:
                    self._failed.pop(server_id, None)
                    await self._shut(server_id)
                live = await self._named(server_id, self._ready(server_id, server))
            yield live
        finally:
            self._uses[server_id] -= 1
            if not self._keep_open and self._uses[server_id] == 0:
                await self.close(server_id)

    async def close(self, server_id: str) -> bool:
        """End a server's connection; False when it could not be ended."""
        live = self._live.pop(server_id, None)
        return await _closed(live.wire) if live is not None else True

    async def aclose(self) -> tuple[str, ...]:
        """End every connection, all at once; returns the ids of those that could not be ended."""
        import asyncio

        self._suspended = True
        open_now, self._live = self._live, {}
        ended = await asyncio.gather(*(_closed(live.wire) for live in open_now.values()))
        self._suspended = False
        return tuple(server_id for server_id, done in zip(open_now, ended, strict=True) if not done)

    async def refresh(self, live: Live) -> None:
        """Drain a server's catalogs again over its open connection; nothing is exposed while that lasts."""
        async with self._lock(live.server_id):
            await self._load(live)

    async def reload(self, settings: McpSettings, connector: Connector | None = None) -> tuple[str, ...]:
        """Take over new settings: revoke first, then close what changed, then show what is allowed now.

        A server whose definition is the same but for its name and lists keeps its connection, with the caps that it
        was opened under.

        Args:
            settings: the whole section.
            connector: opens connections from now on, under the limits of the new settings; None keeps the old one.

        Returns:
            The ids of servers whose connection was ended.
        """
        import asyncio

        self._suspended = True
        self.settings = settings
        if connector is not None:
            self._connector = connector
        self._failed.clear()
        ended = []
        for server_id, live in list(self._live.items()):
            server = settings.servers.get(server_id)
            if server is None or not (server.enabled and settings.enabled):
                keep = False
            else:
                keep = server.fingerprint() == live.server.fingerprint()
                live.server = server
            if not keep:
                ended.append(server_id)
        await asyncio.gather(*(self.close(server_id) for server_id in ended))
        self._suspended = False
        return tuple(ended)

    def stale(self) -> tuple[str, ...]:
        """The ids of open servers that announced other tools since they were last drained."""
        open_now = self._live.items()
        return tuple(key for key, live in open_now if live.alive and "tools" in live.wire.vitals().changed)

    def exposure(self, server_ids: Iterable[str] | None = None) -> Exposure:
        """What may be shown now, over the given servers in the order of the configuration; None takes all open ones."""
        if self._suspended:
            return Exposure()
        wanted = None if server_ids is None else frozenset(server_ids)
        chosen = [
            self._live[server_id]
            for server_id in (self._live if wanted is None else wanted)
            if server_id in self._live and server_id in self.settings.servers
        ]
        chosen.sort(key=self._rank)
        stamp = (self.settings, *(part for live in chosen for part in live.stamp()))
        known = self._exposures.get(wanted)
        if known is not None and len(known[0]) == len(stamp) and all(map(is_, known[0], stamp)):
            return known[1]
        exposure = expose([live.source() for live in chosen], self.settings)
        self._exposures[wanted] = (stamp, exposure)
        return exposure

    def _rank(self, live: Live) -> int:
        if self._order[0] is not self.settings:
            self._order = (self.settings, {name: place for place, name in enumerate(self.settings.servers)})
        return self._order[1][live.server_id]

    def _lock(self, server_id: str) -> asyncio.Lock:
        import asyncio

        return self._locks.setdefault(server_id, asyncio.Lock())

    async def _shut(self, server_id: str) -> None:
        if not await self.close(server_id):
            raise EyesError(MCP_CLOSE_FAILED, f"The server {server_id} could not be ended.", server=server_id)

    async def _ready(self, server_id: str, server: ServerSettings) -> Live:
        """The open connection when it is sound, else a new one; a lost session starts again here, a call never does."""
        live = self._live.get(server_id)
        if live is not None and live.alive:
            if live.wire.vitals().changed or live.tools_error or live.content_error:
                await self._load(live)
            return live
        await self._shut(server_id)
        started = self._clock.monotonic()
        wire = await self._connect(server_id, server)
        live = Live(server_id, server, wire, connect_ms=self._clock.milliseconds_since(started))
        try:
            await self._load(live)
        except BaseException:
            await _closed(wire)
            raise
        self._live[server_id] = live
        return live

    @staticmethod
    async def _named(server_id: str, work: Awaitable[Live]) -> Live:
        """Whatever goes wrong on the way names its server in the hint."""
        try:
            live = await work
        except EyesError as failed:
            failed.fields.setdefault("server", server_id)
            raise
        for error in (live.tools_error, live.content_error):
            if error is not None:
                error.fields.setdefault("server", server_id)
        return live

    async def _connect(self, server_id: str, server: ServerSettings) -> Wire:
        """Connect; a held server that just failed is left alone for a while, longer each time."""
        count, until, error = self._failed.get(server_id, (0, 0.0, None))
        if error is not None and self._clock.monotonic() < until:
            raise error
        try:
            wire = await self._connector(server_id, server, era=self.cache.era(server_id, server))
        except EyesError as failed:
            if self._keep_open:
                pause = min(FIRST_PAUSE_S * 2.0**count, LONGEST_PAUSE_S)
                self._failed[server_id] = (count + 1, self._clock.monotonic() + pause, failed)
            raise
        self._failed.pop(server_id, None)
        return wire

    async def _load(self, live: Live) -> None:
        """Drain both planes, each on its own; a plane that fails is empty and keeps its error."""
        before = max(len(live.tools), self.cache.count(live.server_id, live.server))
        live.tools, live.content = Catalog(), ContentCatalog()
        live.tools_error = live.content_error = None
        started = self._clock.monotonic()
        if live.server.tools_enabled:
            try:
                live.tools = await self._tools(live, before)
            except EyesError as failed:
                live.tools_error = failed
        live.latency_ms = self._clock.milliseconds_since(started)
        if live.server.content_enabled:
            try:
                live.content = await drain_all_content(live.wire, live.server_id, live.server, self.settings)
            except EyesError as failed:
                live.content_error = failed
        live.verified_at = rfc3339(self._clock.now())
        live.verified_clock = self._clock.monotonic()

    async def _tools(self, live: Live, before: int) -> Catalog:
        catalog = await drain_tools(live.wire, live.server_id, live.server, self.settings)
        if not catalog and before:
            await self._confirm_zero(live)
        try:
            live.pins = self.pins.observe(live.server_id, _allowed(live, catalog))
            self.cache.save(live.server_id, live.server, catalog, live.wire.greeting)
        except EyesError as failed:
            live.trouble = failed.code.name
        return catalog

    async def _confirm_zero(self, live: Live) -> None:
        """No tools where there were some: a second, fresh connection must say the same.

        Raises:
            EyesError: MCP_CONNECTION_UNHEALTHY.
        """
        wire = await self._connector(live.server_id, live.server, era=live.wire.greeting.era)
        try:
            again = await drain_tools(wire, live.server_id, live.server, self.settings)
        finally:
            await _closed(wire)
        if again:
            raise EyesError(
                MCP_CONNECTION_UNHEALTHY,
                f"The server {live.server_id} listed no tools, and {len(again)} over a second connection.",
                server=live.server_id,
            )


def _allowed(live: Live, catalog: Catalog) -> list[Tool]:
    server, server_id = live.server, live.server_id
    name = server.name or server_id
    return [
        tool
        for tool in catalog.tools
        if tool.problem is None
        and decide(
            tool_names(server_id, name, tool.raw_name, tool.public_name), server.allowed_tools, server.deny_tools
        ).allowed
    ]


async def _closed(wire: Wire) -> bool:
    """End one connection, whoever cancels meanwhile, in bounded time."""
    import asyncio

    closing = asyncio.ensure_future(wire.close())
    try:
        await asyncio.wait_for(asyncio.shield(closing), CLOSE_S)
    except asyncio.CancelledError:
        await asyncio.wait({closing}, timeout=CLOSE_S)
        raise
    except (TimeoutError, OSError, RuntimeError):
        return False
    return not wire.vitals().close_failed
