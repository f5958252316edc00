"""Calls from outside become operations and come back as results; the protocol around them does not matter here."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from deepseekeyes.contracts.document import Document
from deepseekeyes.contracts.mcp import McpResult
from deepseekeyes.contracts.stored import parsed
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.limits import Ceiling, Ceilings, measure
from deepseekeyes.dispatch import dispatch
from deepseekeyes.serve import resources
from deepseekeyes.serve.codes import SERVE_ARGUMENTS_TOO_DEEP, SERVE_ARGUMENTS_TOO_LARGE, SERVE_TOOL_UNKNOWN
from deepseekeyes.serve.instructions import instructions
from deepseekeyes.serve.live_app import LiveApp
from deepseekeyes.serve.resources import Content, Entry
from deepseekeyes.serve.results import Result, collected, done, failed
from deepseekeyes.serve.served_door import Call, Report, say, serving
from deepseekeyes.serve.tools import ServedTool, served_tools
from deepseekeyes.serve.upstream import MANAGED, Upstream, UpstreamTool
from deepseekeyes.serve.workshop import Workshop
from deepseekeyes.wiring.succession import hand_over

if TYPE_CHECKING:
    from deepseekeyes.wiring.app import App

T = TypeVar("T")

DEEPEST = 32
MOST_VALUES = 50_000
CLOSING_S = 10.0


class UnknownToolError(Exception):
    """No tool has that name; the protocol has an answer of its own for that."""


class Serving:
    """One serving process: its app, its workshop, its tools.

    Args:
        open_app: opens an app whose door is this process.
        groups: what is served.
        with_upstream: serve the tools of managed servers too.
    """

    def __init__(self, open_app: Callable[[], App], groups: Iterable[str] | None, *, with_upstream: bool) -> None:
        first = open_app()
        section = first.settings.serve
        self.groups = tuple(section.mcp_groups if groups is None else groups)
        self.own = {tool.name: tool for tool in served_tools(self.groups)}
        self.workshop = Workshop(at_once=section.calls_at_once, waiting=section.calls_waiting)
        self._with_upstream = with_upstream
        self._lines: dict[str, asyncio.Lock] = {}
        self._wishes: Mapping[str, tuple[str, str]] = {}
        self._first: App | None = first
        self._open = open_app
        self._live: LiveApp | None = None
        self.upstream = self._upstream() if with_upstream else None

    @property
    def app(self) -> App:
        """The app in force."""
        return self._live.app if self._live is not None else self._first  # type: ignore[return-value]

    async def start(self) -> None:
        """Make everything that lives in the workshop."""

        async def start() -> None:
            self._live = LiveApp(self._opened, hand_over)
            if self._with_upstream:
                from deepseekeyes.wiring.mcp import wishes

                self._wishes = wishes(self.app)

        await self.workshop.aside(start())

    def instructions(self) -> str:
        """See `serve.instructions`."""
        section = self.app.settings.mcp
        servers = [key for key, server in section.servers.items() if server.enabled] if self._with_upstream else ()
        return instructions(self.app, self.groups, servers)

    def warm(self) -> None:
        """Load what first calls need, in a thread of its own."""
        from deepseekeyes.wiring.warming import load, modules

        names = tuple(modules(self.app, self.groups))
        threading.Thread(target=load, args=(names,), name="warming", daemon=True).start()

    async def refresh(self) -> bool:
        """Take over what has changed: the configuration, managed servers' listings, wishes of other processes.

        Returns:
            Whether the tools may be others now.
        """
        changed = await self.workshop.aside(self._lent.refresh())
        if self.upstream is not None:
            changed = await self.workshop.aside(self._follow(self.upstream)) or changed
        return changed

    async def call(self, name: str, arguments: Mapping[str, Any], report: Report | None = None) -> Result:
        """Run one tool. Every failure is a result.

        Args:
            name: of a served tool.
            arguments: as they came.
            report: is told how far it is.

        Raises:
            UnknownToolError: no tool has that name.
        """
        try:
            self._check(arguments)
            own = self.own.get(name)
            if own is not None:
                return await self.workshop.run(self._call_own(own, arguments, report))
            managed = await self._find(name)
            if managed is None:
                raise UnknownToolError(name)
            return await self.workshop.run(self._call_managed(managed, arguments, report))
        except EyesError as error:
            return failed(error)

    async def upstream_tools(self) -> tuple[UpstreamTool, ...]:
        """The tools of managed servers that are exposed now."""
        return () if self.upstream is None else await self.workshop.aside(self.upstream.tools())

    async def resources(self) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        """Resources and templates."""

        async def listed() -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
            own = (*await resources.evidence(self._run), *self._run_reports(), *resources.schemas())
            plain, wide = ((), ()) if self.upstream is None else await self.upstream.resources()
            return (*own, *plain), (*resources.TEMPLATES, *wide)

        return await self._guarded(listed())

    async def read(self, uri: str) -> Content:
        """The content of a resource.

        Raises:
            EyesError: SERVE_RESOURCE_UNKNOWN and what the operation behind it raises.
        """
        if self.upstream is not None and uri.startswith(MANAGED):
            return await self._guarded(self.upstream.read(uri))
        run = resources.run_of(uri)
        if run is not None and run[0] in self.groups:
            return await self._guarded(self._run_report(*run))
        return await self._guarded(resources.read(uri, self._run))

    async def prompts(self) -> tuple[tuple[str, Any], ...]:
        """Allowed prompts of managed servers."""
        return () if self.upstream is None else await self._guarded(self.upstream.prompts())

    async def prompt(self, name: str, arguments: Mapping[str, str]) -> Content | None:
        """One prompt; None when there is none of that name.

        Raises:
            EyesError: the codes of `mcp prompt`.
        """
        return None if self.upstream is None else await self._guarded(self.upstream.prompt(name, arguments))

    async def close(self) -> None:
        """End the connections, then the workshop."""

        async def end() -> None:
            if self._live is not None:
                await self._live.aclose()

        try:
            async with asyncio.timeout(CLOSING_S):
                await self.workshop.aside(end())
        except (TimeoutError, EyesError) as trouble:
            say(f"warning: not everything could be closed: {type(trouble).__name__}")
        finally:
            await asyncio.to_thread(self.workshop.close)

    def _upstream(self) -> Upstream:
        return Upstream(
            self._run, lambda: self.app.settings.mcp, lambda document: _pictures(document, self.app)
        )  # fmt: skip

    def _run_reports(self) -> list[Entry]:
        from deepseekeyes.serve.run_reports import KINDS, reports

        kinds = [kind for kind in KINDS if kind in self.groups]
        return [resources.run_report(kind, run) for kind in kinds for run, _ in reports(self.app, kind)]

    async def _run_report(self, kind: str, run: str) -> Content:
        from deepseekeyes.serve.run_reports import report

        return Content(report(self.app, kind, run), resources.JSON)

    async def _follow(self, upstream: Upstream) -> bool:
        """Do what was asked about managed servers, and list anew what they announced as changed."""
        from deepseekeyes.wiring.mcp import stale, wishes

        asked, before = wishes(self.app), self._wishes
        self._wishes = asked
        wanted = [(server, verb) for server, (at, verb) in asked.items() if before.get(server) != (at, verb)]
        for server, verb in wanted:
            try:
                await self._run(f"mcp.{verb}", {"server": server})
            except EyesError as failed:
                say(f"warning: mcp {verb} {server}: {failed.code.name}: {failed.message}")
        if not (upstream.news() or wanted or stale(self.app)):
            return False
        await upstream.tools()
        return True

    @property
    def _lent(self) -> LiveApp:
        assert self._live is not None
        return self._live

    def _opened(self) -> App:
        first, self._first = self._first, None
        return first if first is not None else self._open()

    def _check(self, arguments: Mapping[str, Any]) -> None:
        most = self.app.settings.serve.max_request_bytes
        measure(
            arguments,
            Ceilings(
                depth=Ceiling(DEEPEST, SERVE_ARGUMENTS_TOO_DEEP),
                nodes=Ceiling(MOST_VALUES, SERVE_ARGUMENTS_TOO_LARGE),
                characters=Ceiling(most, SERVE_ARGUMENTS_TOO_LARGE, "serve.max_request_bytes"),
            ),
        )

    async def _find(self, name: str) -> UpstreamTool | None:
        return None if self.upstream is None else await self.workshop.aside(self.upstream.find(name))

    async def _call_own(self, tool: ServedTool, arguments: Mapping[str, Any], report: Report | None) -> Result:
        payload, stdin, wanted = tool.payload(arguments)
        known = tool.input_schema["properties"].keys()

        async def run(app: App) -> Result:
            with serving(Call(report, stdin)):
                document = parsed(await dispatch(tool.operation, payload, app))
            return _result(document, app, pictures=wanted or document.shows(), arguments=known)

        if tool.entry.scope == "session":
            async with self._lines.setdefault(f"{tool.group} {payload.get('session')}", asyncio.Lock()):
                return await self._with_app(run, known)
        return await self._with_app(run, known)

    async def _call_managed(self, tool: UpstreamTool, arguments: Mapping[str, Any], report: Report | None) -> Result:
        async def run(app: App) -> Result:
            with serving(Call(report)):
                document = await dispatch(tool.operation, tool.payload(arguments), app)
            assert isinstance(document, McpResult)
            return _managed(document, app)

        return await self._with_app(run)

    async def _with_app(
        self, run: Callable[[App], Coroutine[Any, Any, Result]], arguments: Collection[str] = ()
    ) -> Result:
        async with self._lent.use() as app:
            try:
                return await run(app)
            except EyesError as error:
                return failed(error, arguments)
            except Exception as bug:  # noqa: BLE001 - a bug in one call must not end the others
                from deepseekeyes.core.crash import internal

                return failed(internal(bug, app.home))

    async def _run(self, operation: str, payload: Mapping[str, Any]) -> Document:
        async with self._lent.use() as app:
            return parsed(await dispatch(operation, payload, app))

    async def _guarded(self, work: Coroutine[Any, Any, T]) -> T:
        """A listing or a reading, beside the calls; a bug becomes a failure."""
        try:
            return await self.workshop.aside(work)
        except EyesError:
            raise
        except Exception as bug:
            from deepseekeyes.core.crash import internal

            raise internal(bug, self.app.home) from bug


def _result(document: Document, app: App, *, pictures: bool, arguments: Collection[str]) -> Result:
    section = app.settings.serve
    taken, notes = ((), ()) if not pictures else _pictures(document, app)
    return done(document, max_chars=section.max_text_chars, pictures=taken, notes=notes, arguments=arguments)


def _managed(result: McpResult, app: App) -> Result:
    """A managed server's result: its own preview as text, its pictures, and its own word on whether it failed."""
    taken, notes = _pictures(result, app)
    rest: tuple[str, ...] = ()
    if result.truncated:
        place = f"all of it lies in {result.artifact.path}" if result.artifact is not None else "nothing else was kept"
        rest = (f"note: {result.omitted_chars} characters left out (mcp.max_result_chars); {place}.",)
    text = (result.preview, *rest, *(f"note: {warning}" for warning in result.warnings), *notes)
    return Result(result.to_json(), text, taken, failed=result.status == "error", document=result)


def _pictures(document: Document, app: App) -> tuple[Any, Any]:
    section = app.settings.serve
    return collected(document.images(), app.blobs.get, most=section.max_images, max_bytes=section.max_image_bytes)


def unknown_tool(name: str, known: Iterable[str]) -> EyesError:
    """The failure of a name that no tool has."""
    from deepseekeyes.core.names import nearest

    near = nearest(name, list(known))
    return EyesError(
        SERVE_TOOL_UNKNOWN, f"There is no tool {name[:64]!r}" + (f"; did you mean {near}?" if near else ".")
    )
