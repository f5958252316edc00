"""What a gesture is aimed at, from the newest observation alone, and whether that may be. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from deepseekeyes.core.errors import Code
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.choosing import only_element, only_window, windows_called
from deepseekeyes.desktop.codes import (
    DESKTOP_COORDINATE_OUT_OF_BOUNDS,
    DESKTOP_COORDINATE_SPACE_MISMATCH,
    DESKTOP_ELEMENT_REF_NOT_FOUND,
    DESKTOP_MODAL_TARGET_BLOCKED,
    DESKTOP_TARGET_BOUNDS_MISSING,
    DESKTOP_TARGET_DISABLED,
    DESKTOP_TYPE_COORDINATE_OUTSIDE_WINDOW,
    DESKTOP_TYPE_TARGET_MISMATCH,
    DESKTOP_TYPE_TARGET_NOT_EDITABLE,
    DESKTOP_TYPE_WINDOW_REQUIRED,
    DESKTOP_WINDOW_REF_NOT_FOUND,
)
from deepseekeyes.desktop.requests import Doing, refused
from deepseekeyes.desktop.view import View, box_of

Mode = Literal["element-ref", "screenshot-coordinate", "focused-target", "window"]
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Aim:
    """What a gesture is bound to.

    Attributes:
        window: the row of the window; None for a point of the bare desktop.
        element: the row of the element.
        point, end: in the virtual desktop.
        pixel, end_pixel: the same in pixels of the newest screenshot.
    """

    mode: Mode
    window: Row | None = None
    element: Row | None = None
    point: tuple[float, float] | None = None
    pixel: tuple[float, float] | None = None
    end: tuple[float, float] | None = None
    end_pixel: tuple[float, float] | None = None

    @property
    def identity(self) -> str | None:
        """Identity of the window."""
        return None if self.window is None else str(self.window["identity"])


@dataclass(frozen=True, slots=True)
class Rules:
    """What an action asks of its target.

    Attributes:
        points: it needs a place on the screen.
        text: the contract of text entry applies.
        keys: it goes to whatever has the keyboard.
        input: it is input, which a modal dialog blocks.
        enabled: a target that is greyed out is refused.
    """

    points: bool = False
    text: bool = False
    keys: bool = False
    input: bool = True
    enabled: bool = False


RULES: Mapping[str, Rules] = {
    "click": Rules(points=True, enabled=True),
    "double_click": Rules(points=True, enabled=True),
    "right_click": Rules(points=True),
    "move": Rules(points=True, input=False),
    "drag": Rules(points=True, enabled=True),
    "scroll": Rules(points=True),
    "type": Rules(text=True, keys=True),
    "set_value": Rules(text=True, enabled=True),
    "key": Rules(keys=True),
    "invoke": Rules(enabled=True),
    "perform": Rules(enabled=True),
}
WINDOW_RULES = Rules(input=False)


def aim(action: str, doing: Doing, view: View) -> Aim:
    """Resolve and check, in the order of the contract: bounds, refs, agreement, editable, window, modal, space, place.

    Raises:
        EyesError: a refused-stale code; nothing was dispatched.
    """
    rules = RULES.get(action, WINDOW_RULES)
    _inside(doing.point, view)
    _inside(doing.end, view)
    named = _named_window(doing, view)
    element = _element(doing, view, named)
    if element is not None and named is not None and element["window"] != named["ref"]:
        raise refused(DESKTOP_TYPE_TARGET_MISMATCH, "The element lies in another window than the one named.")
    if rules.text and element is not None and element["editable"] is False and not _settable(action, element):
        raise refused(
            DESKTOP_TYPE_TARGET_NOT_EDITABLE, f'The {element["role"]} "{element["name"][:80]}" takes no text.'
        )
    if rules.enabled and element is not None and not element["enabled"]:
        raise refused(DESKTOP_TARGET_DISABLED, f'The {element["role"]} "{element["name"][:80]}" is greyed out.')
    window = _window(doing, view, named, element, rules)
    if rules.input:
        check_modal(view.windows, window, any_application=rules.text)
    return _placed(doing, view, window, element, rules)


def check_modal(windows: Any, target: Row | None, *, any_application: bool) -> None:
    """Refuse input to a window that a modal dialog keeps from being used.

    Args:
        windows: rows of the windows.
        any_application: whether an active dialog of any program blocks.

    Raises:
        EyesError: DESKTOP_MODAL_TARGET_BLOCKED.
    """
    for row in windows:
        if not row["modal"] or not row["viewable"] or (target is not None and row["ref"] == target["ref"]):
            continue
        owns = target is not None and row["owner"] == target["ref"]
        if owns or (row["active"] and (any_application or target is None)):
            if target is not None and target["owner"] == row["ref"]:
                continue
            raise refused(
                DESKTOP_MODAL_TARGET_BLOCKED, f'The dialog "{row["title"][:80]}" is open and has to be answered.'
            )


def _settable(action: str, element: Row) -> bool:
    """Ranges take a value although they take no text."""
    return action == "set_value" and element["role"] in {"slider", "spin_button", "scroll_bar", "dial"}


def _inside(point: tuple[float, float] | None, view: View) -> None:
    if point is None:
        return
    x, y = point
    if not (0 <= x < view.screen["width"] and 0 <= y < view.screen["height"]):
        size = f"{view.screen['width']}x{view.screen['height']}"
        raise refused(DESKTOP_COORDINATE_OUT_OF_BOUNDS, f"({x:g}, {y:g}) lies outside the newest screenshot, {size}.")


def _named_window(doing: Doing, view: View) -> Row | None:
    if doing.window is not None:
        found = view.window(doing.window)
        if found is None:
            raise refused(DESKTOP_WINDOW_REF_NOT_FOUND, f"The newest state has no window {doing.window[:40]!r}.")
        return found
    if doing.app is None and doing.title is None:
        return None
    captured = view.window(view.captured)
    if captured is not None and captured in windows_called(view.windows, doing.app, doing.title):
        return captured
    return only_window(view.windows, doing.app, doing.title)


def _element(doing: Doing, view: View, named: Row | None) -> Row | None:
    if doing.ref is not None:
        found = view.element(doing.ref)
        if found is None:
            raise refused(DESKTOP_ELEMENT_REF_NOT_FOUND, f"The newest state has no element {doing.ref[:40]!r}.")
        return found
    if doing.locator is None:
        return None
    rows = [row for row in view.elements if named is None or row["window"] == named["ref"]]
    return only_element(rows, doing.locator)


def _window(doing: Doing, view: View, named: Row | None, element: Row | None, rules: Rules) -> Row | None:
    """Explicit window, else the element's, else the captured one, else what is meant by the focus or the point."""
    if named is not None:
        return named
    if element is not None:
        return view.owner(element)
    captured = view.window(view.captured)
    if captured is not None:
        return captured
    if doing.focused:
        return view.window(view.active)
    if rules.text or (rules.keys and doing.point is None):
        raise refused(DESKTOP_TYPE_WINDOW_REQUIRED, "It is not known which window is meant.")
    return _under(doing.point, view)


