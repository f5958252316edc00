"""Windows as their programs describe them over AT-SPI: who they are and what they say, not where they lie."""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.accessibility import Accessibility
from deepseekeyes.desktop.adapters.linux.atspi_match import Matched, Top, apps, refs
from deepseekeyes.desktop.adapters.linux.atspi_nodes import (
    BASE_CALLS,
    WINDOW_COORDINATES,
    Node,
    Ref,
    Space,
    base_calls,
    read_node,
)
from deepseekeyes.desktop.adapters.linux.atspi_wire import (
    ACCESSIBLE,
    BUS,
    BUS_PATH,
    NULL_PATH,
    Call,
    Failed,
    NoBusError,
    Wire,
    prop,
    value_of,
)
from deepseekeyes.desktop.adapters.linux.processes import program_name, start_ticks
from deepseekeyes.desktop.adapters.linux.windows import Listed
from deepseekeyes.desktop.codes import DESKTOP_FOREGROUND_UNKNOWN, DESKTOP_WINDOW_GONE, TARGET_FOCUS_MISMATCH
from deepseekeyes.desktop.ports import Window, WindowKind

LIST_S = 3.0
MOST_WINDOWS = 400
NOWHERE = Box(math.nan, math.nan, math.nan, math.nan)
SHELLS = frozenset({"gnome-shell", "plasmashell"})
KINDS: dict[str, WindowKind] = {
    "dialog": "dialog",
    "alert": "dialog",
    "file_chooser": "dialog",
    "color_chooser": "dialog",
    "font_chooser": "dialog",
    "menu": "menu",
    "popup_menu": "menu",
    "tool_tip": "tooltip",
    "notification": "notification",
}


@dataclass(frozen=True, slots=True)
class _Program:
    """A program on the accessibility bus."""

    ref: Ref
    name: str
    pid: int | None
    tops: tuple[Node, ...]


@dataclass(slots=True)
class Windows:
    """Lists windows; one per desktop."""

    accessibility: Accessibility
    display: str

    def listed(self) -> list[Listed]:
        """All windows that programs tell of; the active one first, since more of their order is not known."""
        try:
            wire = self.accessibility.wire()
            programs = _programs(wire, time.monotonic() + LIST_S)
        except NoBusError:
            self.accessibility.lost()
            return []
        found = [self._listed(program, top) for program in programs for top in program.tops][:MOST_WINDOWS]
        found = _owned(found)
        found.sort(key=lambda one: not one.window.active)
        return [replace(one, window=replace(one.window, z=z)) for z, one in enumerate(found)]

    def find(self, identity: str) -> Listed | None:
        """A window that is still there."""
        return next((one for one in self.listed() if one.window.identity == identity), None)

    def require(self, identity: str) -> Listed:
        """The window.

        Raises:
            EyesError: DESKTOP_WINDOW_GONE.
        """
        found = self.find(identity)
        if found is None:
            raise EyesError(DESKTOP_WINDOW_GONE, "The window has gone.", details={"dispatched": "no"})
        return found

    def active(self) -> Listed | None:
        """The one window that says it is active; None when none or several do, for then nobody can tell."""
        having = [one for one in self.listed() if one.window.active]
        return having[0] if len(having) == 1 else None

    def active_number(self) -> int | None:
        """A number for the active window, to compare with another time."""
        found = self.active()
        return found.xid if found is not None else None

    def require_foreground(self, identity: str | None) -> None:
        """Refuse unless exactly this window says that it is active.

        Raises:
            EyesError: DESKTOP_FOREGROUND_UNKNOWN, TARGET_FOCUS_MISMATCH, DESKTOP_WINDOW_GONE.
        """
        if identity is None:
            raise EyesError(
                DESKTOP_FOREGROUND_UNKNOWN,
                "No window is named, and Wayland does not tell which one has the keyboard.",
                details={"dispatched": "no"},
            )
        having = [one for one in self.listed() if one.window.active]
        if len(having) == 1 and having[0].window.identity == identity:
            return
        self.require(identity)
        if len(having) != 1:
            many = "Several windows say that they have" if having else "No window says that it has"
            raise EyesError(DESKTOP_FOREGROUND_UNKNOWN, f"{many} the keyboard.", details={"dispatched": "no"})
        other = having[0].window
        raise EyesError(
            TARGET_FOCUS_MISMATCH, f'{other.app} "{other.title[:60]}" has the keyboard.', details={"dispatched": "no"}
        )

    def _listed(self, program: _Program, top: Node) -> Listed:
        pid = program.pid
        started = start_ticks(pid) if pid is not None else None
        who = f"{pid}:{started}" if started is not None else f"{program.name}:weak"
        identity = f"wayland:{self.display}|{top.ref.bus}|{top.ref.path}|{who}"
        kind = KINDS.get(top.role, "normal")
        window = Window(
            identity=identity,
            title=top.name,
            app=program.name,
            pid=pid,
            bounds=NOWHERE,
            client=NOWHERE,
            z=0,
            active="active" in top.states,
            minimised="iconified" in top.states,
            viewable="iconified" not in top.states,
            modal="modal" in top.states,
            dialog=kind == "dialog",
            kind="desktop" if program.name in SHELLS else kind,
            weak=started is None,
        )
        nothing = (0, 0, 0, 0)
        return Listed(window, zlib.crc32(identity.encode("utf-8", "surrogatepass")), 0, False, nothing, nothing)


