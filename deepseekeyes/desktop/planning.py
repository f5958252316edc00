"""What an action would do, and to what, without doing it."""

from __future__ import annotations

from typing import Any

from deepseekeyes.automation.perform import require_newest
from deepseekeyes.automation.rows import target_row
from deepseekeyes.automation.surface import Gesture, Target
from deepseekeyes.contracts.desktop import DesktopAction, DesktopPlan
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.choosing import told_window
from deepseekeyes.desktop.desk import Desk
from deepseekeyes.desktop.surface import CODES, marker
from deepseekeyes.desktop.targets import Aim


async def planned(gesture: Gesture, desk: Desk) -> DesktopAction:
    """Go through every check of a gesture and stop before it would be carried out; nothing is written down."""
    import asyncio

    surface, run = desk.surface, desk.run
    target = Target()
    error: EyesError | None = None
    found: Aim | None = None
    async with run.turn:
        try:
            if gesture.needs == "state" or gesture.state_id is not None:
                require_newest(gesture.state_id, run, CODES)
            if gesture.needs == "fresh" and gesture.state_id is None:
                run.admit(await surface.observe(None))
            target = await surface.resolve(gesture, run.newest)
            found = target.handle
            if target.control is not None and await surface.identity(target) is None:
                raise EyesError(CODES.changed, "The target is gone.", details={"dispatched": "no"})
            if gesture.pointer:
                await surface.reach(gesture, target)
        except EyesError as refusal:
            refusal.details["dispatched"] = "no"
            error = refusal
    return DesktopAction(
        session=desk.name,
        run_id=run.id,
        action=gesture.action,
        verdict=None,
        target=target_row(target),
        marker=None if found is None else marker(found),
        state_id=run.state_id,
        state=None,
        delta=None,
        step=run.log.count,
        plan=await asyncio.to_thread(_plan, gesture, found, desk),
        error=None if error is None else ErrorBody.of(error),
    )


def _plan(gesture: Gesture, found: Aim | None, desk: Desk) -> DesktopPlan:
    backend = desk.backend
    windows = {one.identity: one for one in backend.windows()}
    active = windows.get(backend.active() or "")
    point = found.point if found is not None else None
    values: dict[str, Any] = {
        "window": told_window(found.window) if found is not None and found.window is not None else None,
        "target_mode": found.mode if found is not None else None,
        "point": None if point is None else {"x": round(point[0], 2), "y": round(point[1], 2)},
        "topmost": None if point is None else backend.top_at(*point).label,
        "foreground": None if active is None else f'{active.app} "{active.title[:60]}"',
        "grabbed": backend.grabbed(),
        "arguments": dict(gesture.arguments),
    }
    return DesktopPlan.model_validate(values)
