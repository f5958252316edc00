"""`mcp serve`: our operations as MCP tools, over stdio or HTTP, until the client or a signal ends it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pydantic import Field

from deepseekeyes.contracts.document import Document
from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.served import McpServing, ServedToolList, ServedToolRow, UnservedRow
from deepseekeyes.core.errors import EyesError
from deepseekeyes.serve.codes import SERVE_AUTOMATION_DISABLED, SERVE_EXTRA_MISSING
from deepseekeyes.serve.served_door import ServedDoor, say
from deepseekeyes.serve.tool_table import GROUPS_OF_AUTOMATION

if TYPE_CHECKING:
    import asyncio

    from deepseekeyes.serve.serving import Serving
    from deepseekeyes.wiring.app import App

PATH = "/mcp"


class OpenApp(Protocol):
    """Opens an app with the process's environment and global options."""

    def __call__(self, *, door: ServedDoor, flags: Mapping[str, Any], serving: bool) -> App: ...


class ServeRequest(Contract):
    """How to serve.

    Attributes:
        groups: of operations; those of the configuration when absent.
        token_env: the environment variable that holds the bearer token; over HTTP only.
        upstream: serve the tools of managed servers too.
        enable: switch on what the chosen groups and `upstream` need, for this process.
        print_tools: list the tools and end.
    """

    transport: Literal["stdio", "http"] = "stdio"
    groups: tuple[str, ...] | None = None
    host: str | None = Field(default=None, min_length=1, max_length=255)
    port: int | None = Field(default=None, ge=0, le=65535)
    token_env: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=256)
    upstream: bool = False
    enable: bool = False
    print_tools: bool = False


def serve(payload: Mapping[str, Any], open_app: OpenApp, show: Callable[[Document], None]) -> Document | None:
    """Serve until the client or a signal ends it.

    Args:
        payload: the fields of `ServeRequest`.
        open_app: opens an app.
        show: prints one document, where standard output is not the protocol's.

    Returns:
        The table of tools with `print_tools`, else nothing.

    Raises:
        EyesError: SERVE_*, MCP_DISABLED, and what loading the configuration raises.
    """
    from deepseekeyes.dispatch import validated

    request = validated(ServeRequest, payload)
    assert isinstance(request, ServeRequest)
    door = ServedDoor(local=request.transport == "stdio")
    flags: dict[str, Any] = {}

    def opened() -> App:
        return open_app(door=door, flags=flags, serving=True)

    flags |= _flags(request, opened) if request.enable else {}

    _allowed(request, opened())
    import asyncio

    if request.print_tools:
        return asyncio.run(_table(request, opened))
    _installed()
    asyncio.run(_serve(request, opened, show))
    return None


def _flags(request: ServeRequest, opened: Callable[[], App]) -> dict[str, Any]:
    """What `--enable` switches on: the groups that are named, else those that are configured, and the planes."""
    groups = request.groups
    if groups is None:
        app = opened()
        try:
            groups = app.settings.serve.mcp_groups
        finally:
            app.close()
    flags: dict[str, Any] = {f"{group}.enabled": True for group in groups if group in GROUPS_OF_AUTOMATION}
    return flags | ({"mcp.enabled": True} if request.upstream else {})


def _allowed(request: ServeRequest, app: App) -> None:
    """Refuse before anything starts what is switched off.

    Raises:
        EyesError: SERVE_AUTOMATION_DISABLED, MCP_DISABLED.
    """
    try:
        settings = app.settings
        for group in request.groups if request.groups is not None else settings.serve.mcp_groups:
            if group in GROUPS_OF_AUTOMATION and not getattr(settings, group).enabled:
                raise EyesError(SERVE_AUTOMATION_DISABLED, f"The group {group} is switched off.", group=group)
        if request.upstream and not settings.mcp.enabled:
            from deepseekeyes.mcp.codes import MCP_DISABLED

            raise EyesError(MCP_DISABLED, "MCP servers are switched off.", details={"dispatched": "no"})
    finally:
        app.close()


def _installed() -> None:
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise EyesError(SERVE_EXTRA_MISSING, "The MCP SDK is not installed.", extra="mcp")


