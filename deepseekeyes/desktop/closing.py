"""The end of a session, whatever state its display and its run's folder are in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from deepseekeyes.automation import stored
from deepseekeyes.automation.codes import RUN_LOG_BROKEN
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import VERSION, document, is_open, stored_run


@dataclass(frozen=True, slots=True)
class Closed:
    """A session that was just closed; `steps` is None when its run's log is gone or broken."""

    run_id: str
    closed_at: str
    folder: str | None
    steps: int | None


def close_stored(name: str, deps: DesktopDeps) -> Closed | None:
    """Close a session; its key goes, its run's folder stays as it is.

    Returns:
        What was closed, or None when there was no open session of that name.
    """
    closed: list[Closed] = []

    def change(found: dict[str, Any] | None) -> dict[str, Any]:
        if found is None or not is_open(found):
            return found or {}
        row, ended = _ended(found, deps)
        closed.append(ended)
        return {**found, "wanted": None, "run": row}

    if deps.sessions.load(document(name), VERSION) is None:
        return None
    deps.sessions.update(document(name), VERSION, change)
    return closed[0] if closed else None


def _ended(found: dict[str, Any], deps: DesktopDeps) -> tuple[dict[str, Any], Closed]:
    """The row of the run when it is over; of one whose log cannot be read as well."""
    row = found["run"]
    try:
        run = stored_run(found, deps)
    except EyesError as broken:
        if broken.code is not RUN_LOG_BROKEN:
            raise
        at = rfc3339(deps.clock.now())
        left = {**row, "closedAt": at, "key": None, "trusted": False, "newest": None}
        return left, Closed(row["runId"], at, row["folder"], None)
    run.close()
    run.newest = None
    folder = str(run.folder) if run.folder is not None else None
    return stored.to_json(run), Closed(run.id, str(run.closed_at), folder, run.log.count)
