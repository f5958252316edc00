"""`desktop windows`: what is open, without looking into anything."""

from __future__ import annotations

import asyncio

from deepseekeyes.contracts.desktop import DesktopWindowList
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import Desk, opened
from deepseekeyes.desktop.requests import SessionRequest
from deepseekeyes.desktop.rows import monitor_rows, window_rows
from deepseekeyes.desktop.view import public


class WindowsRequest(SessionRequest):
    """Nothing but the session."""


async def windows(request: WindowsRequest, deps: DesktopDeps) -> DesktopWindowList:
    """List the windows, front first; it is no state that can be acted on.

    Raises:
        EyesError: DESKTOP_DISABLED, and what opening a display raises.
    """

    async with opened(request.session, deps, enable=request.enable, starts=True) as desk:
        return await asyncio.to_thread(_listed, desk)


def _listed(desk: Desk) -> DesktopWindowList:
    rows, total = window_rows(desk.backend.windows(), desk.deps.settings)
    active = desk.backend.active()
    return DesktopWindowList.model_validate(
        {
            "session": desk.name,
            "display": desk.backend.environment.display,
            "active": next((row["ref"] for row in rows if row["identity"] == active), None),
            "monitors": monitor_rows(desk.backend.monitors()),
            "items": [public(row) for row in rows],
            "truncated": len(rows) < total,
            "omitted": total - len(rows),
        }
    )
