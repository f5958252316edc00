"""What is looked at once more right before something is done. Every function blocks, and dispatches nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.codes import (
    DESKTOP_COORDINATE_OUT_OF_BOUNDS,
    DESKTOP_HUMAN_INPUT,
    DESKTOP_INPUT_GRABBED,
    DESKTOP_POINT_OBSCURED,
    DESKTOP_TARGET_BOUNDS_MISSING,
    DESKTOP_TARGET_MOVED,
    DESKTOP_WINDOW_GONE,
    TARGET_FOCUS_MISMATCH,
)
from deepseekeyes.desktop.ports import Backend, Window
from deepseekeyes.desktop.requests import refused
from deepseekeyes.desktop.rows import POPUPS, finite, window_rows
from deepseekeyes.desktop.settings import DesktopSettings
from deepseekeyes.desktop.targets import check_modal
from deepseekeyes.desktop.view import box_of

NEAR_PX = 1.0
Row = Mapping[str, Any]


def live_window(windows: Sequence[Window], row: Row) -> Window:
    """The window of a row as it is now.

    Raises:
        EyesError: DESKTOP_WINDOW_GONE.
    """
    found = next((one for one in windows if one.identity == row["identity"]), None)
    if found is None:
        raise refused(DESKTOP_WINDOW_GONE, f'{row["app"]} "{row["title"][:60]}" has gone.')
    return found


def unblocked(windows: Sequence[Window], row: Row | None, settings: DesktopSettings, *, any_application: bool) -> None:
    """Refuse when a dialog has come up since that has to be answered first."""
    rows, _ = window_rows(windows, settings)
    check_modal(
        rows,
        None if row is None else next((one for one in rows if one["ref"] == row["ref"]), row),
        any_application=any_application,
    )


def unmoved(live: Window, row: Row) -> None:
    """Refuse when the window does not lie where the newest state saw it.

    Raises:
        EyesError: DESKTOP_TARGET_MOVED.
    """
    was = box_of(row)
    if was is None or not near(live.bounds, was):
        raise refused(DESKTOP_TARGET_MOVED, f'{row["app"]} "{row["title"][:60]}" was moved or resized.')


def element_place(backend: Backend, row: Row) -> tuple[float, float]:
    """Middle of an element, which has to lie where it was seen.

    Raises:
        EyesError: DESKTOP_TARGET_MOVED, DESKTOP_TARGET_BOUNDS_MISSING.
    """
    now = backend.element(row["handle"])
    bounds = finite(now.bounds) if now is not None else None
    if bounds is None:
        raise refused(DESKTOP_TARGET_BOUNDS_MISSING, f'It is not known where "{row["name"][:80]}" lies now.')
    was = box_of(row)
    if was is None or not near(bounds, was):
        raise refused(DESKTOP_TARGET_MOVED, f'The {row["role"]} "{row["name"][:80]}" has moved.')
    return bounds.x + bounds.width / 2, bounds.y + bounds.height / 2


def unobscured(backend: Backend, point: tuple[float, float], window: Row | None, popups: Sequence[str]) -> None:
    """Refuse when a click there would reach something else than was seen there.

    Args:
        window: the row of the window that is meant; None for the bare desktop.
        popups: identities of menus that the newest state showed with it.

    Raises:
        EyesError: DESKTOP_POINT_OBSCURED naming what is there.
    """
    hit = backend.top_at(*point)
    there = hit.window.identity if hit.window is not None else None
    if there == (window["identity"] if window is not None else None):
        return
    if there is not None and there in popups:
        return
    raise refused(DESKTOP_POINT_OBSCURED, f"{hit.label[:120] or 'Something else'} lies over the point.")


def ungrabbed(backend: Backend, windows: Sequence[Window], window: Row | None, popups: Sequence[str]) -> None:
    """Refuse while another program holds the input; a menu of the very window is no such program.

    Raises:
        EyesError: DESKTOP_INPUT_GRABBED.
    """
    held = backend.grabbed()
    if held is None:
        return
    pid = window.get("pid") if window is not None else None
    for one in windows:
        own = one.identity in popups or (pid is not None and one.pid == pid)
        if one.kind in POPUPS and one.viewable and own:
            return
    raise refused(DESKTOP_INPUT_GRABBED, f"Another program holds the {held}.")


def foreground(backend: Backend, window: Row) -> None:
    """Refuse when the window does not have the keyboard.

    Raises:
        EyesError: TARGET_FOCUS_MISMATCH naming what has it.
    """
    now = backend.active()
    if now == window["identity"]:
        return
    other = next((one for one in backend.windows() if one.identity == now), None)
    who = f'{other.app} "{other.title[:60]}"' if other is not None else "Something else"
    raise refused(TARGET_FOCUS_MISMATCH, f'{who} has the keyboard, not {window["app"]} "{window["title"][:60]}".')


def in_sight(backend: Backend, window: Row, x: float, y: float) -> None:
    """Refuse to move a window where no monitor shows any of it.

    Raises:
        EyesError: DESKTOP_COORDINATE_OUT_OF_BOUNDS.
    """
    was = box_of(window)
    if was is None:
        return
    there = Box(x, y, was.width, was.height)
    if all(there.intersection(one.bounds) is None for one in backend.monitors()):
        raise refused(
            DESKTOP_COORDINATE_OUT_OF_BOUNDS, f"No monitor would show anything of the window at {x:g}, {y:g}."
        )


def undisturbed(backend: Backend) -> None:
    """Yield to a person.

    Raises:
        EyesError: DESKTOP_HUMAN_INPUT.
    """
    found = backend.disturbed()
    if found is not None:
        raise EyesError(
            DESKTOP_HUMAN_INPUT, f"Somebody used the display meanwhile ({found}).", details={"dispatched": "no"}
        )


def near(one: Box, other: Box) -> bool:
    """Whether two boxes are the same but for rounding."""
    return all(abs(a - b) <= NEAR_PX for a, b in zip(one, other, strict=True))
