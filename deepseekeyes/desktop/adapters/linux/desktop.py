"""The X11 desktop as a backend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.accessibility import Accessibility
from deepseekeyes.desktop.adapters.linux.acting import Acting
from deepseekeyes.desktop.adapters.linux.atspi_nodes import ref_of
from deepseekeyes.desktop.adapters.linux.attention import Attention
from deepseekeyes.desktop.adapters.linux.barrier import Barrier
from deepseekeyes.desktop.adapters.linux.capture import Capture
from deepseekeyes.desktop.adapters.linux.chords import parse_chord
from deepseekeyes.desktop.adapters.linux.connection import Connection
from deepseekeyes.desktop.adapters.linux.focus import Focusing
from deepseekeyes.desktop.adapters.linux.grabs import Grabs
from deepseekeyes.desktop.adapters.linux.keyboard import Keyboard
from deepseekeyes.desktop.adapters.linux.keymap import Keymap
from deepseekeyes.desktop.adapters.linux.launching import Launching
from deepseekeyes.desktop.adapters.linux.monitors import monitors
from deepseekeyes.desktop.adapters.linux.pointer import Pointer
from deepseekeyes.desktop.adapters.linux.treed import TreeDesktop
from deepseekeyes.desktop.adapters.linux.window_manager import Manager
from deepseekeyes.desktop.adapters.linux.windows import Listed, Windows
from deepseekeyes.desktop.codes import DESKTOP_NATIVE_ACTION_FAILED
from deepseekeyes.desktop.ports import (
    Button,
    Capabilities,
    Environment,
    Focus,
    Grab,
    Hit,
    Launched,
    Monitor,
    Opening,
    Typed,
    Window,
)

CLOSE_S = 3.0
READY_S = 5.0


class X11Desktop(TreeDesktop):
    """A display of X11; see `Backend` for every method."""

    def __init__(self, connection: Connection, opening: Opening) -> None:
        self.connection = connection
        self._variables: Mapping[str, str] = opening.environment
        self._windows = Windows(connection)
        self._focusing = Focusing(connection, self._windows, Manager(connection))
        self._attention = Attention(connection)
        self._grabs = Grabs(connection, self._windows)
        self._capture = Capture(connection, opening.environment)
        self._accessibility = Accessibility(opening.environment, self._bus_address, opening.semantic)
        self._acting = Acting(self._accessibility)
        note = opening.state_dir / f"{_lock_key(connection.name)}-keymap.json" if opening.state_dir else None
        self._keymap = Keymap(connection, note)
        self._barrier = Barrier(connection)
        self._keyboard = Keyboard(connection, self._keymap, self._focusing, self._attention, self._barrier, self._grabs)
        self._pointer = Pointer(connection, self._attention, self._grabs, self._keymap, self._variables)
        self._launching = Launching(self._windows, {"DISPLAY": connection.name})
        with connection.guard():
            self._keymap.repair()
            self._environment = self._described()

    @property
    def environment(self) -> Environment:
        """Where we are and what works here."""
        return self._environment

    def monitors(self) -> tuple[Monitor, ...]:
        with self.connection.guard():
            return monitors(self.connection, self._variables)

    def windows(self) -> tuple[Window, ...]:
        with self.connection.guard():
            self._launching.reap()
            return tuple(one.window for one in self._windows.listed())

    def active(self) -> str | None:
        with self.connection.guard():
            return next((one.window.identity for one in self._windows.listed() if one.window.active), None)

    def top_at(self, x: float, y: float) -> Hit:
        with self.connection.guard():
            return self._windows.top_at(x, y, self._windows.listed())

    def capture(self, target: str | Box | None = None) -> Grab:
        with self.connection.guard():
            if not isinstance(target, str):
                return self._capture.screen(target)
            one = self._focusing.require(target)
            return self._capture.window(one, self._windows.listed())

    def pointer(self) -> tuple[int, int]:
        with self.connection.guard():
            return self._attention.place()

    def idle(self) -> float | None:
        with self.connection.guard():
            return self._attention.idle_s()

    def focus_window(self, window: str) -> Focus:
        with self.connection.guard():
            return self._focusing.focus(window)

    def move_window(self, window: str, x: float, y: float) -> Window:
        with self.connection.guard():
            return self._focusing.move(window, x, y).window

    def resize_window(self, window: str, width: float, height: float) -> Window:
        with self.connection.guard():
            return self._focusing.resize(window, width, height).window

    def close_window(self, window: str) -> bool:
        with self.connection.guard():
            return self._focusing.close(window, min(CLOSE_S, self.connection.timeout_s / 2))

    def launch(self, argv: Sequence[str], environment: Mapping[str, str], *, wait_s: float) -> Launched:
        with self.connection.guard(wait_s + self.connection.timeout_s):
            return self._launching.launch(argv, environment, wait_s)

    def grabbed(self) -> str | None:
        with self.connection.guard():
            if self._grabs.keyboard():
                return "keyboard"
            return "pointer" if self._grabs.pointer() else None

    def watch(self) -> None:
        with self.connection.guard():
            self._attention.watch()

    def disturbed(self) -> str | None:
        with self.connection.guard():
            return self._attention.disturbed()

    def held(self) -> tuple[str, ...]:
        with self.connection.guard():
            return self._grabs.held(self._keymap)

    def move(self, x: float, y: float) -> None:
        with self._input():
            self._pointer.move(x, y)

    def click(self, x: float, y: float, *, button: Button = "left", count: int = 1) -> None:
        with self._input():
            self._pointer.click(x, y, button, count)

    def drag(self, start: tuple[float, float], end: tuple[float, float], *, duration_s: float) -> None:
        with self._input(duration_s):
            self._pointer.drag(start, end, duration_s)

    def scroll(self, x: float, y: float, *, dx: int, dy: int) -> None:
        with self._input():
            self._pointer.scroll(x, y, dx, dy)

    def check_chord(self, chord: str) -> tuple[str, ...]:
        return parse_chord(chord).names

    def press(self, chord: str, *, window: str | None) -> None:
        parsed = parse_chord(chord)
        with self._input():
            self._keyboard.press(parsed, window)

    def type_text(self, text: str, *, window: str | None) -> Typed:
        with self._input(len(text) / 100):
            return self._keyboard.type_text(text, window)

    def ready(self) -> bool:
        """Look at everything anew before another use; False when the display has gone and this must be closed."""
        try:
            with self.connection.guard(min(READY_S, self.connection.timeout_s)):
                self.connection.sync()
                self._keymap.repair()
                self._attention.forget()
                self._barrier.forget()
                self._accessibility.verify()
                self._environment = self._described()
        except EyesError:
            return False
        return True

    def close(self) -> None:
        """Let go of the display, undoing what was borrowed; never raises."""
        try:
            with self.connection.guard():
                self._keymap.give_back()
        except EyesError:
            pass
        self._capture.close()
        self._accessibility.close()
        self.connection.close()

    def _input(self, more_s: float = 0.0) -> Any:
        """The guard of a call that sends input.

        Raises:
            EyesError: DESKTOP_NATIVE_ACTION_FAILED on a display that takes none.
        """
        if not self.connection.has("xtest"):
            raise EyesError(
                DESKTOP_NATIVE_ACTION_FAILED,
                "This display takes no synthetic input: it lacks the XTEST extension.",
                details={"dispatched": "no"},
            )
        return self.connection.guard(self.connection.timeout_s + more_s)

    def _require(self, window: str) -> Listed:
        with self.connection.guard():
            return self._focusing.require(window)

    def _window_of(self, handle: str) -> Listed | None:
        with self.connection.guard():
            return self._windows.find(ref_of(handle)[1])

    def _bus_address(self) -> str | None:
        with self.connection.guard():
            return self.connection.text(self.connection.root, "AT_SPI_BUS")

    def _described(self) -> Environment:
        connection = self.connection
        managed = self._windows.managed
        reason = self._accessibility.reason()
        missing = {"composite": "Covered windows", "xtest": "Input", "xinput": "Input of other people"}
        notes = [
            f"{what} cannot be handled: an extension is missing."
            for name, what in missing.items()
            if not connection.has(name)
        ]
        if not managed:
            notes.append("There is no window manager; windows have no frames and the input focus is set directly.")
        if self._variables.get("WAYLAND_DISPLAY"):
            notes.append("This is a Wayland session: only windows of XWayland programs can be seen and used.")
        return Environment(
            system="linux",
            backend="x11",
            display=connection.name,
            lock_key=_lock_key(connection.name),
            capabilities=Capabilities(
                capture=True,
                window_capture=connection.has("composite"),
                pointer=connection.has("xtest"),
                keyboard=connection.has("xtest"),
                window_manager=managed,
                semantic=reason is None,
                semantic_reason=reason,
                human_input=connection.has("xinput") or connection.has("screensaver"),
            ),
            versions=dict(connection.extensions),
            notes=tuple(notes),
        )


def _lock_key(display: str) -> str:
    """`:1`, `:1.0` and `unix:1` are one display."""
    host, _, number = display.rpartition(":")
    host = "" if host in {"", "unix", "localhost"} else host
    cleaned = "".join(character if character.isalnum() else "-" for character in host)[:64]
    return f"x11-{cleaned}-{number.partition('.')[0]}" if cleaned else f"x11-{number.partition('.')[0]}"
