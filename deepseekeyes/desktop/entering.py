"""The one transaction in which text reaches its target: front, focus, proof of focus, text. Blocks.

Until the text is sent every failure says so; what it says about `dispatched` counts clicks and keys, not focus.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from deepseekeyes.core.errors import Dispatched, EyesError
from deepseekeyes.desktop import guards
from deepseekeyes.desktop.codes import DESKTOP_TYPE_TARGET_NOT_EDITABLE, TARGET_FOCUS_MISMATCH
from deepseekeyes.desktop.ports import Backend, Element
from deepseekeyes.desktop.targets import Aim

FOCUS_PAUSE_S = 0.06
CLICK_PAUSE_S = 0.08
POLLS, POLL_S = 8, 0.025


@dataclass(frozen=True, slots=True)
class Focused:
    """Proof that the target has the keyboard.

    Attributes:
        verified: `element` when the tree says that the very element has it, `window` when only the window is known.
        handle: the element that has it, for reading back.
        clicked: whether a click was needed.
    """

    verified: Literal["window", "element"]
    handle: str | None = None
    clicked: bool = False


def focus(backend: Backend, aim: Aim, popups: Sequence[str], sleep: Callable[[float], None]) -> Focused:
    """Bring the target to the front and give it the keyboard.

    Raises:
        EyesError: DESKTOP_WINDOW_GONE, DESKTOP_TARGET_MOVED, DESKTOP_POINT_OBSCURED, TARGET_FOCUS_MISMATCH,
            DESKTOP_TYPE_TARGET_NOT_EDITABLE; the message ends by saying that no text was sent.
    """
    clicked: list[bool] = []
    try:
        return _focus(backend, aim, popups, sleep, clicked)
    except EyesError as trouble:
        trouble.message = f"{trouble.message.rstrip('.')}; no text was sent."
        told: Dispatched = "yes" if clicked else "no"
        trouble.details["dispatched"] = told
        raise


def _focus(
    backend: Backend, aim: Aim, popups: Sequence[str], sleep: Callable[[float], None], clicked: list[bool]
) -> Focused:
    window = aim.window
    if window is None:
        return Focused("window")
    if aim.mode == "focused-target":
        guards.foreground(backend, window)
        return _on_focused(backend, window)
    guards.live_window(backend.windows(), window)
    backend.focus_window(window["identity"])
    live = guards.live_window(backend.windows(), window)
    guards.undisturbed(backend)
    if aim.element is not None:
        return _on_element(backend, aim, popups, sleep, clicked)
    if aim.point is not None:
        guards.unmoved(live, window)
        guards.foreground(backend, window)
        guards.unobscured(backend, aim.point, window, popups)
        backend.click(*aim.point)
        clicked.append(True)
        sleep(CLICK_PAUSE_S)
        _front(backend, window, sleep)
        return _on_point(backend, window, aim.point)
    return _on_focused(backend, window)


def _on_element(
    backend: Backend, aim: Aim, popups: Sequence[str], sleep: Callable[[float], None], clicked: list[bool]
) -> Focused:
    window, row = aim.window, aim.element
    assert window is not None
    assert row is not None
    took = backend.focus_element(row["handle"])
    sleep(FOCUS_PAUSE_S)
    if not took and row["box"] is not None:
        point = guards.element_place(backend, row)
        guards.unobscured(backend, point, window, popups)
        backend.click(*point)
        clicked.append(True)
        sleep(CLICK_PAUSE_S)
    _front(backend, window, sleep)
    now = backend.focused(window["identity"])
    if now is None or now.handle == row["handle"]:
        return Focused("window" if now is None else "element", row["handle"], bool(clicked))
    if _within(backend, now, row["handle"]):
        return Focused("element", now.handle, bool(clicked))
    raise EyesError(TARGET_FOCUS_MISMATCH, f'The {now.role} "{now.name[:60]}" has the focus, not the element named.')


def _on_point(backend: Backend, window: Mapping[str, Any], point: tuple[float, float]) -> Focused:
    now = backend.focused(window["identity"])
    if now is None:
        return Focused("window", None, clicked=True)
    if not now.editable:
        raise EyesError(
            DESKTOP_TYPE_TARGET_NOT_EDITABLE, f'The {now.role} "{now.name[:60]}" got the focus and takes no text.'
        )
    bounds = now.bounds
    inside = bounds is None or (bounds.x <= point[0] < bounds.right and bounds.y <= point[1] < bounds.bottom)
    if not inside:
        raise EyesError(TARGET_FOCUS_MISMATCH, f'The {now.role} "{now.name[:60]}" has the focus, away from the point.')
    return Focused("element", now.handle, clicked=True)


def _on_focused(backend: Backend, window: Mapping[str, Any]) -> Focused:
    now = backend.focused(window["identity"])
    if now is None:
        return Focused("window")
    if not now.editable and now.role in {"push_button", "check_box", "radio_button", "menu_item", "label"}:
        raise EyesError(DESKTOP_TYPE_TARGET_NOT_EDITABLE, f'The {now.role} "{now.name[:60]}" takes no text.')
    return Focused("element", now.handle)


def _front(backend: Backend, window: Mapping[str, Any], sleep: Callable[[float], None]) -> None:
    """Give the window manager a moment, then insist."""
    for _ in range(POLLS):
        if backend.active() == window["identity"]:
            return
        sleep(POLL_S)
    guards.foreground(backend, window)


def _within(backend: Backend, element: Element, handle: str, *, most: int = 6) -> bool:
    """Whether an element lies inside another one (the text of a combo box, the line of a spin button)."""
    parent, steps = element.parent, 0
    while parent is not None and steps < most:
        if parent == handle:
            return True
        above = backend.element(parent)
        parent, steps = (above.parent if above is not None else None), steps + 1
    return False