def _under(point: tuple[float, float] | None, view: View) -> Row | None:
    """The front window that the newest state saw at a point."""
    if point is None:
        return None
    x, y = view.place(*point)
    inside = [row for row in view.windows if row["viewable"] and _contains(box_of(row), x, y)]
    return min(inside, key=lambda row: row["z"], default=None)


def _placed(doing: Doing, view: View, window: Row | None, element: Row | None, rules: Rules) -> Aim:
    if element is not None:
        return _on_element(doing, view, window, element, rules)
    if doing.point is not None:
        return _on_point(doing, view, window)
    mode: Mode = "focused-target" if doing.focused and view.captured is None else "window"
    if rules.points and window is not None:
        box = _known(box_of(window), str(window["title"]))
        middle = (box.x + box.width / 2, box.y + box.height / 2)
        return Aim(mode, window, point=middle, pixel=view.pixel(*middle))
    return Aim(mode, window)


def _on_element(doing: Doing, view: View, window: Row | None, element: Row, rules: Rules) -> Aim:
    box = box_of(element)
    if box is None and not rules.points:
        return Aim("element-ref", window, element)
    box = _known(box, str(element["name"] or element["role"]))
    middle = (box.x + box.width / 2, box.y + box.height / 2)
    end_pixel = doing.end
    if doing.end_ref is not None:
        other = view.element(doing.end_ref)
        if other is None:
            raise refused(DESKTOP_ELEMENT_REF_NOT_FOUND, f"The newest state has no element {doing.end_ref[:40]!r}.")
        there = _known(box_of(other), str(other["name"] or other["role"]))
        end_pixel = view.pixel(there.x + there.width / 2, there.y + there.height / 2)
    return Aim(
        "element-ref",
        window,
        element,
        point=middle,
        pixel=view.pixel(*middle),
        end=None if end_pixel is None else view.place(*end_pixel),
        end_pixel=end_pixel,
    )


def _on_point(doing: Doing, view: View, window: Row | None) -> Aim:
    assert doing.point is not None
    if window is not None and view.captured is not None and window["ref"] != view.captured:
        raise refused(
            DESKTOP_COORDINATE_SPACE_MISMATCH, "The newest screenshot is of another window than the one named."
        )
    x, y = view.place(*doing.point)
    if window is not None:
        box = _known(box_of(window), str(window["title"]))
        if not _contains(box, x, y):
            raise refused(
                DESKTOP_TYPE_COORDINATE_OUTSIDE_WINDOW, f'The point lies outside the window "{window["title"][:80]}".'
            )
    return Aim(
        "screenshot-coordinate",
        window,
        point=(x, y),
        pixel=doing.point,
        end=None if doing.end is None else view.place(*doing.end),
        end_pixel=doing.end,
    )


def _known(box: Box | None, name: str, code: Code = DESKTOP_TARGET_BOUNDS_MISSING) -> Box:
    if box is None or not all(math.isfinite(value) for value in box):
        raise refused(code, f'It is not known where "{name[:80]}" lies.')
    return box


def _contains(box: Box | None, x: float, y: float) -> bool:
    return box is not None and box.x <= x < box.right and box.y <= y < box.bottom
