"""Walks a window's accessibility tree breadth first, under one deadline."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from deepseekeyes.desktop.adapters.linux.atspi_match import refs
from deepseekeyes.desktop.adapters.linux.atspi_nodes import (
    BASE_CALLS,
    Details,
    Node,
    Ref,
    Space,
    base_calls,
    completed,
    detail_calls,
    element_of,
    handle_of,
    is_protected,
    last_calls,
    read_details,
    read_node,
)
from deepseekeyes.desktop.adapters.linux.atspi_wire import ACCESSIBLE, Call, Failed, Reply, Wire
from deepseekeyes.desktop.ports import Element, Walk, WalkStatus

BATCH = 64
MOST_CHILDREN = 1_000
VISITS_PER_ELEMENT = 20
SILENCES = 2


@dataclass(frozen=True, slots=True)
class _Due:
    """A node that waits for its turn."""

    ref: Ref
    depth: int
    parent: str | None
    protected: bool


@dataclass(slots=True)
class _Course:
    """How far a walk has come."""

    space: Space
    deadline: float
    most: int
    hidden: bool
    details: bool
    due: deque[_Due]
    elements: list[Element] = field(default_factory=list)
    seen: set[Ref] = field(default_factory=set)
    visits: int = 0
    silences: int = 0
    left_out: int = 0
    gone: bool = False

    @property
    def reason(self) -> str | None:
        """What ended the walk, or None while nothing does."""
        if self.gone:
            return "app-gone"
        if self.silences >= SILENCES:
            return "app-timeout"
        if len(self.elements) >= self.most or self.visits >= self.most * VISITS_PER_ELEMENT:
            return "element-limit"
        return "time-budget" if time.monotonic() >= self.deadline else None


def walk(
    wire: Wire, top: Ref, space: Space, *, deadline: float, most: int, hidden: bool = False, details: bool = True
) -> Walk:
    """The elements under a top level, itself first.

    Args:
        hidden: also what no person could see; where a tree shows nothing, its branches are not entered otherwise.
        details: without them only role, name, states and bounds are read.

    Raises:
        NoBusError: the accessibility bus has gone.
    """
    started = time.monotonic()
    course = _Course(space, deadline, most, hidden, details, deque([_Due(top, 0, None, protected=False)]))
    while course.due and course.reason is None:
        _level(wire, course, [course.due.popleft() for _ in range(min(BATCH, len(course.due)))])
    unfinished = bool(course.due) or course.left_out > 0 or len(course.elements) > most
    reason = course.reason if unfinished or course.gone or course.silences >= SILENCES else None
    if reason is None and course.left_out:
        reason = "element-limit"
    return Walk(
        elements=tuple(course.elements[:most]),
        status=_status(reason),
        reason=reason,
        left_out=len(course.due) + course.left_out + max(len(course.elements) - most, 0),
        elapsed_ms=round((time.monotonic() - started) * 1000),
    )


def _status(reason: str | None) -> WalkStatus:
    if reason is None:
        return "ok"
    return "timeout" if reason == "app-timeout" else "partial"


def _level(wire: Wire, course: _Course, batch: Sequence[_Due]) -> None:
    """Visit some nodes: what they are, then the details and children of those that count."""
    course.visits += len(batch)
    replies = wire.calls(
        [call for due in batch for call in base_calls(due.ref, course.space.coordinates)], course.deadline
    )
    visited: list[tuple[_Due, Node]] = []
    silent = False
    for index, due in enumerate(batch):
        node = read_node(due.ref, replies[index * BASE_CALLS : (index + 1) * BASE_CALLS])
        if isinstance(node, Failed):
            silent = silent or node.silent
            course.left_out += 1 if node.silent else 0
            course.gone = course.gone or (due.depth == 0 and not node.silent)
        elif _counts(node := completed(node, course.space), due, course):
            visited.append((due, node))
    course.silences = course.silences + 1 if silent else 0
    if not visited or course.silences >= SILENCES:
        return
    _list(wire, course, visited)
    _descend(wire, course, visited)


def _counts(node: Node, due: _Due, course: _Course) -> bool:
    """Whether a node and what is below it are looked at.

    A viewport of GTK 3 that is scrolled by more than its own height takes itself for off screen, what it shows not.
    """
    seen = "showing" in node.states or (node.role == "viewport" and "visible" in node.states)
    return "defunct" not in node.states and (course.hidden or due.depth == 0 or seen)


def _list(wire: Wire, course: _Course, visited: Sequence[tuple[_Due, Node]]) -> None:
    """Make elements of nodes."""
    hidden = [due.protected or is_protected(node) for due, node in visited]
    if not course.details:
        details = [Details("", "", 0, 0, None)] * len(visited)
        last: list[list[Reply]] = [[] for _ in visited]
    else:
        asked = [detail_calls(node, protected=secret) for (_, node), secret in zip(visited, hidden, strict=True)]
        answered = _grouped(wire, asked, course.deadline)
        details = [
            read_details(node, replies, protected=secret)
            for (_, node), replies, secret in zip(visited, answered, hidden, strict=True)
        ]
        last = _grouped(
            wire,
            [last_calls(node, known) for (_, node), known in zip(visited, details, strict=True)],
            course.deadline,
        )
    for (due, node), known, replies, secret in zip(visited, details, last, hidden, strict=True):
        course.elements.append(
            element_of(node, known, replies, course.space, protected=secret, depth=due.depth, parent=due.parent)
        )


def _descend(wire: Wire, course: _Course, visited: Sequence[tuple[_Due, Node]]) -> None:
    """Queue the children; of a node with very many only the first ones, asked for one by one."""
    parents = [(due, node) for due, node in visited if node.children]
    answered = _grouped(wire, [_children_calls(node) for _, node in parents], course.deadline)
    for (due, node), replies in zip(parents, answered, strict=True):
        children = _children(node, replies)
        course.left_out += max(node.children - MOST_CHILDREN, 0)
        handle = handle_of(node.ref, course.space.window)
        for ref in children:
            if not ref.null and ref not in course.seen:
                course.seen.add(ref)
                secret = due.protected or is_protected(node)
                course.due.append(_Due(ref, due.depth + 1, handle, secret))


def _children_calls(node: Node) -> list[Call]:
    bus, path = node.ref.bus, node.ref.path
    if node.children <= MOST_CHILDREN:
        return [Call(bus, path, ACCESSIBLE, "GetChildren")]
    return [Call(bus, path, ACCESSIBLE, "GetChildAtIndex", "i", (index,)) for index in range(MOST_CHILDREN)]


def _children(node: Node, replies: Sequence[Reply]) -> list[Ref]:
    if node.children <= MOST_CHILDREN:
        return refs(replies[0])
    return [
        Ref(str(reply[0][0]), str(reply[0][1]))
        for reply in replies
        if not isinstance(reply, Failed) and len(reply[0]) == 2
    ]


def _grouped(wire: Wire, groups: Sequence[Sequence[Call]], deadline: float) -> list[list[Reply]]:
    """The answers to groups of calls, group by group."""
    replies = iter(wire.calls([call for group in groups for call in group], deadline))
    return [[next(replies) for _ in group] for group in groups]
