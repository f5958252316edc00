"""Deps of the `mcp` operations."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from deepseekeyes.core.errors import EyesError

if TYPE_CHECKING:
    from deepseekeyes.mcp.adapters.connect import SdkConnector
    from deepseekeyes.mcp.definitions import ServerSettings
    from deepseekeyes.mcp.deps import McpDeps
    from deepseekeyes.mcp.lint import LintDeps
    from deepseekeyes.mcp.lint_ports import RawLink
    from deepseekeyes.mcp.ports import Authorise, Question
    from deepseekeyes.mcp.settings import McpSettings
    from deepseekeyes.mcp.wishes import Verb
    from deepseekeyes.wiring.app import App
    from deepseekeyes.wiring.door import Door

WISHES = "run/mcp-wishes"

_BUILT: WeakKeyDictionary[App, McpDeps] = WeakKeyDictionary()


def mcp_deps(app: App) -> McpDeps:
    """One set of deps a process, so that calls without a run id share one quota.

    Connections are held open where the process serves; otherwise each use closes its own.
    """
    if app not in _BUILT:
        _BUILT[app] = build(app, keep_open=app.serving)
        if app.serving:
            app.endings.append(lambda: _ended(app))
    return _BUILT[app]


def in_use(app: App) -> bool:
    """Whether the planes were used in this process."""
    return app in _BUILT


async def _ended(app: App) -> None:
    await _BUILT[app].upstreams.aclose()


async def carry_over(old: App, new: App) -> None:
    """Give the open connections of one app to the next, after revoking what its settings no longer allow."""
    from dataclasses import replace

    from deepseekeyes.mcp.adapters.connect import SdkConnector

    held = mcp_deps(old)
    made = build(new, keep_open=new.serving)
    opening = made.upstreams.connector
    if isinstance(opening, SdkConnector):
        opening.inherit(held.upstreams.connector)
    await held.upstreams.reload(new.settings.mcp, opening)
    _BUILT[new] = replace(made, upstreams=held.upstreams, process_quota=held.process_quota)
    new.endings.append(lambda: _ended(new))


def build(app: App, *, keep_open: bool) -> McpDeps:
    """Deps of their own; a serving door holds connections open and calls `deps.upstreams.aclose()` at its end."""
    from deepseekeyes.mcp.artifact_files import ArtifactFiles
    from deepseekeyes.mcp.cache import CatalogCache
    from deepseekeyes.mcp.deps import McpDeps
    from deepseekeyes.mcp.journal import RunJournal
    from deepseekeyes.mcp.pins import Pins
    from deepseekeyes.mcp.quota import LedgerQuota
    from deepseekeyes.mcp.result import Sink
    from deepseekeyes.mcp.upstreams import Upstreams

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        app.door.progress(int(progress), None if total is None else int(total), message or "")

    section = app.settings.mcp
    connecting = connector(app, watch=keep_open)
    upstreams = Upstreams(
        section,
        connecting,
        CatalogCache(app.documents, app.clock),
        Pins(app.documents, app.clock),
        app.clock,
        keep_open=keep_open,
    )
    return McpDeps(
        upstreams=upstreams,
        sink=Sink(section, app.settings.vision.limits, ArtifactFiles(_artifact_root(app, section)), app.blobs),
        ledger=app.books.ledger,
        run_quota=LedgerQuota(app.books.ledger, section.run_expiry_s),
        journal=RunJournal(app.home / "mcp-runs", app.clock),
        clock=app.clock,
        book=app.books.external,
        ask=_asking(app.door),
        progress=progress,
        sign_in=connecting.sign_in,
        session_hash=app.session_hash,
        tell=lambda server_id, verb: None if app.serving else _tell(app, server_id, verb),
    )


def wishes(app: App) -> dict[str, tuple[str, Verb]]:
    """What other processes ask a serving one to do: server -> (moment, verb)."""
    from deepseekeyes.mcp.wishes import left

    return left(app.home / WISHES)


def stale(app: App) -> bool:
    """Whether an open server announced a changed listing that was not drained since."""
    return app in _BUILT and bool(_BUILT[app].upstreams.stale())


def _tell(app: App, server_id: str, verb: Verb) -> None:
    """Ask the serving processes; where the home cannot be written, none can be asked."""
    from deepseekeyes.core.clock import rfc3339
    from deepseekeyes.core.errors import EyesError
    from deepseekeyes.mcp.wishes import leave

    try:
        leave(app.home / WISHES, server_id, verb, rfc3339(app.clock.now()))
    except EyesError as trouble:
        app.door.note(f"Serving processes could not be told: {trouble.code.name}.")


def connector(app: App, *, watch: bool = False) -> SdkConnector:
    """Opens connections, signed in where a server wants that.

    Args:
        app: whose settings count.
        watch: hear of changed listings, for connections that are held.
    """
    from deepseekeyes.mcp.adapters.connect import SdkConnector
    from deepseekeyes.mcp.adapters.oauth import OAuthSessions

    section = app.settings.mcp
    return SdkConnector(section, OAuthSessions(section, app.clock, _recorder(app), app.door.note), watch=watch)


def lint_deps(app: App) -> LintDeps:
    """A connection of its own, and a look at bare pipes; nothing of it is remembered."""
    from deepseekeyes.mcp.lint import LintDeps

    section = app.settings.mcp

    async def open_pipes(server_id: str, server: ServerSettings) -> RawLink:
        from deepseekeyes.mcp.adapters.raw_link import PipeOpener

        return await PipeOpener(section)(server_id, server)

    return LintDeps(section, connector(app), open_pipes, app.clock)


def _asking(door: Door) -> Authorise | None:
    """How a person is asked about a call; None where the door has nobody behind it."""
    from deepseekeyes.wiring.door import Asks

    if not isinstance(door, Asks):
        return None

    async def ask(question: Question) -> bool:
        import asyncio

        from deepseekeyes.core.canonical import compact
        from deepseekeyes.core.redact import surface

        what = f"{question.kind} {question.name} of the server {question.server_id}"
        sentence = (
            f"Call the {what} ({question.classification.risk}) with {surface(compact(dict(question.arguments)))}?"
        )
        return await asyncio.to_thread(door.ask, sentence)

    return ask


def _recorder(app: App) -> Callable[[dict[str, Any]], None] | None:
    """Writes the rows of signing in; one that cannot be written changes nothing."""
    if not app.settings.mcp.audit:
        return None

    def record(row: dict[str, Any]) -> None:
        with suppress(EyesError):
            app.books.ledger.append("audit", row)

    return record


def _artifact_root(app: App, section: McpSettings) -> Path | None:
    if section.artifact_dir is False:
        return None
    return app.home / Path(section.artifact_dir).expanduser()