def found_in(wire: Wire, one: Listed, deadline: float) -> Matched:
    """The accessible of a window, which its identity names, and a space without places."""
    ref = top_of(one.window.identity)
    node = read_node(ref, wire.calls(base_calls(ref, WINDOW_COORDINATES), deadline))
    if isinstance(node, Failed):
        return Matched(None, None, "app-timeout" if node.silent else "no-tree")
    return Matched(Top(node, None), unplaced(one, node))


def unplaced(one: Listed, node: Node | None = None) -> Space:
    """Extents that are nowhere on the screen; the size still says what shows."""
    width, height = node.extents[2:] if node is not None and node.extents is not None else (0, 0)
    return Space(one.window.identity, 0, 0, WINDOW_COORDINATES, derived=True, width=width, height=height, placed=False)


def top_of(identity: str) -> Ref:
    """The accessible that an identity names."""
    parts = identity.split("|")
    return Ref(parts[1], parts[2]) if len(parts) > 3 else Ref("", NULL_PATH)


def _programs(wire: Wire, deadline: float) -> list[_Program]:
    """Every program with its top levels; three rounds of questions for all of them together."""
    known = apps(wire, deadline)
    asked = [
        call
        for ref in known
        for call in (
            Call(ref.bus, ref.path, ACCESSIBLE, "GetChildren"),
            prop(ref.bus, ref.path, ACCESSIBLE, "Name"),
            Call(BUS, BUS_PATH, BUS, "GetConnectionUnixProcessID", "s", (ref.bus,)),
        )
    ]
    replies = wire.calls(asked, deadline)
    children = [[one for one in refs(replies[3 * at]) if not one.null][:100] for at in range(len(known))]
    flat = [ref for group in children for ref in group]
    answers = wire.calls([call for ref in flat for call in base_calls(ref, WINDOW_COORDINATES)], deadline)
    nodes = {ref: read_node(ref, answers[at * BASE_CALLS : (at + 1) * BASE_CALLS]) for at, ref in enumerate(flat)}
    found: list[_Program] = []
    for at, ref in enumerate(known):
        told = value_of(replies[3 * at + 2])
        pid = told if isinstance(told, int) else None
        name = str(value_of(replies[3 * at + 1], "") or "").strip() or (program_name(pid) if pid else "")
        tops = [node for one in children[at] if not isinstance(node := nodes[one], Failed) and _shows(node)]
        found.append(_Program(ref, name[:200], pid, tuple(tops)))
    return found


def _shows(node: Node) -> bool:
    """Whether a top level is on the screen; GTK 4 says `visible` only."""
    return "defunct" not in node.states and bool(node.states & {"showing", "visible", "iconified"})


def _owned(found: Sequence[Listed]) -> list[Listed]:
    """A modal dialog of a program with one other window belongs to that one."""
    made: list[Listed] = []
    for one in found:
        others = [
            other.window.identity
            for other in found
            if other.window.pid == one.window.pid and other is not one and other.window.kind == "normal"
        ]
        owner = others[0] if one.window.modal and one.window.pid is not None and len(others) == 1 else None
        made.append(replace(one, window=replace(one.window, transient_for=owner)))
    return made
