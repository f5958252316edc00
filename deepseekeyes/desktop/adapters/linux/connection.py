"""A connection to an X server: extensions, atoms, properties, and a deadline for every call."""

from __future__ import annotations

import socket
import struct
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.codes import (
    DESKTOP_DISPLAY_LOST,
    DESKTOP_DISPLAY_MISSING,
    DESKTOP_EXTRA_MISSING,
    DESKTOP_NATIVE_ACTION_FAILED,
    DESKTOP_PERMISSION_MISSING,
    DESKTOP_TIMEOUT,
    DESKTOP_WAYLAND_ONLY,
)

EXTENSIONS = {
    "Composite": "composite",
    "DAMAGE": "damage",
    "RANDR": "randr",
    "XTEST": "xtest",
    "XInputExtension": "xinput",
    "X-Resource": "res",
    "MIT-SCREEN-SAVER": "screensaver",
}
"""Name on the server, module of python-xlib."""
VERSION_QUERIES = {"randr": "xrandr_query_version"}
PROPERTY_WORDS = 65_536
MOST_EVENTS = 4_096
LISTENING_S = 2.0
HELLO = struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0)
"""The start of every X11 connection, without a key: a server that lives answers it, if only with a refusal."""

_CONNECTING = threading.Lock()


@dataclass(slots=True)
class Connection:
    """One X server.

    Attributes:
        display: the `Xlib.display.Display`.
        name: as the environment gave it.
        extensions: names of `EXTENSIONS` values that the server has, with their versions.
        timeout_s: deadline of one guarded call.
    """

    display: Any
    name: str
    extensions: Mapping[str, str]
    timeout_s: float
    root: Any = field(init=False)
    _atoms: dict[str, int] = field(default_factory=dict)
    _names: dict[int, str] = field(default_factory=dict)
    _inbox: dict[int, deque[Any]] = field(default_factory=dict)
    _expired: bool = False
    _depth: int = 0

    def __post_init__(self) -> None:
        self.root = self.display.screen().root

    @contextmanager
    def guard(self, limit_s: float | None = None) -> Iterator[None]:
        """Bound a call in time, and turn what the server says into our failures.

        A server that does not answer loses its connection when the time is over, for nothing less ends the wait.

        Raises:
            EyesError: DESKTOP_TIMEOUT, DESKTOP_DISPLAY_LOST, DESKTOP_NATIVE_ACTION_FAILED; dispatched is left open.
        """
        if self._depth:
            yield
            return
        from Xlib.error import ConnectionClosedError, XError

        timer = threading.Timer(self.timeout_s if limit_s is None else limit_s, self._expire)
        timer.daemon = True
        timer.start()
        self._depth += 1
        try:
            yield
        except ConnectionClosedError as closed:
            if self._expired:
                raise EyesError(DESKTOP_TIMEOUT, f"The display {self.name} did not answer in time.") from closed
            raise EyesError(DESKTOP_DISPLAY_LOST, f"The display {self.name} has gone away.") from closed
        except XError as failed:
            what = type(failed).__name__
            raise EyesError(DESKTOP_NATIVE_ACTION_FAILED, f"The display refused a request ({what}).") from failed
        finally:
            self._depth -= 1
            timer.cancel()

    def _expire(self) -> None:
        self._expired = True
        try:
            self.display.display.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def atom(self, name: str) -> int:
        """The number of an atom."""
        if name not in self._atoms:
            self._atoms[name] = int(self.display.intern_atom(name))
        return self._atoms[name]

    def atom_name(self, number: int) -> str:
        """The name of an atom; empty for a number that is none, which any program may write anywhere."""
        from Xlib.error import XError

        if number not in self._names:
            try:
                self._names[number] = str(self.display.get_atom_name(number))
            except XError:
                return ""
        return self._names[number]

    def window(self, xid: int) -> Any:
        """The window object of a number; nothing is asked of the server."""
        return self.display.create_resource_object("window", xid)

    def numbers(self, window: Any, name: str) -> tuple[int, ...]:
        """A property of 32-bit values; empty when it is not set."""
        found = window.get_full_property(self.atom(name), 0, PROPERTY_WORDS)
        if found is None or found.format != 32:
            return ()
        return tuple(int(value) for value in found.value)

    def words(self, window: Any, name: str) -> frozenset[str]:
        """A property of atoms, by name."""
        return frozenset(self.atom_name(value) for value in self.numbers(window, name) if value)

    def text(self, window: Any, name: str) -> str | None:
        """A text property; UTF-8 where it says so, else Latin-1."""
        found = window.get_full_property(self.atom(name), 0, PROPERTY_WORDS)
        if found is None or found.format != 8:
            return None
        raw = found.value if isinstance(found.value, bytes) else str(found.value).encode()
        utf8 = found.property_type == self.atom("UTF8_STRING")
        return raw.decode("utf-8" if utf8 else "latin-1", "replace").rstrip("\0")

    def take(self, *kinds: int) -> list[Any]:
        """The events of these kinds that have come so far, oldest first; others stay for who asks for them."""
        for _ in range(self.display.pending_events()):
            event = self.display.next_event()
            self._inbox.setdefault(int(event.type), deque(maxlen=MOST_EVENTS)).append(event)
        found = [event for kind in kinds for event in self._inbox.get(kind, ())]
        for kind in kinds:
            self._inbox.pop(kind, None)
        return found

    def area(self) -> Box:
        """The virtual desktop; its size is asked anew, for monitors come and go."""
        seen = self.root.get_geometry()
        return Box(0, 0, int(seen.width), int(seen.height))

    def has(self, *extensions: str) -> bool:
        """Whether the server has all of these."""
        return all(name in self.extensions for name in extensions)

    def sync(self) -> None:
        """Wait until the server has carried out what was sent."""
        self.display.sync()

    def close(self) -> None:
        """Let go; never raises."""
        try:
            self.display.close()
        except Exception:  # noqa: BLE001 a lost connection may say so in many ways
            return


