"""One session on one display: taken up from its document, held under the display's lock, written back.

Native identities outlive our process, so a command takes the run up where the last one left it. Before anything is
dispatched the document says that no state may be acted on; a process that is killed in the middle leaves it like that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from deepseekeyes.automation import stored
from deepseekeyes.automation.run import Run
from deepseekeyes.core.codes import LOCK_TIMEOUT
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.core.lock import locked
from deepseekeyes.core.names import safe_name
from deepseekeyes.desktop.codes import DESKTOP_DISPLAY_BUSY, DESKTOP_SESSION_CLOSED
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.gate import allowed
from deepseekeyes.desktop.interrupted import taken_up
from deepseekeyes.desktop.looking import Wanted
from deepseekeyes.desktop.ports import Backend
from deepseekeyes.desktop.surface import DesktopSurface
from deepseekeyes.desktop.view import View
from deepseekeyes.session.codes import SESSION_NOT_FOUND

FOLDER: Final = "desktop-sessions"
VERSION: Final = 1


@dataclass(slots=True)
class Desk:
    """An open session. `content` is what its document held."""

    name: str
    deps: DesktopDeps
    backend: Backend
    run: Run
    content: dict[str, Any]
    surface: DesktopSurface = field(init=False)

    @property
    def view(self) -> View | None:
        """What the newest state saw."""
        newest = self.run.newest
        return None if newest is None else newest.snapshot.body


def document(name: str) -> str:
    """Where a session is kept."""
    return f"{FOLDER}/{name}"


def stored_run(content: dict[str, Any], deps: DesktopDeps) -> Run:
    """The run of a session document.

    Raises:
        EyesError: RUN_LOG_BROKEN.
    """
    run_row = dict(content["run"])
    if run_row["newest"] is not None:
        run_row["newest"] = {**run_row["newest"], "body": View.from_json(run_row["newest"]["body"])}
    return stored.from_json(run_row, settings=deps.automation, clock=deps.clock)


def permitted(name: str, deps: DesktopDeps, *, enable: bool) -> dict[str, Any] | None:
    """The session's document, if desktop commands are allowed at all: by configuration, this call, or the session.

    Raises:
        EyesError: DESKTOP_DISABLED.
    """
    found = deps.sessions.load(document(name), VERSION)
    allowed(deps.settings, enable=enable or (is_open(found) and bool(found and found["enabled"])))
    return found


@asynccontextmanager
async def opened(name: str, deps: DesktopDeps, *, enable: bool, starts: bool) -> AsyncIterator[Desk]:
    """Open the display and take the session up.

    Args:
        starts: whether a session is begun where there is none, or where it was closed.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_SESSION_CLOSED, SESSION_NOT_FOUND, DESKTOP_DISPLAY_BUSY, and what
            opening a display raises.
    """
    found = permitted(name, deps, enable=enable)
    _check(found, name, starts=starts)
    await loop_needed()
    import asyncio

    backend = await asyncio.to_thread(deps.open, deps.opening)
    try:
        async with _display(backend, deps):
            found = deps.sessions.load(document(name), VERSION)
            _check(found, name, starts=starts)
            desk = _desk(name, found, backend, deps, enable=enable)
            try:
                yield desk
            finally:
                _save(desk)
    finally:
        await asyncio.to_thread(backend.close)


def is_open(found: dict[str, Any] | None) -> bool:
    """Whether a session's document is of one that goes on."""
    return found is not None and found["run"]["closedAt"] is None


def no_session(name: str) -> EyesError:
    """What says that a session was never begun."""
    return EyesError(
        SESSION_NOT_FOUND,
        f"There is no desktop session named {name}.",
        details={"dispatched": "no"},
        command=f"deepseekeyes desktop observe --session {name}",
    )


def _check(found: dict[str, Any] | None, name: str, *, starts: bool) -> None:
    if starts or is_open(found):
        return
    if found is None:
        raise no_session(name)
    raise EyesError(DESKTOP_SESSION_CLOSED, f"The session {name!r} was closed.", details={"dispatched": "no"})


