"""A run as a private session document, for surfaces whose nodes outlive the process."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deepseekeyes.automation.budget import Budget
from deepseekeyes.automation.keys import Keys
from deepseekeyes.automation.refs import RefBook
from deepseekeyes.automation.run import Run
from deepseekeyes.automation.runlog import RunLog
from deepseekeyes.automation.settings import AutomationSettings
from deepseekeyes.automation.surface import Control, Grid, Seen, Shot, Snapshot
from deepseekeyes.core.clock import Clock
from deepseekeyes.core.geometry import Box


def to_json(run: Run, body: Any = None) -> dict[str, Any]:
    """Everything a later process needs to go on. It holds the run's key, so it is kept in a private file only.

    Args:
        body: the newest snapshot's `body` as JSON; `from_json` gives it back as it is.
    """
    return {
        "kind": run.kind,
        "session": run.session,
        "runId": run.id,
        "folder": str(run.folder) if run.folder is not None else None,
        "key": run.keys.to_hex(),
        "used": run.budget.used,
        "started": run.started,
        "refs": run.refs.to_json(),
        "windows": run.windows.to_json(),
        "sequence": run.sequence,
        "trusted": run.trusted,
        "closedAt": run.closed_at,
        "newest": None if run.newest is None else _seen(run.newest, body),
        "log": {"head": run.log.head, "steps": list(run.log.steps()), "dropped": run.log.dropped.to_json()}
        if run.folder is None
        else None,
    }


def from_json(stored: Mapping[str, Any], *, settings: AutomationSettings, clock: Clock) -> Run:
    """A run as it was left.

    Raises:
        EyesError: RUN_LOG_BROKEN when its folder is gone or its log cannot be continued.
    """
    folder = stored["folder"]
    log = (
        RunLog.resume(Path(folder), kept=settings.kept_steps)
        if folder is not None
        else RunLog.restored(
            stored["log"]["head"], stored["log"]["steps"], stored["log"]["dropped"], kept=settings.kept_steps
        )
    )
    return Run(
        kind=stored["kind"],
        session=stored["session"],
        log=log,
        keys=Keys.from_hex(stored["key"]),
        budget=Budget(settings.run_actions, settings.run_seconds, used=stored["used"]),
        clock=clock,
        started=stored["started"],
        refs=RefBook.from_json(stored["refs"]),
        windows=RefBook.from_json(stored["windows"]),
        sequence=stored["sequence"],
        newest=None if stored["newest"] is None else _seen_from(stored["newest"]),
        trusted=stored["trusted"],
        closed_at=stored["closedAt"],
    )


def _seen(seen: Seen, body: Any) -> dict[str, Any]:
    snapshot = seen.snapshot
    return {
        "stateId": seen.state_id,
        "sequence": seen.sequence,
        "observedAt": seen.observed_at,
        "scope": snapshot.scope,
        "tail": snapshot.tail,
        "facts": dict(snapshot.facts),
        "text": snapshot.text,
        "elements": [_control(one) for one in snapshot.elements],
        "windows": [_control(one) for one in snapshot.windows],
        "shot": None if snapshot.shot is None else _shot(snapshot.shot),
        "body": body,
    }


def _seen_from(stored: Mapping[str, Any]) -> Seen:
    return Seen(
        state_id=stored["stateId"],
        sequence=stored["sequence"],
        observed_at=stored["observedAt"],
        snapshot=Snapshot(
            scope=stored["scope"],
            tail=stored["tail"],
            facts=stored["facts"],
            text=stored["text"],
            elements=tuple(_control_from(one) for one in stored["elements"]),
            windows=tuple(_control_from(one) for one in stored["windows"]),
            shot=None if stored["shot"] is None else _shot_from(stored["shot"]),
            body=stored["body"],
        ),
    )


def _control(control: Control) -> dict[str, Any]:
    return {
        "ref": control.ref,
        "key": control.key,
        "role": control.role,
        "name": control.name,
        "place": control.place,
        "document": control.document,
        "protected": control.protected,
        "box": None if control.box is None else list(control.box),
        "fields": dict(control.fields),
    }


def _control_from(stored: Mapping[str, Any]) -> Control:
    box = stored["box"]
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in stored["fields"].items()}
    return Control(**{**stored, "box": None if box is None else Box(*box), "fields": fields})


def _shot(shot: Shot) -> dict[str, Any]:
    grid = shot.grid
    return {
        "sha256": shot.sha256,
        "size": shot.size,
        "width": shot.width,
        "height": shot.height,
        "pixelDigest": shot.pixel_digest,
        "mediaType": shot.media_type,
        "masks": [list(box) for box in shot.masks],
        "origin": list(shot.origin),
        "scale": shot.scale,
        "grid": None if grid is None else [grid.columns, grid.rows, grid.tile, " ".join(grid.digests)],
    }


def _shot_from(stored: Mapping[str, Any]) -> Shot:
    grid = stored["grid"]
    x, y = stored["origin"]
    return Shot(
        sha256=stored["sha256"],
        size=stored["size"],
        width=stored["width"],
        height=stored["height"],
        pixel_digest=stored["pixelDigest"],
        media_type=stored["mediaType"],
        masks=tuple(Box(*box) for box in stored["masks"]),
        origin=(x, y),
        scale=stored["scale"],
        grid=None if grid is None else Grid(grid[0], grid[1], grid[2], tuple(grid[3].split())),
    )
