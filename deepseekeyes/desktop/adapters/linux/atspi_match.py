"""Which accessible top level belongs to an X window, and where its window-relative extents lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.atspi_nodes import (
    BASE_CALLS,
    SCREEN_COORDINATES,
    WINDOW_COORDINATES,
    Node,
    Ref,
    Space,
    base_calls,
    read_node,
)
from deepseekeyes.desktop.adapters.linux.atspi_wire import (
    ACCESSIBLE,
    APPLICATION,
    BUS,
    BUS_PATH,
    REGISTRY,
    ROOT_PATH,
    Call,
    Failed,
    Reply,
    Wire,
    prop,
    value_of,
)
from deepseekeyes.desktop.adapters.linux.processes import descends_from
from deepseekeyes.desktop.adapters.linux.windows import Listed

NEAR_PX = 2
MOST_APPS, MOST_TOPS = 200, 100


@dataclass(frozen=True, slots=True)
class Top:
    """A top level of a program.

    Attributes:
        screen: its extents in screen coordinates, whatever they are worth.
    """

    node: Node
    screen: Box | None


@dataclass(frozen=True, slots=True)
class Matched:
    """The accessible of a window; None with the reason when there is none."""

    top: Top | None
    space: Space | None
    reason: str | None = None


def apps(wire: Wire, deadline: float) -> list[Ref]:
    """The programs on the accessibility bus."""
    told = wire.calls([Call(REGISTRY, ROOT_PATH, ACCESSIBLE, "GetChildren")], deadline)[0]
    if isinstance(told, Failed):
        return []
    return [ref for ref in refs(told) if not ref.null][:MOST_APPS]


def refs(reply: Reply) -> list[Ref]:
    """The nodes in an answer to GetChildren."""
    if isinstance(reply, Failed) or not reply:
        return []
    return [Ref(str(one[0]), str(one[1])) for one in reply[0] if len(one) == 2]


def of_process(wire: Wire, known: Sequence[Ref], pid: int | None, deadline: float) -> list[Ref]:
    """The programs of a process, itself before its descendants; the bus tells whose they are, not the program."""
    if pid is None:
        return []
    calls = [Call(BUS, BUS_PATH, BUS, "GetConnectionUnixProcessID", "s", (ref.bus,)) for ref in known]
    pids = [value_of(reply) for reply in wire.calls(calls, deadline)]
    exact = [ref for ref, found in zip(known, pids, strict=True) if found == pid]
    if exact:
        return exact
    return [
        ref
        for ref, found in zip(known, pids, strict=True)
        if isinstance(found, int) and (descends_from(found, pid) or descends_from(pid, found))
    ]


def match(wire: Wire, one: Listed, deadline: float) -> Matched:
    """The accessible of a window.

    Reasons: `no-tree` when the program shows none, `app-timeout` when it does not answer.
    """
    found: list[tuple[Ref, Top]] = []
    silent = False
    for app in of_process(wire, apps(wire, deadline), one.window.pid, deadline):
        tops, quiet = _tops(wire, app, deadline)
        silent = silent or quiet
        found += [(app, top) for top in tops]
    best = max(found, key=lambda pair: _score(pair[1], one), default=None)
    if best is None or (_score(best[1], one) < 2 and len(found) > 1):
        return Matched(None, None, "app-timeout" if silent else "no-tree")
    app, top = best
    return Matched(top, _space(wire, app, top, one, deadline))


def _tops(wire: Wire, app: Ref, deadline: float) -> tuple[list[Top], bool]:
    """The showing top levels of a program, and whether it was silent."""
    told = wire.calls([Call(app.bus, app.path, ACCESSIBLE, "GetChildren")], deadline)[0]
    if isinstance(told, Failed):
        return [], told.silent
    children = [ref for ref in refs(told) if not ref.null][:MOST_TOPS]
    calls = [call for ref in children for call in base_calls(ref, SCREEN_COORDINATES)]
    replies = wire.calls(calls, deadline)
    tops: list[Top] = []
    silent = False
    for index, ref in enumerate(children):
        node = read_node(ref, replies[index * BASE_CALLS : (index + 1) * BASE_CALLS])
        if isinstance(node, Failed):
            silent = silent or node.silent
        elif "defunct" not in node.states and "showing" in node.states:
            tops.append(Top(node, Box(*node.extents) if node.extents is not None else None))
    return tops, silent


def _score(top: Top, one: Listed) -> int:
    """How much speaks for it: place, size, title, activity."""
    window = one.window
    score = 0
    if top.screen is not None:
        if any(_near(top.screen, box) for box in _boxes(one)):
            score += 8
        elif any(_same_size(top.screen, box) for box in _boxes(one)):
            score += 4
    if top.node.name and top.node.name == window.title:
        score += 3
    if ("active" in top.node.states) == window.active:
        score += 1
    return score


def _space(wire: Wire, app: Ref, top: Top, one: Listed, deadline: float) -> Space:
    """Screen extents where the top level's own ones are true; GTK 4 has none, and measures from its visible edge."""
    bus, path = app.bus, app.path
    told = wire.calls([prop(bus, path, APPLICATION, "ToolkitName"), prop(bus, path, APPLICATION, "Version")], deadline)
    toolkit, version = (str(value_of(reply, "") or "") for reply in told)
    if toolkit.lower() == "gtk" and version.startswith("4"):
        return relative_space(one, derived=True)
    if top.screen is not None and any(_near(top.screen, box) for box in _boxes(one)):
        return Space(one.window.identity)
    return relative_space(one, derived=False)


def relative_space(one: Listed, *, derived: bool) -> Space:
    """Window-relative extents from where the window lies now."""
    if derived:
        seen = _content(one)
        return Space(
            one.window.identity, seen.x, seen.y, WINDOW_COORDINATES, derived=True, width=seen.width, height=seen.height
        )
    client = one.window.client
    return Space(one.window.identity, client.x, client.y, WINDOW_COORDINATES)


def _boxes(one: Listed) -> tuple[Box, Box, Box]:
    """What a program may call its frame: client area, that with the manager's frame, that without a shadow."""
    return one.window.client, one.window.bounds, _content(one)


def _content(one: Listed) -> Box:
    """The client area without the program's own shadow."""
    left, right, top, bottom = one.shadow
    client = one.window.client
    return Box(client.x + left, client.y + top, client.width - left - right, client.height - top - bottom)


def _near(box: Box, other: Box) -> bool:
    return abs(box.x - other.x) <= NEAR_PX and abs(box.y - other.y) <= NEAR_PX and _same_size(box, other)


def _same_size(box: Box, other: Box) -> bool:
    return abs(box.width - other.width) <= NEAR_PX and abs(box.height - other.height) <= NEAR_PX
