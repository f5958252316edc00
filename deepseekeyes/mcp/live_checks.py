"""What the doctor asks of the MCP servers themselves: they are started, under `--deep` and where MCP is on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from deepseekeyes.contracts.examination import Examination, Finding, ok, skipped, warning
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.ports import Connector
from deepseekeyes.mcp.settings import McpSettings

GROUP: Final = "mcp"
LISTED: Final = 100


def live_checks(
    settings: Callable[[], McpSettings] | None, connector: Callable[[], Connector]
) -> tuple[Examination, ...]:
    """The switch, and one line a server that is started.

    Args:
        settings: the section; None where the configuration cannot be read.
        connector: opens a connection.
    """
    found = [Examination("mcp.switch", GROUP, lambda: _switch(settings))]
    section = settings() if settings is not None else None
    for server_id, server in list(section.servers.items())[:LISTED] if section is not None else ():
        if section is not None and server.enabled:
            run = partial(up, server_id, server, section, connector)
            found.append(Examination(f"mcp.{server_id}", GROUP, run, deep=True))
    return tuple(found)


def _switch(settings: Callable[[], McpSettings] | None) -> Finding:
    if settings is None:
        return skipped("The configuration cannot be read, so its servers are not known.")
    section = settings()
    on = sum(server.enabled for server in section.servers.values())
    more = f" The first {LISTED} are looked at." if len(section.servers) > LISTED else ""
    seen = f"{on} of {len(section.servers)} servers are enabled.{more}"
    if not section.enabled:
        return skipped(f"MCP is switched off. {seen}", "set `enabled = true` under [mcp] in config.toml")
    return ok(f"MCP is switched on. {seen}")


async def up(
    server_id: str, server: ServerSettings, settings: McpSettings, connector: Callable[[], Connector]
) -> Finding:
    """Connect, list the tools, and count what on stdout is no message."""
    if not settings.enabled:
        return skipped("MCP is switched off, so nothing was started.")
    await loop_needed()
    wire = await connector()(server_id, server, era=None)
    try:
        greeting = wire.greeting
        offered = [name for name in ("tools", "resources", "prompts") if name in greeting.capabilities]
        if "tools" in offered:
            await wire.request("tools/list", {}, timeout_s=settings.timeout_s(server))
        noise = wire.vitals().noise
    finally:
        await wire.close()
    name = f"{greeting.server_name or server_id} {greeting.server_version or ''}".strip()
    seen = f"{name} speaks {greeting.protocol_version} and offers {', '.join(offered) or 'nothing'}"
    if noise:
        return warning(f"{seen}; {noise} lines on its stdout are no messages.", f"deepseekeyes mcp lint {server_id}")
    return ok(f"{seen}.")
