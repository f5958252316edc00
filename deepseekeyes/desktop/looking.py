"""One look at the desktop or at one window: pixels, windows, elements. Blocks; called in a thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from deepseekeyes.automation import pixels
from deepseekeyes.automation.keys import Keys
from deepseekeyes.automation.surface import Snapshot
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.codes import DESKTOP_WINDOW_GONE, DESKTOP_WINDOW_NOT_VIEWABLE
from deepseekeyes.desktop.ports import Backend, Element, Grab, Monitor, Walk, Window
from deepseekeyes.desktop.rows import (
    POPUPS,
    element_control,
    element_rows,
    finite,
    monitor_rows,
    window_control,
    window_rows,
)
from deepseekeyes.desktop.safety import check_app, denied
from deepseekeyes.desktop.settings import DesktopSettings
from deepseekeyes.desktop.view import View

MASK_WALK_S = 2.0
MASK_WINDOW_S = 0.5
MASK_ELEMENTS = 500
SHORTEST_WALK_S, LONGEST_WALK_S, WALK_SHARE = 0.25, 8.0, 0.4


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be looked at.

    Attributes:
        window: identity of a window; None for the desktop.
        label: how to name it when it has gone.
        strict: a window that has gone, or has no pixels now, is an error; otherwise a look without pixels.
    """

    window: str | None = None
    label: str = ""
    strict: bool = False


@dataclass(slots=True)
class _Look:
    """What one look gathers."""

    backend: Backend
    settings: DesktopSettings
    windows: tuple[Window, ...]
    monitors: tuple[Monitor, ...]
    started: float
    target: Window | None = None
    grab: Grab | None = None
    walk: Walk | None = None
    semantic_ms: int = 0
    pixels_ms: int = 0


def snapshot(backend: Backend, wanted: Wanted, settings: DesktopSettings, keys: Keys) -> Snapshot:
    """Look once.

    Raises:
        EyesError: DESKTOP_WINDOW_GONE, DESKTOP_WINDOW_NOT_VIEWABLE when `wanted` is strict, DESKTOP_APPLICATION_DENIED,
            DESKTOP_SCREENSHOT_MISSING.
    """
    look = _Look(backend, settings, backend.windows(), backend.monitors(), monotonic())
    warnings: list[str] = []
    lost: str | None = None
    if wanted.window is not None:
        look.target, lost = _target(look.windows, wanted)
        if look.target is not None:
            check_app(look.target.app, settings, acting=False)
    if wanted.window is None or look.target is not None:
        warnings += _captured(look, wanted)
    else:
        warnings.append(f"{lost} has gone; there are no pixels of it.")
    if look.target is not None and (look.grab is not None or not backend.environment.capabilities.window_pixels):
        _walked(look)
    return _made(look, keys, lost, tuple(warnings))


def _target(windows: Sequence[Window], wanted: Wanted) -> tuple[Window | None, str | None]:
    found = next((one for one in windows if one.identity == wanted.window), None)
    if found is not None:
        return found, None
    label = wanted.label or "The window"
    if wanted.strict:
        raise EyesError(
            DESKTOP_WINDOW_GONE,
            f"{label} has gone.",
            details={
                "dispatched": "no",
                "candidates": [named(one) for one in windows if one.kind in ("normal", "dialog")][:8],
            },
        )
    return None, label


def named(window: Window) -> str:
    """A window in words."""
    return f'{window.app} "{window.title[:60]}"'


