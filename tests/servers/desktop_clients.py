"""What tests use to see and touch a display without the code under test: a second X client, and two D-Bus questions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Seen:
    """A window that the window manager lists.

    Attributes:
        box: left, top, width, height of its inside, in pixels of the root.
    """

    xid: int
    title: str
    pid: int | None
    box: tuple[int, int, int, int]


class Xclient:
    """One connection to a display; closed with it."""

    def __init__(self, display: str) -> None:
        from Xlib.display import Display

        self.display = Display(display)
        self.root = self.display.screen().root

    def close(self) -> None:
        self.display.close()

    def _property(self, window: Any, name: str) -> Any:
        from Xlib.X import AnyPropertyType

        found = window.get_full_property(self.display.intern_atom(name), AnyPropertyType)
        return None if found is None else found.value

    @property
    def managed(self) -> bool:
        """Whether a window manager has taken over."""
        return self._property(self.root, "_NET_SUPPORTING_WM_CHECK") is not None

    @property
    def active(self) -> int:
        found = self._property(self.root, "_NET_ACTIVE_WINDOW")
        return int(found[0]) if found is not None and len(found) else 0

    def windows(self) -> list[Seen]:
        """Managed windows, bottom to top; those that vanish while being asked about are left out."""
        from Xlib.error import XError

        found = []
        for xid in self._property(self.root, "_NET_CLIENT_LIST_STACKING") or ():
            try:
                found.append(self._seen(int(xid)))
            except XError:
                continue
        return found

    def _seen(self, xid: int) -> Seen:
        window = self.display.create_resource_object("window", xid)
        name = self._property(window, "_NET_WM_NAME")
        pid = self._property(window, "_NET_WM_PID")
        size, origin = window.get_geometry(), self.root.translate_coords(window, 0, 0)
        title = bytes(name).decode("utf-8", "replace") if name is not None else str(window.get_wm_name() or "")
        box = (origin.x, origin.y, size.width, size.height)
        return Seen(xid, title, int(pid[0]) if pid is not None else None, box)

    def raise_above(self, xid: int) -> None:
        """Ask the window manager to activate a window, as a taskbar does."""
        self._tell(xid, "_NET_ACTIVE_WINDOW", [2, 0, 0, 0, 0])

    def place(self, xid: int, x: int, y: int) -> None:
        """Move a window; its inside then starts at this point, which may lie off the screen."""
        flags = (1 << 8) | (1 << 9) | 10 | (2 << 12)  # x and y given, static gravity, from a pager
        self._tell(xid, "_NET_MOVERESIZE_WINDOW", [flags, x & 0xFFFFFFFF, y & 0xFFFFFFFF, 0, 0])

    def _tell(self, xid: int, name: str, data: list[int]) -> None:
        from Xlib.protocol.event import ClientMessage
        from Xlib.X import SubstructureNotifyMask, SubstructureRedirectMask

        window = self.display.create_resource_object("window", xid)
        message = ClientMessage(window=window, client_type=self.display.intern_atom(name), data=(32, data))
        self.root.send_event(message, event_mask=SubstructureRedirectMask | SubstructureNotifyMask)
        self.display.flush()

    def split(self, **monitors: tuple[int, int, int, int]) -> None:
        """Replace the monitors by these boxes (left, top, width, height), the first of them the primary one."""
        (output,) = self.root.xrandr_get_screen_resources().outputs
        for number, (name, (x, y, width, height)) in enumerate(monitors.items()):
            _set_monitor(number == 0)(
                display=self.display.display,
                opcode=self.display.display.get_extension_major("RANDR"),
                window=self.root,
                name=self.display.intern_atom(name),
                primary=number == 0,
                automatic=0,
                outputs=int(number == 0),
                **({"output": output} if number == 0 else {}),
                x=x,
                y=y,
                width=width,
                height=height,
                width_mm=width // 4,
                height_mm=height // 4,
            )
        self.display.sync()

    def move_pointer(self, x: int, y: int) -> None:
        """As a hand on the mouse would."""
        from Xlib.ext.xtest import fake_input
        from Xlib.X import MotionNotify

        fake_input(self.display, MotionNotify, x=x, y=y)
        self.display.sync()

    def press_button(self, button: int = 1) -> None:
        from Xlib.ext.xtest import fake_input
        from Xlib.X import ButtonPress, ButtonRelease

        fake_input(self.display, ButtonPress, button)
        fake_input(self.display, ButtonRelease, button)
        self.display.sync()

    def press_key(self, name: str) -> None:
        """A key by the name of its symbol."""
        from Xlib.ext.xtest import fake_input
        from Xlib.X import KeyPress, KeyRelease
        from Xlib.XK import string_to_keysym

        code = self.display.keysym_to_keycode(string_to_keysym(name))
        fake_input(self.display, KeyPress, code)
        fake_input(self.display, KeyRelease, code)
        self.display.sync()

    @contextmanager
    def keyboard_held(self) -> Iterator[None]:
        """The keyboard belongs to this client, as with a locked screen."""
        from Xlib.X import CurrentTime, GrabModeAsync

        status = self.root.grab_keyboard(True, GrabModeAsync, GrabModeAsync, CurrentTime)
        assert status == 0, status
        try:
            yield
        finally:
            self.display.ungrab_keyboard(CurrentTime)
            self.display.sync()

    def pointer(self) -> tuple[int, int]:
        found = self.root.query_pointer()
        return found.root_x, found.root_y

    def spare_keycodes(self) -> int:
        """Keycodes no symbol is bound to."""
        least, most = self.display.display.info.min_keycode, self.display.display.info.max_keycode
        return sum(not any(symbols) for symbols in self.display.get_keyboard_mapping(least, most - least + 1))


def _set_monitor(with_output: bool) -> Any:
    """RandR's request for a monitor, which python-xlib cannot pack; with the server's output, or without any."""
    from Xlib.protocol import rq

    class SetMonitor(rq.Request):  # type: ignore[misc]
        _request = rq.Struct(
            rq.Card8("opcode"), rq.Opcode(43), rq.RequestLength(), rq.Window("window"), rq.Card32("name"),
            rq.Bool("primary"), rq.Bool("automatic"), rq.Card16("outputs"), rq.Int16("x"), rq.Int16("y"),
            rq.Card16("width"), rq.Card16("height"), rq.Card32("width_mm"), rq.Card32("height_mm"),
            *([rq.Card32("output")] if with_output else []),
        )  # fmt: skip

    return SetMonitor


class Accessibility:
    """Questions to the accessibility bus of a session."""

    def __init__(self, address: str) -> None:
        from jeepney.io.blocking import open_dbus_connection

        with open_dbus_connection(bus=address) as session:
            (self.address,) = _ask(session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
        self.bus = open_dbus_connection(bus=self.address)

    def close(self) -> None:
        self.bus.close()

    @staticmethod
    def switch(address: str, *, on: bool) -> None:
        """Say on a session bus whether assistive programs are in use: Qt and Chromium build their trees only then."""
        from jeepney.io.blocking import open_dbus_connection

        words = ("org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties", "Set", "ssv")
        with open_dbus_connection(bus=address) as session:
            _ask(session, *words, ("org.a11y.Status", "IsEnabled", ("b", on)))

    def children(self, node: tuple[str, str] | None = None) -> list[tuple[str, str]]:
        """Applications, or the nodes right below a node; each is a bus name and an object path."""
        place = node or ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
        (found,) = _ask(self.bus, *place, "org.a11y.atspi.Accessible", "GetChildren")
        return [(str(name), str(path)) for name, path in found if path != "/org/a11y/atspi/null"]

    def count(self, node: tuple[str, str], at_most: int = 1_000) -> int:
        """Nodes from here down, counted until there are enough."""
        waiting, seen = [node], 0
        while waiting and seen < at_most:
            seen += 1
            waiting += self.children(waiting.pop())
        return seen

    def of(self, pid: int) -> tuple[str, str] | None:
        """The application of a process."""
        for node in self.children():
            words = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
            if _ask(self.bus, *words, "GetConnectionUnixProcessID", "s", (node[0],)) == (pid,):
                return node
        return None


def _ask(
    bus: Any, name: str, path: str, interface: str, member: str, signature: str = "", body: tuple[Any, ...] = ()
) -> Any:
    from jeepney import DBusAddress, MessageType, new_method_call

    address = DBusAddress(path, bus_name=name, interface=interface)
    reply = bus.send_and_get_reply(new_method_call(address, member, signature or None, body), timeout=20)
    assert reply.header.message_type is MessageType.method_return, reply.body
    return reply.body
