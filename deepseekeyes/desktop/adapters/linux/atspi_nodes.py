"""Nodes of the accessibility tree: what is asked of them and how the answers read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.atspi_names import (
    CONTAINERS,
    PROTECTED,
    RANGES,
    TEXTS,
    role_name,
    state_names,
)
from deepseekeyes.desktop.adapters.linux.atspi_wire import (
    ACCESSIBLE,
    ACTION,
    COMPONENT,
    NULL_PATH,
    TEXT,
    VALUE,
    Call,
    Failed,
    Reply,
    Wire,
    prop,
    value_of,
)
from deepseekeyes.desktop.ports import Element

WINDOW_COORDINATES, SCREEN_COORDINATES = 1, 0
FARTHEST = 32_767
NAME_LENGTH, VALUE_LENGTH, ID_LENGTH, ACTION_LENGTH = 500, 2_000, 300, 120
MOST_ACTIONS = 24
BASE_CALLS = 6


@dataclass(frozen=True, slots=True)
class Ref:
    """Where a node lives: bus name and object path."""

    bus: str
    path: str

    @property
    def null(self) -> bool:
        """Whether it stands for nothing (Chromium has such children)."""
        return self.path == NULL_PATH or not self.bus


@dataclass(frozen=True, slots=True)
class Space:
    """How a window's extents become places on the screen.

    Attributes:
        window: identity.
        x, y: where the extents' (0, 0) lies.
        coordinates: which extents are asked for; screen ones where the program's own frame shows that they hold
            (Qt gives the same for both), else window-relative ones.
        derived: the toolkit knows no places on the screen, and does not say what shows (GTK 4).
        width, height: of the visible window; only known where `derived`.
        placed: whether the window's place on the screen is known at all; without it nothing has bounds.
    """

    window: str
    x: float = 0
    y: float = 0
    coordinates: int = SCREEN_COORDINATES
    derived: bool = False
    width: float = 0
    height: float = 0
    placed: bool = True


@dataclass(frozen=True, slots=True)
class Node:
    """The first answers of a node."""

    ref: Ref
    role: str
    states: frozenset[str]
    name: str
    children: int
    interfaces: frozenset[str]
    extents: tuple[int, int, int, int] | None


def base_calls(ref: Ref, coordinates: int) -> list[Call]:
    """What every visited node is asked; `BASE_CALLS` of them."""
    bus, path = ref.bus, ref.path
    return [
        Call(bus, path, ACCESSIBLE, "GetRole"),
        Call(bus, path, ACCESSIBLE, "GetState"),
        prop(bus, path, ACCESSIBLE, "Name"),
        prop(bus, path, ACCESSIBLE, "ChildCount"),
        Call(bus, path, ACCESSIBLE, "GetInterfaces"),
        Call(bus, path, COMPONENT, "GetExtents", "u", (coordinates,)),
    ]


def read_node(ref: Ref, replies: Sequence[Reply]) -> Node | Failed:
    """The answers to `base_calls`."""
    role, states = replies[0], replies[1]
    if isinstance(role, Failed) or isinstance(states, Failed):
        return role if isinstance(role, Failed) else Failed("states")
    box = value_of(replies[5])
    return Node(
        ref=ref,
        role=role_name(int(role[0])),
        states=state_names(list(states[0])),
        name=tidy(value_of(replies[2], ""), NAME_LENGTH),
        children=max(int(value_of(replies[3], 0) or 0), 0),
        interfaces=frozenset(str(one) for one in value_of(replies[4], ()) or ()),
        extents=(int(box[0]), int(box[1]), int(box[2]), int(box[3])) if _is_box(box) else None,
    )


def completed(node: Node, space: Space) -> Node:
    """States that GTK 4 leaves out: `showing` for what is visible inside the window, `enabled` beside `sensitive`."""
    if not space.derived:
        return node
    states = node.states | ({"enabled"} if "sensitive" in node.states else frozenset())
    if "visible" in states and node.extents is not None:
        x, y, width, height = node.extents
        if width > 0 and height > 0 and Box(x, y, width, height).intersection(Box(0, 0, space.width, space.height)):
            states |= {"showing"}
    return replace(node, states=states)


def _is_box(value: Any) -> bool:
    return isinstance(value, tuple | list) and len(value) == 4


def detail_calls(node: Node, *, protected: bool) -> list[Call]:
    """What a listed node is asked beside; in the order `read_details` expects."""
    bus, path = node.ref.bus, node.ref.path
    calls = [
        prop(bus, path, ACCESSIBLE, "Description"),
        prop(bus, path, ACCESSIBLE, "AccessibleId"),
    ]
    if ACTION in node.interfaces:
        calls.append(prop(bus, path, ACTION, "NActions"))
    if has_text(node) and not protected:
        calls.append(prop(bus, path, TEXT, "CharacterCount"))
    if has_number(node):
        calls.append(prop(bus, path, VALUE, "CurrentValue"))
    return calls


def has_text(node: Node) -> bool:
    """Whether a node's text is its value."""
    return TEXT in node.interfaces and (node.role in TEXTS or "editable" in node.states)


