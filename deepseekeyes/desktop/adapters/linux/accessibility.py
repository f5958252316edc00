"""Elements of windows and semantic input, over AT-SPI."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.adapters.linux.atspi_match import Matched, match, relative_space
from deepseekeyes.desktop.adapters.linux.atspi_nodes import SCREEN_COORDINATES, Ref, Space, read_one, ref_of
from deepseekeyes.desktop.adapters.linux.atspi_tree import walk
from deepseekeyes.desktop.adapters.linux.atspi_wire import (
    BUS,
    BUS_PATH,
    COMPONENT,
    TEXT,
    Call,
    Failed,
    NoBusError,
    Wire,
    open_wire,
    prop,
    value_of,
)
from deepseekeyes.desktop.adapters.linux.windows import Listed
from deepseekeyes.desktop.codes import DESKTOP_SEMANTIC_UNAVAILABLE, DESKTOP_TARGET_CHANGED
from deepseekeyes.desktop.ports import Element, Walk, WalkStatus

ONE_S = 1.5
FOCUSED_S = 1.5
FOCUSED_NODES = 1_000
FOCUS_POLLS = 20
POLL_S = 0.02
MOST_TEXT = 1_000_000
MOST_SPACES = 64


@dataclass(slots=True)
class Accessibility:
    """The accessibility bus of one display; connects when it is first needed, and again after it was lost.

    Attributes:
        find: how the accessible of a window is found, and where its extents lie.
    """

    variables: Mapping[str, str]
    told_by_display: Callable[[], str | None]
    wanted: bool = True
    find: Callable[[Wire, Listed, float], Matched] = match
    _wire: Wire | None = None
    _spaces: dict[str, Space] | None = None

    def reason(self) -> str | None:
        """Why there are no elements; None when there are."""
        if not self.wanted:
            return "Reading accessibility trees is switched off."
        try:
            self.wire()
        except NoBusError as none:
            return f"Accessibility trees cannot be read: {none}."
        return None

    def wire(self) -> Wire:
        """The connection.

        Raises:
            NoBusError: there is none.
        """
        if not self.wanted:
            raise NoBusError("switched off")
        if self._wire is None:
            self._wire = open_wire(self.variables, self.told_by_display())
        return self._wire

    def lost(self) -> None:
        """Forget a connection that failed."""
        if self._wire is not None:
            self._wire.close()
            self._wire = None

    def verify(self) -> None:
        """Forget the connection unless the bus still answers on it."""
        if self._wire is None:
            return
        try:
            told = self._wire.call(Call(BUS, BUS_PATH, BUS, "GetId"), ONE_S)
        except NoBusError:
            told = Failed("gone")
        if isinstance(told, Failed):
            self.lost()

    def walk(self, one: Listed, *, deadline_s: float, most: int, hidden: bool, details: bool = True) -> Walk:
        """The window's elements; never raises for what the bus or the program does."""
        started = time.monotonic()
        try:
            return self._walk(one, started + deadline_s, most=most, hidden=hidden, details=details)
        except NoBusError:
            self.lost()
            return Walk((), "unavailable", "no-bus", elapsed_ms=round((time.monotonic() - started) * 1000))

    def _walk(self, one: Listed, deadline: float, *, most: int, hidden: bool, details: bool) -> Walk:
        started = time.monotonic()
        wire = self.wire()
        found = self.find(wire, one, deadline)
        if found.top is None or found.space is None:
            status: WalkStatus = "timeout" if found.reason == "app-timeout" else "unavailable"
            return Walk((), status, found.reason, elapsed_ms=round((time.monotonic() - started) * 1000))
        self._remember(found.space)
        walked = walk(
            wire,
            found.top.node.ref,
            found.space,
            deadline=deadline,
            most=most,
            hidden=hidden,
            details=details,
        )
        return replace(walked, elapsed_ms=round((time.monotonic() - started) * 1000))

    def element(self, handle: str, one: Listed | None) -> Element | None:
        """The live node; None when it, its window or its program's answers are gone."""
        ref, window = ref_of(handle)
        if ref.null or one is None:
            return None
        try:
            wire = self.wire()
            found = read_one(wire, ref, self._space(window, one), time.monotonic() + ONE_S)
        except NoBusError:
            self.lost()
            return None
        if isinstance(found, Failed) or "defunct" in found.states or found.role == "invalid":
            return None
        return found

    def focused(self, one: Listed) -> Element | None:
        """The deepest node that says it has the focus."""
        seen = self.walk(one, deadline_s=FOCUSED_S, most=FOCUSED_NODES, hidden=False, details=False)
        having = [element for element in seen.elements if element.focused and element.role not in {"frame", "window"}]
        if not having:
            return None
        return self.element(max(having, key=lambda element: element.depth).handle, one)

    def text(self, handle: str, one: Listed | None) -> str | None:
        """The whole text of a node that has one and hides none."""
        now = self.element(handle, one)
        if now is None or now.protected or now.value is None:
            return None
        ref, _ = ref_of(handle)
        count = value_of(self.ask(prop(ref.bus, ref.path, TEXT, "CharacterCount")))
        if not isinstance(count, int):
            return now.value
        if count <= 0:
            return ""
        told = value_of(self.ask(Call(ref.bus, ref.path, TEXT, "GetText", "ii", (0, min(count, MOST_TEXT)))))
        return told.replace("\ufffc", "") if isinstance(told, str) else None

    def focus(self, handle: str, one: Listed | None) -> bool:
        """Give a node the focus and wait until it says it has it, bounded."""
        ref, _ = ref_of(handle)
        self.ask(Call(ref.bus, ref.path, COMPONENT, "GrabFocus"))
        for _ in range(FOCUS_POLLS):
            now = self.element(handle, one)
            if now is None:
                return False
            if now.focused:
                return True
            time.sleep(POLL_S)
        return False

    def scroll_to(self, handle: str) -> bool:
        """Ask for a node to be scrolled into view."""
        ref, _ = ref_of(handle)
        anywhere = 6
        return bool(value_of(self.ask(Call(ref.bus, ref.path, COMPONENT, "ScrollTo", "u", (anywhere,))), False))

    def ask(self, call: Call, timeout_s: float = ONE_S) -> tuple[object, ...] | Failed:
        """One call about a node.

        Raises:
            EyesError: DESKTOP_SEMANTIC_UNAVAILABLE when the bus is gone.
        """
        try:
            return self.wire().call(call, timeout_s)
        except NoBusError as none:
            self.lost()
            raise EyesError(
                DESKTOP_SEMANTIC_UNAVAILABLE, f"Accessibility cannot be used: {none}.", details={"dispatched": "no"}
            ) from none

    def require(self, handle: str, one: Listed | None) -> tuple[Ref, Element]:
        """The live node.

        Raises:
            EyesError: DESKTOP_TARGET_CHANGED, DESKTOP_SEMANTIC_UNAVAILABLE.
        """
        reason = self.reason()
        if reason is not None:
            raise EyesError(DESKTOP_SEMANTIC_UNAVAILABLE, reason, details={"dispatched": "no"})
        now = self.element(handle, one)
        if now is None:
            raise EyesError(
                DESKTOP_TARGET_CHANGED,
                "The element is gone, or its program does not answer.",
                details={"dispatched": "no"},
            )
        return ref_of(handle)[0], now

    def close(self) -> None:
        """Let go of the bus."""
        self.lost()

    def _remember(self, space: Space) -> None:
        spaces = self._spaces if self._spaces is not None else {}
        if len(spaces) >= MOST_SPACES:
            spaces.clear()
        spaces[space.window] = space
        self._spaces = spaces

    def _space(self, window: str, one: Listed) -> Space:
        """How the window's extents were read in its walk, from where it lies now."""
        known = (self._spaces or {}).get(window)
        if known is None:
            known = self._learned(one)
        if known.coordinates == SCREEN_COORDINATES or not known.placed:
            return known
        return relative_space(one, derived=known.derived)

    def _learned(self, one: Listed) -> Space:
        """A window that this process has not walked yet."""
        found = self.find(self.wire(), one, time.monotonic() + ONE_S).space
        if found is None:
            return relative_space(one, derived=False)
        self._remember(found)
        return found
