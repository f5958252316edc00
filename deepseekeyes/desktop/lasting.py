"""Which pixels speak for a drag, a key or the wheel: those that differ from right before it, and that stay different.

What is compared with is a look taken at the last moment, with the pointer where the action leaves it and the focus
where the action puts it; so neither tells anything. A caret that blinks, or a button that flashes, goes back to what it
was and tells nothing either. A program that never rests (a clock, a film) cannot be told from one that answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from deepseekeyes.automation.pixels import changed_tiles
from deepseekeyes.automation.surface import Check, Grid
from deepseekeyes.contracts.automation import Compared
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.hovering import HOVER_S

if TYPE_CHECKING:
    from deepseekeyes.desktop.acting import Stage
    from deepseekeyes.desktop.judging import Case
    from deepseekeyes.desktop.view import View

LOOKS: Final = 3
LOOK_S: Final = 0.25
"""Together longer than a caret of any toolkit is seen, or unseen, at a time."""

RING_PX: Final = 6
Tiles = frozenset[tuple[int, int]]


def look_with_pointer(stage: Stage, place: tuple[float, float]) -> None:
    """Put the pointer where the action will leave it, and keep what is seen then."""
    stage.backend.move(*place)
    look(stage, after_s=HOVER_S)


def look(stage: Stage, *, after_s: float = 0.0) -> None:
    """Keep what is seen right before the action; None where it cannot be seen."""
    if after_s:
        stage.sleep(after_s)
    try:
        stage.left["hovered"] = stage.glance()
    except EyesError:
        stage.left["hovered"] = None


def stayed(case: Case, around: Box | None, *, told: bool) -> Check:
    """Whether pixels differ by more than pointer, focus and caret explain.

    Args:
        around: where an effect would show, in pixels of the screenshot; None for anywhere.
        told: whether something else has already spoken for the effect, so that nobody need wait for a caret.
    """
    what = "pixels near the target" if around is not None else "pixels"
    before = case.before.snapshot.shot if case.before is not None else None
    after = case.after.snapshot.shot
    if before is None or after is None or case.delta.scope_changed:
        return _may(what, None)
    base: Grid | None = case.stage.left.get("hovered") or before.grid
    changed = changed_tiles(base, after.grid)
    if changed is None or after.grid is None or not changed:
        return _may(what, None if changed is None else False)
    side = after.grid.tile
    rings = list(_rings(case))
    left = frozenset(one for one in changed if _counts(_box(one, side), around, rings))
    if left and not told:
        left = _lasting(case, base, left)
    return _may(what, True) if left else _may(f"{what} that stay changed by more than pointer and focus", False)


def _counts(tile: Box, around: Box | None, rings: Iterable[Box]) -> bool:
    near = around is None or tile.intersection(around) is not None
    return near and not any(tile.intersection(ring) is not None for ring in rings)


def _lasting(case: Case, base: Grid | None, changed: Tiles) -> Tiles:
    """The tiles that look at no moment as they did before the action."""
    left = changed
    for _ in range(LOOKS):
        case.stage.sleep(LOOK_S)
        try:
            now = changed_tiles(base, case.stage.glance())
        except EyesError:
            return left
        if now is None:
            return left
        left &= now
        if not left:
            break
    return left


def _rings(case: Case) -> Iterable[Box]:
    """The edges of controls that have or had the focus: a key or a press may draw a ring there."""
    was: View | None = case.before.snapshot.body if case.before is not None else None
    for view in (was, case.view):
        for row in view.elements if view is not None else ():
            if row["focused"] and not row["container"] and row["bbox"] is not None:
                yield from _ring(row["bbox"])


def _ring(bbox: Mapping[str, Any]) -> Iterable[Box]:
    x, y, width, height = bbox["x"] - RING_PX, bbox["y"] - RING_PX, bbox["width"], bbox["height"]
    thick = 2 * RING_PX
    yield Box(x, y, width + thick, thick)
    yield Box(x, y + height, width + thick, thick)
    yield Box(x, y, thick, height + thick)
    yield Box(x + width, y, thick, height + thick)


def _box(tile: tuple[int, int], side: int) -> Box:
    return Box(tile[0] * side, tile[1] * side, side, side)


def _may(what: str, holds: bool | None) -> Check:
    return Check(Compared(what=what, before=None, after=holds, holds=holds), "may")
