"""From what was seen and done to the documents that callers get."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from deepseekeyes.automation.choosing import Locator
from deepseekeyes.automation.delta import box_row
from deepseekeyes.automation.perform import Performed, perform
from deepseekeyes.automation.rows import blob_ref
from deepseekeyes.automation.surface import Gesture, Seen
from deepseekeyes.contracts.automation import Delta
from deepseekeyes.contracts.desktop import DesktopAction, DesktopObservation
from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.choosing import elements_called
from deepseekeyes.desktop.delivery import HINT, Delivery, Situation, decide
from deepseekeyes.desktop.desk import Desk
from deepseekeyes.desktop.looking import shown
from deepseekeyes.desktop.planning import planned
from deepseekeyes.desktop.requests import ActionRequest, Doing
from deepseekeyes.desktop.semantics import status
from deepseekeyes.desktop.tiles import Limits, tiles
from deepseekeyes.desktop.view import View, public


async def done(gesture: Gesture, desk: Desk, request: ActionRequest) -> DesktopAction:
    """Carry a gesture out (or only plan it) and tell what came of it."""
    if request.plan:
        return await planned(gesture, desk)
    return action(await perform(gesture, desk.surface, desk.run), gesture, desk, request)


def action(performed: Performed, gesture: Gesture, desk: Desk, request: ActionRequest) -> DesktopAction:
    """The document of a gesture."""
    seen = performed.seen
    doing: Doing = gesture.request
    state = None
    if seen is not None:
        pointed = doing.point is not None
        state = observation(
            seen, desk, action=performed.action, asked=request.screenshot, pointed=pointed, delta=performed.delta
        )
    return DesktopAction(
        session=desk.name,
        run_id=desk.run.id,
        action=performed.action,
        verdict=performed.verdict,
        compared=performed.compared,
        target=performed.target,
        marker=performed.marker,
        facts=dict(performed.facts),
        state_id=seen.state_id if seen is not None else None,
        state=state,
        delta=performed.delta,
        step=performed.step.index,
        error=performed.error,
        require_verified=request.require_verified,
    )


def observation(
    seen: Seen,
    desk: Desk,
    *,
    action: str,
    asked: bool | None = None,
    pointed: bool = False,
    visual: bool = False,
    delta: Delta | None = None,
    only: Locator | None = None,
) -> DesktopObservation:
    """The document of a state. It also notes in the run whether the pixels were shown.

    Args:
        action: what was done to come here.
        asked: what the caller said about the screenshot.
        pointed: whether the action was aimed by coordinates.
        only: leaves out elements that it does not fit.
    """
    view: View = seen.snapshot.body
    semantic = _semantic(view, desk)
    decision = decide(
        Situation(
            action=action,
            quality=semantic["quality"],
            captured=seen.snapshot.shot is not None,
            asked=asked,
            mode=desk.deps.settings.visual_mode,
            visual=visual,
            truncated=semantic["truncated"],
            pointed=pointed,
            changed=delta.screenshot_changed if delta is not None else None,
            sparse_actions=desk.deps.settings.visual_sparse_actions,
        )
    )
    shot = seen.snapshot.shot
    parts: tuple[Mapping[str, Any], ...] = ()
    trouble: str | None = None
    if decision.delivered and shot is not None and shot.data is not None:
        parts, trouble = _parts(shot.data, desk)
        decision = decision if trouble is None else Delivery(False, "screenshot-limit")
    if desk.run.newest is seen:
        desk.run.newest = replace(seen, snapshot=shown(seen.snapshot, delivered=decision.delivered))
    rows = list(view.elements) if only is None else elements_called(view.elements, only)
    values: dict[str, Any] = {
        "session": desk.name,
        "run_id": desk.run.id,
        "state_id": seen.state_id,
        "sequence": seen.sequence,
        "observed_at": seen.observed_at,
        "scope": view.scope,
        "captured_window": view.captured,
        "capture_lost": view.lost,
        "platform": view.system,
        "backend": view.backend,
        "display": view.display,
        "screen": dict(view.screen),
        "monitors": view.monitors,
        "cursor": None if view.cursor is None else {"x": view.cursor[0], "y": view.cursor[1]},
        "active_window": view.active,
        "windows": [public(row) for row in view.windows],
        "windows_total": view.windows_total,
        "elements": [public(row) for row in rows],
        "elements_total": view.elements_total,
        "truncated": len(rows) < view.elements_total or len(view.windows) < view.windows_total,
        "omitted": {
            "elements": max(0, view.elements_total - len(rows)),
            "windows": max(0, view.windows_total - len(view.windows)),
        },
        "semantic_status": semantic,
        "covered": bool(view.reached.get("covered")),
        "timings": {**view.timings, "settleConfiguredMs": desk.deps.settings.settle_ms},
        "warnings": view.warnings,
        "delta": delta,
    }
    values.update(_pixels(seen, desk, decision, asked))
    values["visual_delivery"].update(tiles=len(parts), trouble=trouble)
    values["tiles"] = parts
    return DesktopObservation.model_validate(values)


def _semantic(view: View, desk: Desk) -> dict[str, Any]:
    capabilities = desk.backend.environment.capabilities
    switched = desk.deps.settings.semantic
    reason = "switched-off" if not switched else capabilities.semantic_reason
    walk = view.walk
    readable = switched and capabilities.semantic and walk.get("reason") != "no-bus"
    return status(
        readable=readable,
        reason=walk.get("reason") or reason,
        elements=view.elements,
        total=view.elements_total,
        walk=walk,
    )


def _pixels(seen: Seen, desk: Desk, decision: Delivery, asked: bool | None) -> dict[str, Any]:
    """The screenshot, what a host is given of it, and why."""
    shot = seen.snapshot.shot
    told: dict[str, Any] = {
        "mode": desk.deps.settings.visual_mode,
        "requested": {True: "include", False: "omit", None: "auto"}[asked],
        "delivered": decision.delivered,
        "reason": decision.reason,
        "full_screenshot_preserved": shot is not None,
        "next": None if decision.delivered or shot is None else HINT,
    }
    if shot is None or shot.data is None:
        return {"visual_delivery": told, "screenshot": None if shot is None else blob_ref(shot)}
    desk.deps.keep(shot.data)
    return {
        "visual_delivery": told,
        "screenshot": blob_ref(shot),
        "masks": tuple(box_row(box) for box in shot.masks),
    }


def _parts(data: bytes, desk: Desk) -> tuple[tuple[Mapping[str, Any], ...], str | None]:
    """Tiles within the host's limits; a picture that fits as it is has none."""
    settings = desk.deps.settings
    limits = Limits(
        bytes=settings.screenshot_bytes,
        side=settings.screenshot_side,
        pixels=settings.screenshot_pixels,
        tiles=settings.screenshot_tiles,
        total=settings.screenshot_total_bytes,
    )
    try:
        found = tiles(data, limits)
    except EyesError as beyond:
        return (), f"{beyond.code.name}: {beyond.message}"
    if len(found) == 1 and len(data) <= limits.bytes:
        return (), None
    rows = []
    for one in found:
        desk.deps.keep(one.data)
        rows.append(
            {
                "index": one.index,
                "x": one.x,
                "y": one.y,
                "image": {
                    "sha256": one.sha256,
                    "media_type": "image/png",
                    "bytes": len(one.data),
                    "width": one.width,
                    "height": one.height,
                },
            }
        )
    return tuple(rows), None