def _captured(look: _Look, wanted: Wanted) -> list[str]:
    started = monotonic()
    if look.target is not None and not look.backend.environment.capabilities.window_pixels:
        return ["This display gives no pixels of single windows; observe the whole desktop to see them."]
    if look.target is None and not look.backend.environment.capabilities.capture:
        return ["There are no pixels: the screen cannot be captured here."]
    if look.target is None and (withheld := _unmaskable(look)):
        return [f"There are no pixels: {withheld} must not be shown, and it is not known where its window lies."]
    try:
        if look.target is not None:
            if not look.target.viewable:
                raise EyesError(
                    DESKTOP_WINDOW_NOT_VIEWABLE, f"{named(look.target)} is minimised.", details={"dispatched": "no"}
                )
            look.grab = look.backend.capture(look.target.identity)
        else:
            look.grab = look.backend.capture(_area(look))
    except EyesError as trouble:
        if wanted.strict or look.target is None or trouble.kind != "refused-stale":
            raise
        return [trouble.message]
    finally:
        look.pixels_ms = round((monotonic() - started) * 1000)
    if look.target is not None and look.grab.covered:
        return ["Something covers a part of the window; the picture shows what the screen showed."]
    return []


def _unmaskable(look: _Look) -> str | None:
    """A program that is left alone and could not be painted over."""
    return next(
        (
            one.app
            for one in look.windows
            if one.viewable and finite(one.bounds) is None and denied(one.app, look.settings) is not None
        ),
        None,
    )


def _area(look: _Look) -> Box | None:
    wanted = look.settings.display
    if wanted == 0 or len(look.monitors) < 2:
        return None
    return look.monitors[min(wanted, len(look.monitors)) - 1].bounds


def _walked(look: _Look) -> None:
    """Read the tree of the window within its share of the time."""
    settings = look.settings
    assert look.target is not None
    if not settings.semantic or not look.backend.environment.capabilities.semantic:
        return
    started = monotonic()
    deadline = min(LONGEST_WALK_S, max(SHORTEST_WALK_S, WALK_SHARE * settings.timeout_ms / 1000))
    look.walk = look.backend.elements(look.target.identity, deadline_s=deadline, most=settings.max_elements)
    look.semantic_ms = round((monotonic() - started) * 1000)


def _made(look: _Look, keys: Keys, lost: str | None, warnings: tuple[str, ...]) -> Snapshot:
    backend, target, grab = look.backend, look.target, look.grab
    environment = backend.environment
    windows, total = window_rows(look.windows, look.settings)
    refs = {row["identity"]: row["ref"] for row in windows}
    captured = refs.get(target.identity) if target is not None else None
    screen = _screen(grab, target)
    elements = (
        () if target is None or look.walk is None else element_rows(look.walk.elements, target, captured or "", screen)
    )
    shot = None
    if grab is not None:
        masks, unread = _masks(look)
        warnings += unread
        started = monotonic()
        shot = pixels.take(grab.png(), keys, masks=masks, origin=grab.origin, scale=grab.scale)
        look.pixels_ms += round((monotonic() - started) * 1000)
    pointer = backend.pointer()
    active = backend.active()
    view = View(
        scope="desktop" if target is None and lost is None else "window",
        system=environment.system,
        backend=environment.backend,
        display=environment.display,
        captured=captured,
        lost=lost,
        screen=screen,
        monitors=monitor_rows(look.monitors),
        cursor=_cursor(pointer, screen),
        active=refs.get(active or ""),
        windows=windows,
        windows_total=total,
        elements=elements,
        elements_total=len(elements) + (look.walk.left_out if look.walk is not None else 0),
        walk=_walk_row(look.walk),
        popups=_popups(look),
        reached={"method": grab.method, "covered": grab.covered} if grab is not None else {},
        timings={
            "semanticMs": look.semantic_ms,
            "screenshotMs": look.pixels_ms,
            "totalMs": round((monotonic() - look.started) * 1000),
        },
        warnings=(*environment.notes, *warnings) if lost or warnings else tuple(environment.notes),
    )
    return _snapshot(view, shot, target, keys)


def _snapshot(view: View, shot: Any, target: Window | None, keys: Keys) -> Snapshot:
    title = next((row["title"] for row in view.windows if row["ref"] == view.captured), None)
    focused = next((row["ref"] for row in view.elements if row["focused"]), None)
    identity = target.identity if target is not None else ""
    return Snapshot(
        scope=view.captured or view.scope if view.lost is None else "lost",
        tail=view.system,
        facts={"title": title, "active": view.active, "focused": focused},
        elements=tuple(element_control(row, identity, keys) for row in view.elements),
        windows=tuple(window_control(row) for row in view.windows),
        shot=shot,
        body=view,
    )