def has_number(node: Node) -> bool:
    """Whether a node's number is its value."""
    return VALUE in node.interfaces and node.role in RANGES


@dataclass(frozen=True, slots=True)
class Details:
    """The second answers of a node."""

    description: str
    automation_id: str
    actions: int
    characters: int
    number: float | None


def read_details(node: Node, replies: Sequence[Reply], *, protected: bool) -> Details:
    """The answers to `detail_calls`."""
    rest = list(replies[2:])
    actions = int(value_of(rest.pop(0), 0) or 0) if ACTION in node.interfaces else 0
    characters = int(value_of(rest.pop(0), 0) or 0) if has_text(node) and not protected else 0
    number = value_of(rest.pop(0)) if has_number(node) else None
    return Details(
        description=tidy(value_of(replies[0], ""), NAME_LENGTH),
        automation_id=tidy(value_of(replies[1], ""), ID_LENGTH),
        actions=min(actions, MOST_ACTIONS),
        characters=characters,
        number=float(number) if isinstance(number, int | float) and math.isfinite(number) else None,
    )


def last_calls(node: Node, details: Details, *, most: int = VALUE_LENGTH) -> list[Call]:
    """Action names one by one, for the list of all is localised, and the text."""
    bus, path = node.ref.bus, node.ref.path
    calls = [Call(bus, path, ACTION, "GetName", "i", (index,)) for index in range(details.actions)]
    if details.characters:
        calls.append(Call(bus, path, TEXT, "GetText", "ii", (0, min(details.characters, most))))
    return calls


def element_of(
    node: Node,
    details: Details,
    replies: Sequence[Reply],
    space: Space,
    *,
    protected: bool,
    depth: int,
    parent: str | None,
) -> Element:
    """All answers of a node as an element; `replies` are those to `last_calls`."""
    names = [tidy(value_of(reply, ""), ACTION_LENGTH) for reply in replies[: details.actions]]
    text = value_of(replies[details.actions], "") if details.characters else ""
    return Element(
        handle=handle_of(node.ref, space.window),
        role=node.role,
        name=node.name,
        window=space.window,
        value=None if protected else _value(node, details, str(text or "")),
        description=details.description if details.description != node.name else "",
        automation_id=details.automation_id,
        bounds=placed(node, space),
        states=node.states,
        actions=tuple(dict.fromkeys(name for name in names if name)),
        editable="editable" in node.states and "read_only" not in node.states,
        protected=protected,
        depth=depth,
        parent=parent,
        container=node.role in CONTAINERS,
        bounds_derived=space.derived and space.placed,
    )


def _value(node: Node, details: Details, text: str) -> str | None:
    if has_text(node):
        shown = text[:VALUE_LENGTH].replace("\ufffc", "")
        return shown if "editable" in node.states or tidy(shown, NAME_LENGTH) not in {"", node.name} else None
    if details.number is not None:
        return f"{details.number:g}"
    return None


def placed(node: Node, space: Space) -> Box | None:
    """Where a node can be seen; None for what toolkits answer when it cannot (INT_MIN, -1, nothing)."""
    if not space.placed or node.extents is None or not {"showing", "visible"} <= node.states:
        return None
    x, y, width, height = node.extents
    if width <= 0 or height <= 0 or max(abs(x), abs(y), width, height) > FARTHEST:
        return None
    if (x, y, width, height) == (-1, -1, 1, 1):
        return None
    return Box(space.x + x, space.y + y, width, height)


def is_protected(node: Node) -> bool:
    """Whether a node's text is a secret."""
    return node.role in PROTECTED


def tidy(value: Any, length: int) -> str:
    """One line, no padding, bounded."""
    return " ".join(str(value or "").replace("\ufffc", " ").split())[:length]


def handle_of(ref: Ref, window: str) -> str:
    """A handle tells everything about itself, so that it holds in another process too."""
    return f"{ref.bus}|{ref.path}|{window}"


def ref_of(handle: str) -> tuple[Ref, str]:
    """The node and the window of a handle; a null node for what is none."""
    bus, found, rest = handle.partition("|")
    path, more, window = rest.partition("|")
    return (Ref(bus, path), window) if found and more else (Ref("", NULL_PATH), "")


def read_one(wire: Wire, ref: Ref, space: Space, deadline: float, *, protected: bool = False) -> Element | Failed:
    """A single node with everything, now."""
    node = read_node(ref, wire.calls(base_calls(ref, space.coordinates), deadline))
    if isinstance(node, Failed):
        return node
    node = completed(node, space)
    hidden = protected or is_protected(node)
    details = read_details(node, wire.calls(detail_calls(node, protected=hidden), deadline), protected=hidden)
    last = wire.calls(last_calls(node, details), deadline)
    return element_of(node, details, last, space, protected=hidden, depth=0, parent=None)