def _desk(name: str, found: dict[str, Any] | None, backend: Backend, deps: DesktopDeps, *, enable: bool) -> Desk:
    content: dict[str, Any] = {"enabled": enable, "wanted": None, "pointer": None, "display": None}
    run: Run | None = None
    if found is not None and is_open(found):
        run = stored_run(found, deps)
        content = {key: found[key] for key in content}
        content["enabled"] = content["enabled"] or enable
    cut_off = None if run is None else taken_up(run)
    if run is None:
        run = Run.start(
            "desktop", name, root=deps.root, settings=deps.automation, clock=deps.clock, version=deps.version
        )
    display = backend.environment.lock_key
    if content["display"] not in (None, display):
        run.invalidate()
        content["wanted"] = content["pointer"] = None
    content["display"] = display
    wanted = content["wanted"]
    desk = Desk(name, deps, backend, run, content)
    desk.surface = DesktopSurface(
        backend,
        run,
        deps,
        wanted=Wanted(*wanted) if wanted is not None else Wanted(),
        before_acting=lambda: _distrust(desk),
        pointer=content["pointer"],
        note=cut_off,
    )
    return desk


@asynccontextmanager
async def _display(backend: Backend, deps: DesktopDeps) -> AsyncIterator[None]:
    """Hold the display; waiting happens in a thread, so that a loop with other work goes on."""
    import asyncio

    path = deps.locks / f"desktop-{safe_name(backend.environment.lock_key)}.lock"
    lock = locked(path, timeout_s=deps.settings.lock_timeout_ms / 1000, setting="desktop.lock_timeout_ms")
    try:
        await asyncio.to_thread(lock.__enter__)
    except EyesError as busy:
        if busy.code is not LOCK_TIMEOUT:
            raise
        raise EyesError(
            DESKTOP_DISPLAY_BUSY,
            "Another process acts on this display.",
            details={**busy.details, "dispatched": "no"},
        ) from busy
    try:
        yield
    finally:
        lock.__exit__(None, None, None)


def _distrust(desk: Desk) -> None:
    """Say in the document that nothing may be acted on, before something is dispatched.

    Raises:
        EyesError: DESKTOP_SESSION_CLOSED when somebody closed the session meanwhile.
    """

    def change(found: dict[str, Any] | None) -> dict[str, Any]:
        _refuse_closed(found, desk)
        return _content(desk, trusted=False)

    desk.deps.sessions.update(document(desk.name), VERSION, change)


def _save(desk: Desk) -> None:
    """Write the session back; one that was closed meanwhile stays closed."""

    def change(found: dict[str, Any] | None) -> dict[str, Any]:
        _refuse_closed(found, desk)
        return _content(desk, trusted=desk.run.trusted)

    with suppress(_ClosedError):
        desk.deps.sessions.update(document(desk.name), VERSION, change)


class _ClosedError(EyesError):
    """Somebody closed the session while it was in use."""


def _refuse_closed(found: dict[str, Any] | None, desk: Desk) -> None:
    if found is not None and found["run"]["runId"] == desk.run.id and found["run"]["closedAt"] is not None:
        desk.run.close()
        raise _ClosedError(
            DESKTOP_SESSION_CLOSED, f"The session {desk.name!r} was closed.", details={"dispatched": "no"}
        )


def _content(desk: Desk, *, trusted: bool) -> dict[str, Any]:
    view = desk.view
    wanted = desk.surface.wanted
    row = stored.to_json(desk.run, None if view is None else view.to_json())
    return {
        **desk.content,
        "wanted": None if wanted.window is None else [wanted.window, wanted.label],
        "pointer": None if desk.surface.pointer is None else list(desk.surface.pointer),
        "run": {**row, "trusted": trusted and row["trusted"]},
    }
