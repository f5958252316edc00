"""What lies on a desktop on paper: windows and the things in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from deepseekeyes.core.geometry import Box

SENT = frozenset(
    {"click", "drag", "scroll", "press", "type_text", "insert_text", "set_value", "do_action", "move", "launch"}
)


@dataclass
class Thing:
    """An element; `box` is relative to its window's inside."""

    handle: str
    role: str
    name: str
    box: tuple[float, float, float, float] | None
    value: str | None = None
    editable: bool = False
    protected: bool = False
    enabled: bool = True
    checked: bool | None = None
    actions: tuple[str, ...] = ()
    container: bool = False
    clicked: Callable[[], None] | None = None
    gone: bool = False


@dataclass
class Pane:
    """A window; its inside is the whole of it."""

    identity: str
    title: str
    app: str
    box: Box
    pid: int = 100
    modal: bool = False
    owner: str | None = None
    kind: Any = "normal"
    minimised: bool = False
    things: list[Thing] = field(default_factory=list)
    focus: str | None = None
    knows_focus: bool = True


def holds(pane: Pane, box: tuple[float, float, float, float], x: float, y: float) -> bool:
    left, top = pane.box.x + box[0], pane.box.y + box[1]
    return left <= x < left + box[2] and top <= y < top + box[3]


def look(pane: Pane, thing: Thing, pointer: tuple[float, float]) -> str:
    """What its looks depend on; what can be clicked is lit under the pointer."""
    lit = thing.box is not None and bool(thing.actions) and holds(pane, thing.box, *pointer)
    return f"{thing.name}|{thing.value}|{thing.checked}|{pane.focus == thing.handle}|{lit}"
