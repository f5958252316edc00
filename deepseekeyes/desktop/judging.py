"""What speaks for the effect of an action: text read back, windows that came and went, pixels near the target."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from deepseekeyes.automation.keys import Keys
from deepseekeyes.automation.pixels import changed_near
from deepseekeyes.automation.surface import Check, Seen
from deepseekeyes.contracts.automation import Compared, Delta
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop import hovering, lasting
from deepseekeyes.desktop.acting import Stage
from deepseekeyes.desktop.targets import Aim
from deepseekeyes.desktop.view import View

POINT_PX: Final = 24
SAME_PX: Final = 2.0
PLACE: Final = frozenset({"x", "y", "width", "height"})


@dataclass(frozen=True, slots=True)
class Case:
    """One action after the fact. `text` is what the target's text reads now; None when it cannot be told."""

    stage: Stage
    before: Seen | None
    after: Seen
    delta: Delta
    keys: Keys
    text: str | None = None

    @property
    def view(self) -> View:
        body: View = self.after.snapshot.body
        return body


Judge = Callable[[Case], list[Check]]


def _may(what: str, before: Any, after: Any, holds: bool | None) -> Check:
    return Check(Compared(what=what, before=before, after=after, holds=holds), "may")


def _must(what: str, before: Any, after: Any, expected: Any, holds: bool | None) -> Check:
    return Check(Compared(what=what, before=before, after=after, expected=expected, holds=holds), "must")


def pressed(case: Case) -> list[Check]:
    """Whatever a key may bring about; that the key's own element got the focus for it is no effect of it."""
    element = case.stage.aim.element
    held = element is not None and any(row["ref"] == element["ref"] and row["focused"] for row in case.view.elements)
    told = _told(case, without=("focused", "active") if held else ())
    return [*told, lasting.stayed(case, None, told=_any(told))]


def dragged(case: Case) -> list[Check]:
    """Whatever a drag may bring about; that pressing gave something the focus is no effect of it."""
    told = _told(case, without=("focused", "active"))
    windows = case.delta.windows
    gone = [one for one in windows.changed if PLACE & set(one.fields)] if windows is not None else []
    told += [_may("windows", None, [one.ref for one in gone], True)] if gone else []
    return [*told, lasting.stayed(case, _way(case), told=_any(told))]


def scrolled(case: Case) -> list[Check]:
    """What the wheel moved."""
    told = _told(case)
    return [*told, lasting.stayed(case, _near(case), told=_any(told))]


def _any(checks: list[Check]) -> bool:
    return any(one.compared.holds is True for one in checks)


def _way(case: Case) -> Box | None:
    """From where a drag began to where it ended."""
    near, end = _near(case), case.stage.aim.end_pixel
    if near is None or end is None:
        return None
    left, top = min(near.x, end[0] - POINT_PX), min(near.y, end[1] - POINT_PX)
    right, bottom = max(near.right, end[0] + POINT_PX), max(near.bottom, end[1] + POINT_PX)
    return Box(left, top, right - left, bottom - top)


def clicked(case: Case) -> list[Check]:
    """Whatever a click may bring about; that a control looks different under the pointer is no effect of it."""
    return [*_told(case), hovering.beyond(case, _near(case))]


def _told(case: Case, *, without: tuple[str, ...] = ()) -> list[Check]:
    """What windows and trees say; `without` names fields and facts that are no effect of this action."""
    delta = case.delta
    found: list[Check] = []
    windows = delta.windows
    if windows is not None and (windows.added or windows.removed):
        found.append(_may("windows", list(windows.removed), list(windows.added), True))
    found += [_may(one.what, one.before, one.after, True) for one in delta.facts if one.what not in without]
    fields_of = {one.ref: [name for name in one.fields if name not in without] for one in delta.elements.changed}
    changed = {ref: names for ref, names in fields_of.items() if names}
    element = case.stage.aim.element
    if element is not None:
        fields = list(changed.get(element["ref"], ()))
        found.append(_may("target", None, fields, bool(fields)))
    if changed or delta.elements.added or delta.elements.removed:
        count = len(changed) + len(delta.elements.added) + len(delta.elements.removed)
        found.append(_may("elements", 0, count, True))
    return found


def _pixels(case: Case) -> Check:
    near = _near(case)
    before = case.before.snapshot.shot if case.before is not None else None
    after = case.after.snapshot.shot
    if before is None or after is None or case.delta.scope_changed:
        return _may("pixels", None, None, None)
    base = case.stage.left.get("hovered") or before.grid
    changed = changed_near(base, after.grid, near) if near is not None else case.delta.screenshot_changed
    return _may("pixels near the target" if near is not None else "pixels", None, changed, changed)