def connect(environment: Mapping[str, str], timeout_s: float) -> Connection:
    """Connect to the display the environment names.

    Raises:
        EyesError: DESKTOP_EXTRA_MISSING, DESKTOP_DISPLAY_MISSING, DESKTOP_WAYLAND_ONLY, DESKTOP_PERMISSION_MISSING.
    """
    name = environment.get("DISPLAY", "").strip()
    if not name:
        _refuse_missing(environment)
    try:
        from Xlib import error
        from Xlib.display import Display
    except ImportError as missing:
        raise EyesError(DESKTOP_EXTRA_MISSING, "The package python-xlib is not installed.") from missing
    _require_listening(name, timeout_s)
    try:
        display = _with_tables_of_its_own(Display, name)
    except (error.DisplayConnectionError, error.XauthError, error.XNoAuthError) as refused:
        raise _refused(name, str(refused)) from refused
    except (error.DisplayError, ValueError, OSError) as wrong:
        raise EyesError(DESKTOP_DISPLAY_MISSING, f"The display {name[:80]} cannot be reached.") from wrong
    display.set_error_handler(lambda *_: None)
    _mend_errors(display)
    return Connection(display, name, _extensions(display), timeout_s)


def _refuse_missing(environment: Mapping[str, str]) -> None:
    if environment.get("WAYLAND_DISPLAY") or environment.get("XDG_SESSION_TYPE") == "wayland":
        raise EyesError(
            DESKTOP_WAYLAND_ONLY,
            "This is a Wayland session without X11; other programs' windows cannot be seen or used there.",
        )
    raise EyesError(DESKTOP_DISPLAY_MISSING, "No display is named: DISPLAY is not set.")