def _screen(grab: Grab | None, target: Window | None) -> dict[str, Any]:
    if grab is None:
        origin = (finite(target.client) if target is not None else None) or Box(0, 0, 0, 0)
        return {"x": origin.x, "y": origin.y, "width": 0, "height": 0, "scale": 1.0}
    return {"x": grab.origin[0], "y": grab.origin[1], "width": grab.width, "height": grab.height, "scale": grab.scale}


def _cursor(pointer: tuple[int, int] | None, screen: dict[str, Any]) -> tuple[float, float] | None:
    if pointer is None:
        return None
    return (
        round((pointer[0] - screen["x"]) * screen["scale"], 2),
        round((pointer[1] - screen["y"]) * screen["scale"], 2),
    )


def _popups(look: _Look) -> tuple[str, ...]:
    """Menus and popups that belong to the window that is looked at; a click into them is a click into it."""
    target = look.target
    if target is None:
        return ()
    painted = set(look.grab.popups) if look.grab is not None else set()
    return tuple(
        one.identity
        for one in look.windows
        if one.identity in painted
        or (
            one.kind in POPUPS
            and one.viewable
            and one.identity != target.identity
            and (one.transient_for == target.identity or (one.pid is not None and one.pid == target.pid))
        )
    )


def _walk_row(walk: Walk | None) -> dict[str, Any]:
    if walk is None:
        return {}
    return {"status": walk.status, "reason": walk.reason, "leftOut": walk.left_out, "elapsedMs": walk.elapsed_ms}


def _masks(look: _Look) -> tuple[tuple[Box, ...], tuple[str, ...]]:
    """What must not be kept, in pixels of the capture: protected fields, and windows of programs left alone."""
    assert look.grab is not None
    boxes: list[Box] = []
    unread: tuple[str, ...] = ()
    if look.walk is not None:
        boxes += [box for box in map(_protected, look.walk.elements) if box is not None]
    if look.target is None:
        found, unread = _protected_everywhere(look)
        boxes += found
    for window in look.windows:
        shown = look.target is None or look.grab.method != "window"
        if shown and window.viewable and denied(window.app, look.settings) is not None:
            boxes.append(window.bounds)
    (left, top), scale = look.grab.origin, look.grab.scale
    return tuple(
        Box((box.x - left) * scale, (box.y - top) * scale, box.width * scale, box.height * scale) for box in boxes
    ), unread


def _protected(element: Element) -> Box | None:
    return finite(element.bounds) if element.protected else None


def _protected_everywhere(look: _Look) -> tuple[list[Box], tuple[str, ...]]:
    """Protected fields of every window on the screen, within a time of their own."""
    able = look.backend.environment.capabilities
    if not look.settings.semantic or not able.semantic:
        return [], ()
    deadline = monotonic() + MASK_WALK_S
    boxes: list[Box] = []
    unread: list[str] = []
    for window in look.windows:
        if window.kind not in ("normal", "dialog") or not window.viewable or denied(window.app, look.settings):
            continue
        left = deadline - monotonic()
        if left <= 0.02:
            unread.append(window.app)
            continue
        try:
            walk = look.backend.elements(window.identity, deadline_s=min(MASK_WINDOW_S, left), most=MASK_ELEMENTS)
        except EyesError:
            continue
        boxes += [box for box in map(_protected, walk.elements) if box is not None]
        unplaced = any(one.protected and finite(one.bounds) is None for one in walk.elements)
        if walk.status in ("partial", "timeout") or (unplaced and not able.places):
            unread.append(window.app)
    if not unread:
        return boxes, ()
    return boxes, (f"Protected fields may be in sight in: {', '.join(sorted(set(unread)))[:200]}.",)


def shown(taken: Snapshot, *, delivered: bool) -> Snapshot:
    """The same look, with what the caller was shown of it."""
    return replace(taken, body=replace(taken.body, delivered=delivered))
