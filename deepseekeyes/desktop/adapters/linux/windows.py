"""The windows of an X server, front to back, menus and popups too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.connection import Connection
from deepseekeyes.desktop.adapters.linux.identities import Identities, Named
from deepseekeyes.desktop.ports import Hit, Window, WindowKind

KINDS: tuple[tuple[str, WindowKind], ...] = (
    ("_NET_WM_WINDOW_TYPE_POPUP_MENU", "menu"),
    ("_NET_WM_WINDOW_TYPE_DROPDOWN_MENU", "menu"),
    ("_NET_WM_WINDOW_TYPE_MENU", "menu"),
    ("_NET_WM_WINDOW_TYPE_COMBO", "popup"),
    ("_NET_WM_WINDOW_TYPE_TOOLTIP", "tooltip"),
    ("_NET_WM_WINDOW_TYPE_NOTIFICATION", "notification"),
    ("_NET_WM_WINDOW_TYPE_DOCK", "dock"),
    ("_NET_WM_WINDOW_TYPE_DESKTOP", "desktop"),
    ("_NET_WM_WINDOW_TYPE_DIALOG", "dialog"),
    ("_NET_WM_WINDOW_TYPE_UTILITY", "utility"),
    ("_NET_WM_WINDOW_TYPE_TOOLBAR", "utility"),
    ("_NET_WM_WINDOW_TYPE_SPLASH", "utility"),
)
SMALLEST = 2
TITLE_LENGTH = 500


@dataclass(frozen=True, slots=True)
class Listed:
    """A window with what the adapter needs to act on it.

    Attributes:
        xid: of the program's own window.
        top: of the child of the root it hangs under: a manager's frame, or itself.
        frame: left, right, top, bottom that the manager adds.
        shadow: left, right, top, bottom of the program's own invisible margin.
    """

    window: Window
    xid: int
    top: int
    override: bool
    frame: tuple[int, int, int, int]
    shadow: tuple[int, int, int, int]


class Windows:
    """Lists windows; one per connection."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.identities = Identities(connection)

    @property
    def managed(self) -> bool:
        """Whether a window manager is there, by its own check window."""
        from Xlib.error import XError

        check = self.connection.numbers(self.connection.root, "_NET_SUPPORTING_WM_CHECK")
        if not check:
            return False
        try:
            return self.connection.numbers(self.connection.window(check[0]), "_NET_SUPPORTING_WM_CHECK") == check
        except XError:
            return False

    def listed(self) -> tuple[Listed, ...]:
        """Every window there is to see, front to back, and the minimised ones behind them."""
        order = self._stacking()
        managed = self._managed_numbers()
        active = self.active_number()
        found: list[Listed] = []
        seen: set[int] = set()
        for top in reversed(order):
            for xid in self._of_top(top, managed):
                seen.add(xid)
                self._add(found, xid, top, active)
        for xid in managed:
            if xid not in seen:
                self._add(found, xid, xid, active)
        return self._owners_named(found)

    def find(self, identity: str) -> Listed | None:
        """That very window; None when it has gone."""
        xid = self.identities.number(identity)
        if xid is None:
            return next((one for one in self.listed() if one.window.identity == identity), None)
        return next((one for one in self.listed() if one.xid == xid), None)

    def active_number(self) -> int | None:
        """The window the manager calls active; without a manager the one the input focus lies in."""
        told = self.connection.numbers(self.connection.root, "_NET_ACTIVE_WINDOW")
        if told and told[0]:
            return told[0]
        if self.managed:
            return None
        return self.focus_top()

    def focus_top(self) -> int | None:
        """The child of the root that holds the input focus."""
        focus = self.connection.display.get_input_focus().focus
        if not hasattr(focus, "id"):
            return None
        chain = self.chain(int(focus.id))
        return chain[-1] if chain else None

    def focus_chain(self) -> tuple[int, ...]:
        """The window with the input focus and its ancestors below the root."""
        focus = self.connection.display.get_input_focus().focus
        return self.chain(int(focus.id)) if hasattr(focus, "id") else ()

    def chain(self, xid: int) -> tuple[int, ...]:
        """A window and its ancestors, the child of the root last."""
        from Xlib.error import XError

        root = int(self.connection.root.id)
        found: list[int] = []
        step = xid
        while step and step != root and len(found) < 64:
            found.append(step)
            try:
                above = self.connection.window(step).query_tree().parent
            except XError:
                return ()
            step = int(above.id) if hasattr(above, "id") else 0
        return tuple(found)

    def top_at(self, x: float, y: float, listed: Sequence[Listed]) -> Hit:
        """What a click at a point would reach, by the server's own answer."""
        root = self.connection.root
        answer = root.translate_coords(root, int(x), int(y))
        child = answer.child
        number = int(child.id) if hasattr(child, "id") else int(child or 0)
        if not number:
            return Hit(None, "the desktop")
        one = next((entry for entry in listed if number in {entry.top, entry.xid}), None)
        if one is None:
            return Hit(None, f"a window without a title ({number:#x})")
        return Hit(one.window, f'"{one.window.title or one.window.app}"')

    def _stacking(self) -> list[int]:
        """The children of the root, bottom to top."""
        return [int(child.id) for child in self.connection.root.query_tree().children]

    def _managed_numbers(self) -> tuple[int, ...]:
        for name in ("_NET_CLIENT_LIST_STACKING", "_NET_CLIENT_LIST"):
            told = self.connection.numbers(self.connection.root, name)
            if told:
                return told
        return ()

    def _of_top(self, top: int, managed: tuple[int, ...]) -> list[int]:
        """The program's window under a child of the root: itself, or the one its frame holds."""
        from Xlib import X
        from Xlib.error import XError

        if top in managed:
            return [top]
        window = self.connection.window(top)
        try:
            attributes = window.get_attributes()
            if attributes.map_state != X.IsViewable or attributes.win_class != X.InputOutput:
                return []
            if managed and not attributes.override_redirect:
                return self._inside(window, managed, 2)
            held = self._inside(window, managed, 2) if managed else []
            return held or [top]
        except XError:
            return []

    def _inside(self, window: Any, managed: tuple[int, ...], depth: int) -> list[int]:
        children = window.query_tree().children
        found = [int(child.id) for child in children if int(child.id) in managed]
        if found or not depth:
            return found
        return [xid for child in children for xid in self._inside(child, managed, depth - 1)]

    def _add(self, found: list[Listed], xid: int, top: int, active: int | None) -> None:
        """Append a window, unless it went away meanwhile or is too small to be one."""
        from Xlib.error import XError

        try:
            one = self._read(xid, top, active, len(found))
        except XError:
            return
        if one is not None:
            found.append(one)

    def _read(self, xid: int, top: int, active: int | None, z: int) -> Listed | None:
        from Xlib import X

        connection = self.connection
        window = connection.window(xid)
        client = self._client(window)
        if client.width < SMALLEST or client.height < SMALLEST:
            return None
        named = self.identities.name(xid)
        states = connection.words(window, "_NET_WM_STATE")
        attributes = window.get_attributes()
        viewable, override = attributes.map_state == X.IsViewable, bool(attributes.override_redirect)
        frame = self._frame(window, xid, top, client)
        shadow = _four(connection.numbers(window, "_GTK_FRAME_EXTENTS"))
        kind = self._kind(window, override=override)
        owner = next(iter(connection.numbers(window, "WM_TRANSIENT_FOR")), 0)
        read = Window(
            identity=named.identity,
            title=self._title(window, named),
            app=named.app,
            pid=named.pid,
            bounds=_shrunk(_grown(client, frame), shadow),
            client=client,
            z=z,
            active=xid == active or (active == top and top != xid),
            minimised="_NET_WM_STATE_HIDDEN" in states or self._iconic(window),
            viewable=viewable,
            modal="_NET_WM_STATE_MODAL" in states,
            dialog=kind == "dialog" or (bool(owner) and kind in {"normal", "utility"}),
            transient_for=f"{owner}" if owner else None,
            kind=kind,
            weak=named.weak,
        )
        return Listed(read, xid, top, override, frame, shadow)

    def _client(self, window: Any) -> Box:
        shape = window.get_geometry()
        at = self.connection.root.translate_coords(window, 0, 0)
        return Box(int(at.x), int(at.y), int(shape.width), int(shape.height))

    def _frame(self, window: Any, xid: int, top: int, client: Box) -> tuple[int, int, int, int]:
        """What the manager says it adds, or what its frame shows it does."""
        told = self.connection.numbers(window, "_NET_FRAME_EXTENTS")
        if len(told) == 4 or top == xid:
            return _four(told)
        outer = self.connection.window(top).get_geometry()
        border = int(outer.border_width)
        left, above = int(client.x - outer.x - border), int(client.y - outer.y - border)
        right, below = int(outer.width - left - client.width), int(outer.height - above - client.height)
        return max(left, 0) + border, max(right, 0) + border, max(above, 0) + border, max(below, 0) + border

    def _kind(self, window: Any, *, override: bool) -> WindowKind:
        types = self.connection.words(window, "_NET_WM_WINDOW_TYPE")
        for name, kind in KINDS:
            if name in types:
                return kind
        return "popup" if override else "normal"

    def _iconic(self, window: Any) -> bool:
        return self.connection.numbers(window, "WM_STATE")[:1] == (3,)

    def _title(self, window: Any, named: Named) -> str:
        connection = self.connection
        told = connection.text(window, "_NET_WM_NAME") or connection.text(window, "WM_NAME") or named.app
        return " ".join(told.split())[:TITLE_LENGTH]

    def _owners_named(self, found: list[Listed]) -> tuple[Listed, ...]:
        """Owners by identity in place of their numbers; a root or unlisted owner is none."""
        from dataclasses import replace

        names = {str(one.xid): one.window.identity for one in found}
        return tuple(
            replace(one, window=replace(one.window, transient_for=names.get(one.window.transient_for or "")))
            for one in found
        )


def _four(values: Sequence[int]) -> tuple[int, int, int, int]:
    return (values[0], values[1], values[2], values[3]) if len(values) == 4 else (0, 0, 0, 0)


def _grown(box: Box, sides: tuple[int, int, int, int]) -> Box:
    left, right, top, bottom = sides
    return Box(box.x - left, box.y - top, box.width + left + right, box.height + top + bottom)


def _shrunk(box: Box, sides: tuple[int, int, int, int]) -> Box:
    left, right, top, bottom = sides
    return Box(box.x + left, box.y + top, box.width - left - right, box.height - top - bottom)