def _near(case: Case) -> Box | None:
    """Where an effect would show, in pixels of the screenshot."""
    aim: Aim = case.stage.aim
    bbox = aim.element["bbox"] if aim.element is not None else None
    if bbox is not None:
        return Box(bbox["x"], bbox["y"], bbox["width"], bbox["height"])
    if aim.mode == "screenshot-coordinate" and aim.pixel is not None:
        return Box(aim.pixel[0] - POINT_PX, aim.pixel[1] - POINT_PX, 2 * POINT_PX, 2 * POINT_PX)
    return None


def typed(case: Case) -> list[Check]:
    """The text is there, once, whole; where it cannot be read, pixels may speak."""
    before, now, text = case.stage.left.get("before"), case.text, case.stage.doing.value
    if now is None or not text:
        return [
            _may("text", None, None, None),
            *([_pixels(case)] if text else [_may("nothing to type", None, None, True)]),
        ]
    return [_must("text", _kept(case, before), _kept(case, now), case.keys.told(text), entered(before, now, text))]


def entered(before: str | None, now: str, text: str) -> bool:
    """Whether `now` is `before` with `text` put in at one place, perhaps for a part that was selected."""
    wanted, is_now, was = _lines(text), _lines(now), _lines(before or "")
    if wanted not in is_now:
        return False
    start = 0
    while (at := is_now.find(wanted, start)) >= 0:
        head, tail = is_now[:at], is_now[at + len(wanted) :]
        if was.startswith(head) and was.endswith(tail) and len(head) + len(tail) <= len(was):
            return True
        start = at + 1
    return False


def replaced(case: Case) -> list[Check]:
    """The value is the one that was set."""
    wanted = case.stage.doing.value
    now = case.stage.left.get("readback")
    if now is None:
        now = case.text
    if now is None:
        return [_pixels(case)]
    return [_must("value", None, _kept(case, now), case.keys.told(wanted), same_value(now, wanted))]


def same_value(now: str, wanted: str) -> bool:
    """Equal as text, or as numbers."""
    if _lines(now) == _lines(wanted):
        return True
    try:
        return abs(float(now) - float(wanted)) < 1e-6
    except ValueError:
        return False


def focused(case: Case) -> list[Check]:
    row = case.stage.aim.window
    wanted = row["ref"] if row is not None else None
    was = case.before.snapshot.body.active if case.before is not None else None
    return [_must("active window", was, case.view.active, wanted, case.view.active == wanted)]


def moved(case: Case) -> list[Check]:
    now, more = case.stage.left["bounds"], case.stage.doing.more
    holds = abs(now.x - more["x"]) <= SAME_PX and abs(now.y - more["y"]) <= SAME_PX
    return [_must("place", None, [now.x, now.y], [more["x"], more["y"]], holds)]


def resized(case: Case) -> list[Check]:
    now, more = case.stage.left["client"], case.stage.doing.more
    holds = abs(now.width - more["width"]) <= SAME_PX and abs(now.height - more["height"]) <= SAME_PX
    return [_must("size", None, [now.width, now.height], [more["width"], more["height"]], holds)]


def closed(case: Case) -> list[Check]:
    row = case.stage.aim.window
    ref = row["ref"] if row is not None else None
    gone = bool(case.stage.left["gone"]) and all(one["ref"] != ref for one in case.view.windows)
    return [_must("window is gone", False, gone, True, gone)]


def launched(case: Case) -> list[Check]:
    count = len(case.stage.left.get("windows", ()))
    return [_must("new windows", 0, count, None, count > 0)]


def pointed(case: Case) -> list[Check]:
    now, wanted = case.stage.left["pointer"], case.stage.aim.point
    if now is None:
        return [_may("pointer", None, None, None)]
    assert wanted is not None
    holds = abs(now[0] - wanted[0]) <= 1 and abs(now[1] - wanted[1]) <= 1
    return [_must("pointer", None, list(now), [round(wanted[0]), round(wanted[1])], holds)]


JUDGES: Final[Mapping[str, Judge]] = {
    "click": clicked,
    "double_click": clicked,
    "right_click": clicked,
    "invoke": clicked,
    "perform": clicked,
    "key": pressed,
    "drag": dragged,
    "scroll": scrolled,
    "type": typed,
    "set_value": replaced,
    "focus": focused,
    "move_window": moved,
    "resize_window": resized,
    "close_window": closed,
    "launch": launched,
    "move": pointed,
}


def judge(action: str, case: Case) -> list[Check]:
    """The comparisons for an action."""
    return JUDGES[action](case)


def _kept(case: Case, text: str | None) -> Any:
    return None if text is None else case.keys.told(text)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
