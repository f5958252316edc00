"""Which window is looked at, before anything else happens."""

from __future__ import annotations

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.choosing import best_window, only_window, windows_called
from deepseekeyes.desktop.codes import DESKTOP_WINDOW_REF_NOT_FOUND
from deepseekeyes.desktop.desk import Desk
from deepseekeyes.desktop.looking import Wanted
from deepseekeyes.desktop.requests import TargetRequest, WindowRequest, refused
from deepseekeyes.desktop.rows import window_rows


async def look_at(desk: Desk, request: WindowRequest, *, strict: bool = False, active: bool = False) -> None:
    """Point the session at the window that a request names; without one it stays where it is.

    Args:
        strict: whether a window that is not there is an error now; otherwise the gesture refuses it and says so.
        active: whether, with nothing named and nothing looked at, the window that has the keyboard is meant.

    Raises:
        EyesError: DESKTOP_WINDOW_REF_NOT_FOUND, DESKTOP_NO_MATCH when `strict`.
    """
    import asyncio

    wanted = desk.surface.wanted
    if request.window is not None:
        row = desk.view.window(request.window) if desk.view is not None else None
        if row is None and strict:
            raise refused(DESKTOP_WINDOW_REF_NOT_FOUND, f"The newest state has no window {request.window[:40]!r}.")
        if row is not None:
            wanted = Wanted(row["identity"], row["title"], strict)
    elif request.app is not None or request.title is not None:
        wanted = await asyncio.to_thread(_named, desk, request, strict)
    elif active and wanted.window is None:
        wanted = await asyncio.to_thread(_active, desk)
    desk.surface.wanted = Wanted(wanted.window, wanted.label, strict)


async def aim_at(desk: Desk, request: TargetRequest) -> None:
    """The same for an action on an element, which is looked for in the active window when nothing else is known."""
    fresh = request.locator is not None and request.state is None
    if request.state is None or request.window is not None:
        await look_at(desk, request, active=fresh)


def _named(desk: Desk, request: WindowRequest, strict: bool) -> Wanted:
    """The best window for a look; for an action the one that is looked at already, or the only one there is."""
    rows, _ = window_rows(desk.backend.windows(), desk.deps.settings)
    if strict:
        row = best_window(rows, request.app, request.title)
        return Wanted(row["identity"], row["title"])
    wanted = desk.surface.wanted
    if any(row["identity"] == wanted.window for row in windows_called(rows, request.app, request.title)):
        return wanted
    try:
        row = only_window(rows, request.app, request.title)
    except EyesError:
        return wanted
    return Wanted(row["identity"], row["title"])


def _active(desk: Desk) -> Wanted:
    identity = desk.backend.active()
    found = next((one for one in desk.backend.windows() if one.identity == identity), None)
    return desk.surface.wanted if found is None else Wanted(found.identity, found.title)
