"""`desktop close`: end a session, or all of them at once."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.desktop import DesktopClosed, DesktopSessionRow
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.desktop.closing import close_stored
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import FOLDER
from deepseekeyes.desktop.requests import SessionRequest


class CloseRequest(SessionRequest):
    """Which session."""

    all: bool = Field(default=False, description="Every session of this home; what runs stops at its next step.")


async def close(request: CloseRequest, deps: DesktopDeps) -> DesktopClosed:
    """End a session: its key is deleted, its run's folder stays; windows and programs stay as they are.

    It needs no display and waits for nobody: an action that is under way ends, and the next one is refused.
    """
    names = [request.session]
    if request.all:
        names = [name.partition("/")[2] for name in deps.sessions.names(FOLDER)]
    rows = []
    for name in names:
        found = close_stored(name, deps)
        if found is not None:
            rows.append(
                DesktopSessionRow(
                    name=name,
                    run_id=found.run_id,
                    display=None,
                    steps=found.steps or 0,
                    closed_at=found.closed_at,
                    folder=found.folder,
                )
            )
    return DesktopClosed(closed_at=rfc3339(deps.clock.now()), sessions=tuple(rows))
