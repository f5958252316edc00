"""What a pointer alone changes, so that no click is taken for done because of it.

A control that highlights under the pointer looks different after any click on it, also when nothing took the click.
Where the control is known, a changed look of the control itself therefore proves nothing. Where it is not (a canvas, a
program without a tree), the pointer goes there first, and what is seen then is what is compared with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from deepseekeyes.automation import pixels
from deepseekeyes.automation.keys import Keys
from deepseekeyes.automation.pixels import changed_tiles
from deepseekeyes.automation.surface import Check, Grid
from deepseekeyes.contracts.automation import Compared
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop import guards
from deepseekeyes.desktop.ports import Backend

if TYPE_CHECKING:
    from deepseekeyes.desktop.acting import Stage
    from deepseekeyes.desktop.judging import Case
    from deepseekeyes.desktop.view import View

HOVER_S: Final = 0.15
"""How long a control has to change its look under the pointer."""

SPOT_PX: Final = 24
EDGE_PX: Final = 6
NEAR_PX: Final = 64
Row = Mapping[str, Any]


def control_at(view: View, point: tuple[float, float] | None) -> Row | None:
    """The smallest control that the state knows at a pixel of its screenshot; None where only pixels are."""
    if point is None:
        return None
    at = [
        row
        for row in view.elements
        if not row["container"] and (row["actions"] or row["editable"]) and _holds(_box(row), point)
    ]
    return min(at, key=lambda row: row["bbox"]["width"] * row["bbox"]["height"], default=None)


def glance(backend: Backend, window: str | None, view: View, keys: Keys) -> Grid | None:
    """What the pixels of the newest state look like by now.

    Raises:
        EyesError: what a capture raises.
    """
    screen = view.screen
    scale = screen["scale"] or 1.0
    area = Box(screen["x"], screen["y"], screen["width"] / scale, screen["height"] / scale)
    return pixels.take(backend.capture(window or area).png(), keys).grid


def hover(stage: Stage) -> None:
    """Go to the place of an unknown control, and keep what it looks like under the pointer."""
    if stage.control is not None:
        return
    stage.backend.move(*stage.place)
    stage.sleep(HOVER_S)
    guards.unobscured(stage.backend, stage.place, stage.aim.window, stage.popups)
    try:
        stage.left["hovered"] = stage.glance()
    except EyesError:
        stage.left["hovered"] = None


def beyond(case: Case, near: Box | None) -> Check:
    """Whether pixels near a click differ by more than a pointer explains."""
    before = case.before.snapshot.shot if case.before is not None else None
    after = case.after.snapshot.shot
    if before is None or after is None or case.delta.scope_changed:
        return _may("pixels", None)
    hovered: Grid | None = case.stage.left.get("hovered")
    tiles = changed_tiles(hovered or before.grid, after.grid)
    if tiles is None or after.grid is None:
        return _may("pixels", None)
    side = after.grid.tile
    changed = [Box(x * side, y * side, side, side) for x, y in tiles]
    around = _widened(near, NEAR_PX if case.stage.control is not None else SPOT_PX) if near is not None else None
    explained = list(_explained(case, hovered=hovered is not None))
    told = any(_touches(one, around) and not any(_touches(one, box) for box in explained) for one in changed)
    if told or not changed:
        return _may("pixels near the target", told)
    return _may("pixels near the target that a pointer alone does not explain", False)


def _explained(case: Case, *, hovered: bool) -> Iterable[Box]:
    """Where pixels change without any effect: the control itself, where the pointer came from, where a caret blinks."""
    if case.stage.control is not None:
        yield _widened(_box(case.stage.control), EDGE_PX)
    was: View | None = case.before.snapshot.body if case.before is not None else None
    if was is not None and not hovered and was.cursor is not None:
        yield Box(was.cursor[0] - SPOT_PX, was.cursor[1] - SPOT_PX, 2 * SPOT_PX, 2 * SPOT_PX)
        left = control_at(was, was.cursor)
        if left is not None:
            yield _widened(_box(left), EDGE_PX)
    for view in (was, case.view):
        rows = view.elements if view is not None else ()
        yield from (_box(row) for row in rows if row["focused"] and row["editable"] and row["bbox"] is not None)


def _box(row: Row) -> Box:
    bbox = row["bbox"]
    if bbox is None:
        return Box(0, 0, 0, 0)
    return Box(bbox["x"], bbox["y"], bbox["width"], bbox["height"])


def _holds(box: Box, point: tuple[float, float]) -> bool:
    return box.x <= point[0] < box.right and box.y <= point[1] < box.bottom


def _widened(box: Box, by: float) -> Box:
    return Box(box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by)


def _touches(one: Box, other: Box | None) -> bool:
    return other is None or one.intersection(other) is not None


def _may(what: str, holds: bool | None) -> Check:
    return Check(Compared(what=what, before=None, after=holds, holds=holds), "may")
