"""An action whose process was killed in the middle: a step of its own, and word to the next command."""

from __future__ import annotations

import json

from deepseekeyes.automation.rows import json_value
from deepseekeyes.automation.run import Run
from deepseekeyes.automation.runlog import DOING
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.codes import DESKTOP_ACTION_INTERRUPTED


def taken_up(run: Run) -> str | None:
    """Append what the last process began and did not end. Called under the display's lock, when nobody is acting.

    Returns:
        One sentence for people, or None when nothing was cut off.

    Raises:
        EyesError: the step could not be written (DISK_FULL, WRITE_FAILED).
    """
    if run.folder is None:
        return None
    try:
        found = json.loads((run.folder / DOING).read_bytes())
        action, at, after = str(found["action"]), str(found["at"]), int(found["after"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if after != run.log.count:
        run.log.done()
        return None
    run.invalidate()
    said = f"The last command was killed during {action}; that may have been done in part."
    error = EyesError(DESKTOP_ACTION_INTERRUPTED, said, details={"dispatched": "unknown"})
    run.record(
        {
            "at": at,
            "action": action,
            "arguments": {},
            "target": None,
            "stateBefore": run.newest.state_id if run.newest is not None else None,
            "stateId": None,
            "verdict": "unverified",
            "compared": [],
            "delta": None,
            "dispatched": "unknown",
            "marker": None,
            "shotBefore": None,
            "shot": None,
            "facts": {},
            "assertion": None,
            "error": json_value(ErrorBody.of(error)),
            "durationMs": 0,
        }
    )
    return said
