"""How every action is carried out on a backend. Blocks; called in a thread, after every check has passed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from deepseekeyes.automation.surface import Grid
from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop import entering, guards, hovering, lasting
from deepseekeyes.desktop.codes import DESKTOP_SEMANTIC_UNAVAILABLE, DESKTOP_TARGET_BOUNDS_MISSING
from deepseekeyes.desktop.ports import Backend, Launched
from deepseekeyes.desktop.requests import Doing, refused
from deepseekeyes.desktop.settings import DesktopSettings
from deepseekeyes.desktop.targets import Aim

PIXELS_PER_NOTCH: Final = 60
"""How an asked distance becomes notches. What a program makes of one differs; the delta tells what was seen to move."""

SELECT_ALL: Final = "CTRL+A"
LAUNCH_WAIT_S: Final = 15.0


@dataclass(slots=True)
class Stage:
    """Everything an action needs, and what it leaves for the verdict.

    Attributes:
        popups: menus that the newest state showed with the window.
        control: the row of what lies under the pointer's place, as far as the newest state knows.
        glance: what the pixels look like now.
        left: results that are compared afterwards; never logged.
        follow: identity of the window to look at next; None to stay.
    """

    backend: Backend
    aim: Aim
    doing: Doing
    popups: tuple[str, ...]
    control: Mapping[str, Any] | None
    glance: Callable[[], Grid | None]
    settings: DesktopSettings
    programs: Mapping[str, str]
    sleep: Callable[[float], None]
    left: dict[str, Any] = field(default_factory=dict)
    follow: str | None = None

    @property
    def window(self) -> str:
        """Identity of the window; only for actions that have one."""
        identity = self.aim.identity
        assert identity is not None
        return identity

    @property
    def place(self) -> tuple[float, float]:
        """Where the pointer goes."""
        if self.aim.point is None:
            raise refused(DESKTOP_TARGET_BOUNDS_MISSING, "It is not known where the target lies.")
        return self.aim.point


Act = Callable[[Stage], dict[str, Any]]


def _click(stage: Stage) -> dict[str, Any]:
    more = stage.doing.more
    hovering.hover(stage)
    stage.backend.click(*stage.place, button=more["button"], count=more["count"])
    return {"button": more["button"], "count": more["count"]}


def _move(stage: Stage) -> dict[str, Any]:
    stage.backend.move(*stage.place)
    stage.left["pointer"] = stage.backend.pointer()
    return {}


def _drag(stage: Stage) -> dict[str, Any]:
    end = stage.aim.end
    assert end is not None
    duration_s = stage.doing.more["duration_ms"] / 1000
    lasting.look_with_pointer(stage, end)
    guards.unobscured(stage.backend, stage.place, stage.aim.window, stage.popups)
    stage.backend.drag(stage.place, end, duration_s=duration_s)
    return {"durationMs": stage.doing.more["duration_ms"]}


def _scroll(stage: Stage) -> dict[str, Any]:
    more = stage.doing.more
    if more["into_view"]:
        assert stage.aim.element is not None
        return {"answered": stage.backend.scroll_to(stage.aim.element["handle"])}
    dx, dy = notches(more["delta_x"]), notches(more["delta_y"])
    lasting.look_with_pointer(stage, stage.place)
    guards.unobscured(stage.backend, stage.place, stage.aim.window, stage.popups)
    stage.backend.scroll(*stage.place, dx=dx, dy=dy)
    return {"notches": [dx, dy]}


def notches(pixels: float) -> int:
    """Whole notches of the wheel for so many pixels; at least one for any distance."""
    if not pixels:
        return 0
    count = round(abs(pixels) / PIXELS_PER_NOTCH) or 1
    return count if pixels > 0 else -count


def _type(stage: Stage) -> dict[str, Any]:
    focused = entering.focus(stage.backend, stage.aim, stage.popups, stage.sleep)
    return {**_told(stage, focused), **_sent(stage, focused)}


def _sent(stage: Stage, focused: entering.Focused) -> dict[str, Any]:
    backend, text = stage.backend, stage.doing.value
    stage.left["handle"] = focused.handle
    stage.left["before"] = backend.read_text(focused.handle) if focused.handle is not None else None
    typed = backend.type_text(text, window=stage.aim.identity)
    facts: dict[str, Any] = {"inputMethod": typed.method, "charsSent": typed.sent}
    if stage.doing.more.get("submit"):
        backend.press("ENTER", window=stage.aim.identity)
        facts["submitted"] = True
    return facts


def _told(stage: Stage, focused: entering.Focused) -> dict[str, Any]:
    text = stage.doing.value
    return {
        "targetMode": stage.aim.mode,
        "targetVerified": True,
        "focusVerified": focused.verified,
        "focusClicked": focused.clicked,
        "textLength": len(text),
        "utf16Length": len(text.encode("utf-16-le", "surrogatepass")) // 2,
    }


def _set_value(stage: Stage) -> dict[str, Any]:
    """The element's own way; where it has none: focus, select all, type."""
    row = stage.aim.element
    assert row is not None
    stage.left["handle"] = row["handle"]
    try:
        stage.left["readback"] = stage.backend.set_value(row["handle"], stage.doing.value)
    except EyesError as trouble:
        if trouble.code is not DESKTOP_SEMANTIC_UNAVAILABLE:
            raise
    else:
        return {"inputMethod": "semantic"}
    focused = entering.focus(stage.backend, stage.aim, stage.popups, stage.sleep)
    stage.backend.press(SELECT_ALL, window=stage.aim.identity)
    if stage.doing.value:
        typed = stage.backend.type_text(stage.doing.value, window=stage.aim.identity)
        return {**_told(stage, focused), "inputMethod": "select-all-and-keys", "charsSent": typed.sent}
    stage.backend.press("DELETE", window=stage.aim.identity)
    return {**_told(stage, focused), "inputMethod": "select-all-and-keys", "charsSent": 0}