def _require_listening(name: str, timeout_s: float) -> None:
    """Refuse a local display that nobody serves, or that does not answer; python-xlib would wait for ever.

    Raises:
        EyesError: DESKTOP_DISPLAY_MISSING, DESKTOP_TIMEOUT.
    """
    from Xlib.error import DisplayNameError
    from Xlib.support.connect import get_display

    try:
        _, protocol, host, number, _ = get_display(name)
    except (DisplayNameError, ValueError) as wrong:
        raise EyesError(DESKTOP_DISPLAY_MISSING, f"{name[:80]!r} is not the name of a display.") from wrong
    if host not in {None, "", "unix"} or protocol not in {None, "", "unix"}:
        return
    path = f"/tmp/.X11-unix/X{number}"  # noqa: S108 where X servers listen
    for place in (path, "\0" + path):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trial:
            trial.settimeout(LISTENING_S)
            try:
                trial.connect(place)
            except OSError:
                continue
            _require_answer(trial, name, timeout_s)
            return
    raise EyesError(DESKTOP_DISPLAY_MISSING, f"The display {name[:80]} cannot be reached.")


def _require_answer(trial: socket.socket, name: str, timeout_s: float) -> None:
    """Refuse a server that lets clients in and then says nothing.

    Raises:
        EyesError: DESKTOP_TIMEOUT.
    """
    trial.settimeout(timeout_s)
    try:
        trial.sendall(HELLO)
        trial.recv(1)
    except TimeoutError as silent:
        raise EyesError(
            DESKTOP_TIMEOUT, f"The display {name[:80]} did not answer in time.", details={"dispatched": "no"}
        ) from silent
    except OSError:
        return


def _refused(name: str, said: str) -> EyesError:
    lowered = said.lower()
    if any(word in lowered for word in ("authoriz", "authentic", "no protocol", "xauth")):
        return EyesError(
            DESKTOP_PERMISSION_MISSING,
            f"The display {name[:80]} does not let this user in.",
            fix="Run it as the user of the session, or point XAUTHORITY at that user's file.",
        )
    return EyesError(DESKTOP_DISPLAY_MISSING, f"The display {name[:80]} cannot be reached.")


def _with_tables_of_its_own(make: Any, name: str) -> Any:
    """Connect with tables of events and errors that belong to this connection.

    python-xlib 0.33 keeps them in its class, so that the numbers of one server's extensions would be read as another's:
    a process that lives on while its server is replaced could not connect any more.
    """
    from Xlib import error
    from Xlib.protocol import display as protocol
    from Xlib.protocol import event

    with _CONNECTING:
        shared = protocol.Display
        shared.event_classes, shared.error_classes = event.event_class.copy(), error.xerror_class.copy()
        made = make(name)
        made.display.event_classes, made.display.error_classes = shared.event_classes, shared.error_classes
        return made


def _mend_errors(display: Any) -> None:
    """python-xlib 0.33 registers RandR's errors under the numbers of core ones, as classes that cannot be read."""
    from Xlib import error

    display.display.error_classes.update(error.xerror_class)


def _extensions(display: Any) -> dict[str, str]:
    """Which of our extensions there are, with versions where asking for one is also what turns it on."""
    found: dict[str, str] = {}
    for server_name, module in EXTENSIONS.items():
        if display.has_extension(server_name):
            import_module(f"Xlib.ext.{module}")
            version = _version(display, module)
            if version is not None:
                found[module] = version
    return found


def _hearing_through_grabs(display: Any) -> Any:
    """Ask for version 2.2 of XInput; python-xlib asks for 2.0, which tells nothing while a button or a menu is held."""
    from Xlib.ext.xinput import XIQueryVersion, extname

    major = display.display.get_extension_major(extname)
    return XIQueryVersion(display=display.display, opcode=major, major_version=2, minor_version=2)


def _version(display: Any, module: str) -> str | None:
    """The version of an extension; None when it does not answer, and we do without."""
    from Xlib.error import XError

    try:
        if module == "xtest":
            told = display.xtest_get_version(2, 2)
        elif module == "xinput":
            told = _hearing_through_grabs(display)
        else:
            told = getattr(display, VERSION_QUERIES.get(module, f"{module}_query_version"))()
    except XError:
        return None
    data = told._data  # noqa: SLF001 the fields have three spellings
    major = next(value for name, value in data.items() if "major" in name)
    minor = next(value for name, value in data.items() if "minor" in name)
    return f"{major}.{minor}"
