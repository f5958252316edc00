"""What the doctor asks of the MCP planes; nothing is started."""

from __future__ import annotations

from collections.abc import Callable

from deepseekeyes.contracts.examination import Examination, Finding, ok, skipped, warning
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.secrets import available
from deepseekeyes.mcp.cache import CatalogCache
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.pins import Pins
from deepseekeyes.mcp.programs import resolve
from deepseekeyes.mcp.settings import McpSettings

OLDEST = (2, 3)


def checks(
    settings: Callable[[], McpSettings] | None, cache: Callable[[], CatalogCache], pins: Callable[[], Pins]
) -> tuple[Examination, ...]:
    """The SDK, the servers' programs and variables, and definitions that wait for approval.

    Args:
        settings: the section; None where the configuration cannot be read.
        cache, pins: what is remembered.
    """
    return (
        Examination("mcp.sdk", "mcp", lambda: _sdk(settings)),
        Examination("mcp.programs", "mcp", lambda: _programs(settings)),
        Examination("mcp.variables", "mcp", lambda: _variables(settings)),
        Examination("mcp.pins", "mcp", lambda: _pins(settings, cache, pins)),
    )


def _enabled(settings: Callable[[], McpSettings] | None) -> dict[str, ServerSettings] | None:
    if settings is None:
        return None
    section = settings()
    return {name: server for name, server in section.servers.items() if server.enabled}


def _unread() -> Finding:
    return skipped("The configuration cannot be read, so the servers are not known.")


def _sdk(settings: Callable[[], McpSettings] | None) -> Finding:
    from importlib.metadata import PackageNotFoundError, version

    wanted = bool(_enabled(settings))
    try:
        found = version("mcp")
    except PackageNotFoundError:
        seen = "The MCP SDK is not installed."
        return warning(seen, "pip install 'deepseekeyes[mcp]'") if wanted else skipped(seen)
    numbers = tuple(int(part) for part in found.split(".")[:2] if part.isdigit())
    if numbers < OLDEST:
        return warning(f"The MCP SDK is version {found}; 2.3 or newer is needed.", "pip install 'mcp>=2.3,<3'")
    return ok(f"The MCP SDK is version {found}.")


def _programs(settings: Callable[[], McpSettings] | None) -> Finding:
    servers = _enabled(settings)
    if servers is None:
        return _unread()
    commands = {name: each for name, each in servers.items() if each.transport == "stdio" and each.command}
    if not commands:
        return skipped("No stdio server is configured.")
    found = {name: resolve(each.command or "", each.cwd, None) for name, each in commands.items()}
    missing = sorted(name for name, place in found.items() if place is None)
    if missing:
        command = commands[missing[0]].command
        return warning(
            f"The program {command!r} of the server {missing[0]} was not found.",
            f"install {command}, or give its full path under [mcp.servers.{missing[0]}]",
        )
    return ok("; ".join(f"{name}: {place}" for name, place in sorted(found.items())) + ".")


def _variables(settings: Callable[[], McpSettings] | None) -> Finding:
    servers = _enabled(settings)
    if servers is None:
        return _unread()
    named = [
        (name, ref)
        for name, server in servers.items()
        for ref in (
            *server.env.values(),
            *server.headers.values(),
            *(each for each in (server.oauth.client_id, server.oauth.client_secret) if server.oauth.enabled and each),
        )
    ]
    if not named:
        return skipped("No server names a variable.")
    missing = sorted({(name, ref.env) for name, ref in named if not available(ref)})
    if missing:
        server, variable = missing[0]
        return warning(
            f"{len(missing)} variables are not set; the server {server} needs {variable}.", f"export {variable}=..."
        )
    return ok(f"All {len({ref.env for _, ref in named})} variables of the servers are set.")


def _pins(
    settings: Callable[[], McpSettings] | None, cache: Callable[[], CatalogCache], pins: Callable[[], Pins]
) -> Finding:
    servers = _enabled(settings)
    if servers is None or settings is None:
        return _unread()
    changed: list[tuple[str, str]] = []
    try:
        for server_id, server in servers.items():
            cached = cache().load(server_id, server, settings())
            known = pins().of(server_id) if cached else {}
            for tool in cached.catalog.tools if cached else ():
                pin = known.get(tool.raw_name)
                if pin is not None and pin.digest != tool.digest:
                    changed.append((server_id, tool.raw_name))
    except EyesError as failed:
        return warning(failed.message, failed.hint)
    if changed:
        server_id, name = changed[0]
        return warning(
            f"{len(changed)} tools changed since they were allowed, first {name} of {server_id}.",
            f"deepseekeyes mcp approve {server_id} {name}",
        )
    return ok("No tool changed since it was allowed.")