def _key(stage: Stage) -> dict[str, Any]:
    backend, aim = stage.backend, stage.aim
    if aim.element is not None:
        entering.focus(backend, aim, stage.popups, stage.sleep)
        lasting.look(stage, after_s=0.0 if aim.element["focused"] else hovering.HOVER_S)
    else:
        lasting.look(stage)
        if aim.window is not None and not _own_menu(stage):
            guards.foreground(backend, aim.window)
    backend.press(stage.doing.value, window=aim.identity)
    return {"keys": list(backend.check_chord(stage.doing.value))}


def _own_menu(stage: Stage) -> bool:
    """Whether a menu of the very window is open, which then gets the keys."""
    return stage.backend.active() in stage.popups


def _invoke(stage: Stage) -> dict[str, Any]:
    """The natural action of an element; where it offers none, a click in its middle."""
    row = stage.aim.element
    assert row is not None
    if row["actions"]:
        return {"performed": stage.backend.do_action(row["handle"], None), "inputMethod": "semantic"}
    guards.undisturbed(stage.backend)
    point = guards.element_place(stage.backend, row)
    guards.unobscured(stage.backend, point, stage.aim.window, stage.popups)
    stage.backend.click(*point)
    return {"performed": "click", "inputMethod": "pointer"}


def _perform(stage: Stage) -> dict[str, Any]:
    row = stage.aim.element
    assert row is not None
    return {"performed": stage.backend.do_action(row["handle"], stage.doing.value), "inputMethod": "semantic"}


def _launch(stage: Stage) -> dict[str, Any]:
    more = stage.doing.more
    found: Launched = stage.backend.launch(
        [stage.doing.value, *more["arguments"]], stage.programs, wait_s=more["wait_ms"] / 1000
    )
    stage.left["windows"] = found.windows
    listed = {one.identity: one for one in stage.backend.windows()}
    own = [listed[one] for one in found.windows if one in listed and listed[one].kind in ("normal", "dialog")]
    if own:
        stage.follow = max(own, key=lambda one: one.bounds.width * one.bounds.height).identity
    return {"pid": found.pid, "program": found.program, "newWindows": len(found.windows), "reused": found.reused}


def _focus(stage: Stage) -> dict[str, Any]:
    found = stage.backend.focus_window(stage.window)
    return {"focusVerified": found.verified, "restored": found.restored}


def _move_window(stage: Stage) -> dict[str, Any]:
    more = stage.doing.more
    now = stage.backend.move_window(stage.window, more["x"], more["y"])
    stage.left["bounds"] = now.bounds
    return {"x": now.bounds.x, "y": now.bounds.y}


def _resize_window(stage: Stage) -> dict[str, Any]:
    more = stage.doing.more
    now = stage.backend.resize_window(stage.window, more["width"], more["height"])
    stage.left["client"] = now.client
    return {"width": now.client.width, "height": now.client.height}


def _close_window(stage: Stage) -> dict[str, Any]:
    gone = stage.backend.close_window(stage.window)
    stage.left["gone"] = gone
    return {"gone": gone}


ACTS: Final[Mapping[str, Act]] = {
    "click": _click,
    "double_click": _click,
    "right_click": _click,
    "move": _move,
    "drag": _drag,
    "scroll": _scroll,
    "type": _type,
    "set_value": _set_value,
    "key": _key,
    "invoke": _invoke,
    "perform": _perform,
    "launch": _launch,
    "focus": _focus,
    "move_window": _move_window,
    "resize_window": _resize_window,
    "close_window": _close_window,
}