async def _table(request: ServeRequest, opened: Callable[[], App]) -> ServedToolList:
    from deepseekeyes.serve.json_text import compact
    from deepseekeyes.serve.serving import Serving
    from deepseekeyes.serve.tools import left_out

    serving = Serving(opened, request.groups, with_upstream=request.upstream)
    await serving.start()
    try:
        managed = await serving.upstream_tools()
        own = [(tool.name, tool.operation, tool, tool.description) for tool in serving.own.values()]
        rows = [(*own_row[:2], own_row[2], own_row[3]) for own_row in own]
        found: list[Any] = [*rows, *((tool.name, tool.operation, tool, tool.description) for tool in managed)]
        withheld = [*left_out().items(), *(serving.upstream.withheld if serving.upstream is not None else ())]
        return ServedToolList(
            items=tuple(
                ServedToolRow(
                    name=name,
                    operation=operation,
                    read_only=tool.hints.read_only,
                    destructive=tool.hints.destructive,
                    idempotent=tool.hints.idempotent,
                    open_world=tool.hints.open_world,
                    arguments=tuple(tool.input_schema.get("properties", {})),
                    tokens_estimated=-(-len(name + says + compact(dict(tool.input_schema))) // 4),
                    description=says,
                )
                for name, operation, tool, says in found
            ),
            left_out=tuple(UnservedRow(name=name, reason=reason) for name, reason in withheld),
        )
    finally:
        await serving.close()


async def _serve(request: ServeRequest, opened: Callable[[], App], show: Callable[[Document], None]) -> None:
    import asyncio

    from deepseekeyes.serve.serving import Serving

    stop = asyncio.Event()
    _listen_to_signals(stop)
    serving = Serving(opened, request.groups, with_upstream=request.upstream)
    try:
        await serving.start()
        if request.transport == "stdio":
            await _over_stdio(serving, stop)
        else:
            await _over_http(serving, request, stop, show)
    finally:
        await serving.close()


def _listen_to_signals(stop: asyncio.Event) -> None:
    import asyncio
    import signal
    from contextlib import suppress

    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        with suppress(NotImplementedError, AttributeError, RuntimeError):
            loop.add_signal_handler(getattr(signal, name), stop.set)


async def _over_stdio(serving: Serving, stop: asyncio.Event) -> None:
    """One session on the standard streams; calls that run when the input ends get a while if somebody still reads."""
    import asyncio

    from deepseekeyes.serve.mcp_server import Protocol as Handlers
    from deepseekeyes.serve.stdio import Kept, stdio

    section = serving.app.settings.serve
    async with stdio(section.max_request_bytes) as (wire, (incoming, outgoing)):
        handlers = Handlers(serving, serving.warm)
        server = handlers.server
        kept = Kept(incoming, lambda: serving.workshop.busy and not wire.reader_gone, section.drain_ms / 1000)
        session = asyncio.ensure_future(server.run(kept, outgoing, server.create_initialization_options()))
        watching = asyncio.ensure_future(handlers.watch())
        stopping = asyncio.ensure_future(stop.wait())
        await asyncio.wait({session, stopping}, return_when=asyncio.FIRST_COMPLETED)
        for task in (session, watching, stopping):
            task.cancel()
        await asyncio.wait({session, watching, stopping})
        if not session.cancelled() and session.exception() is not None:
            raise session.exception()  # type: ignore[misc]


async def _over_http(
    serving: Serving, request: ServeRequest, stop: asyncio.Event, show: Callable[[Document], None]
) -> None:
    import asyncio

    from mcp.server.transport_security import TransportSecuritySettings

    from deepseekeyes.core.secrets import SecretRef, reveal
    from deepseekeyes.serve.http_door import bound, run, url_of
    from deepseekeyes.serve.http_guard import Guard, checked_token
    from deepseekeyes.serve.http_ids import Ids
    from deepseekeyes.serve.mcp_server import Protocol as Handlers

    section = serving.app.settings.serve
    host = request.host or section.host
    reference = SecretRef(request.token_env) if request.token_env is not None else section.token
    token = checked_token(reveal(reference) if reference is not None else None, host)
    listening = bound(host, section.mcp_port if request.port is None else request.port)
    handlers = Handlers(serving, serving.warm)
    app = handlers.server.streamable_http_app(
        streamable_http_path=PATH,
        host=host,
        max_request_body_size=section.max_request_bytes,
        max_sessions=section.max_sessions,
        session_idle_timeout=section.session_idle_s,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    heard = Ids(app, max_bytes=section.max_request_bytes)
    guard = Guard(heard, host=host, token=token, origins=section.origins, max_bytes=section.max_request_bytes)
    url = url_of(listening, host, PATH)

    async def ready() -> None:
        say(f"note: serving MCP at {url}" + ("" if token is not None else " without a token"))
        show(McpServing(url=url, tools=len(serving.own), token=token is not None))

    watching = asyncio.ensure_future(handlers.watch())
    try:
        await run(guard, listening, stop, ready)
    finally:
        watching.cancel()
