"""`desktop sessions`: which there are."""

from __future__ import annotations

from deepseekeyes.contracts.desktop import DesktopSessionList, DesktopSessionRow
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import FOLDER, VERSION, stored_run


class SessionsRequest(Contract):
    """Nothing."""


async def sessions(request: SessionsRequest, deps: DesktopDeps) -> DesktopSessionList:  # noqa: ARG001 - a list of all
    """List the desktop sessions of this home, open and closed."""
    rows = []
    for name in deps.sessions.names(FOLDER):
        found = deps.sessions.load(name, VERSION)
        if not found:
            continue
        row = found["run"]
        try:
            steps = stored_run(found, deps).log.count
        except EyesError:
            steps = 0
        rows.append(
            DesktopSessionRow(
                name=name.partition("/")[2],
                run_id=row["runId"],
                display=found["display"],
                steps=steps,
                closed_at=row["closedAt"],
                folder=row["folder"],
            )
        )
    return DesktopSessionList(items=tuple(rows))
