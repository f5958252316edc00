"""A Wayland session as a backend: what it lets an ordinary program do, and a clear code for the rest."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import NoReturn

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.accessibility import Accessibility
from deepseekeyes.desktop.adapters.linux.acting import Acting
from deepseekeyes.desktop.adapters.linux.atspi_nodes import handle_of, ref_of
from deepseekeyes.desktop.adapters.linux.chords import parse_chord
from deepseekeyes.desktop.adapters.linux.launching import Launching
from deepseekeyes.desktop.adapters.linux.treed import TreeDesktop
from deepseekeyes.desktop.adapters.linux.windows import Listed
from deepseekeyes.desktop.adapters.wayland.compositor import Compositor, look
from deepseekeyes.desktop.adapters.wayland.keys import Keyboard
from deepseekeyes.desktop.adapters.wayland.portal import Portal
from deepseekeyes.desktop.adapters.wayland.remote import RemoteDesktop
from deepseekeyes.desktop.adapters.wayland.screenshot import Screenshot
from deepseekeyes.desktop.adapters.wayland.windows import Windows, found_in, top_of
from deepseekeyes.desktop.codes import DESKTOP_POINT_UNKNOWN, DESKTOP_UNSUPPORTED_HERE
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

BUTTONS: Mapping[Button, int] = {"left": 0x110, "right": 0x111, "middle": 0x112}
DRAG_STEP_S = 0.02
CLOSE = "window.close"
CLOSE_S, POLL_S = 3.0, 0.05
PLACE = ("WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_SESSION_TYPE")
LIMITS = (
    "This is a Wayland session: windows are those whose programs have an accessibility tree, and nobody tells where "
    "they lie; pixels are of the whole screen only."
)


class WaylandDesktop(TreeDesktop):
    """A Wayland session; see `Backend` for every method."""

    def __init__(self, compositor: Compositor, opening: Opening) -> None:
        self._compositor = compositor
        self._variables = opening.environment
        self._timeout_s = opening.timeout_s
        self._accessibility = Accessibility(opening.environment, lambda: None, opening.semantic, find=found_in)
        self._acting = Acting(self._accessibility)
        self._windows = Windows(self._accessibility, compositor.name)
        self._portal = Portal(opening.environment, opening.timeout_s)
        self._screenshot = Screenshot(self._portal)
        note = opening.state_dir / f"{_lock_key(compositor.name)}-leave.json" if opening.state_dir else None
        self._remote = RemoteDesktop(self._portal, note)
        self._keyboard = Keyboard(self._remote, self._windows)
        place = {name: value for name in PLACE if (value := opening.environment.get(name))}
        self._launching = Launching(self._windows, place)
        self._environment: Environment | None = None

    @property
    def environment(self) -> Environment:
        """Where we are and what works here; the portals are asked once, when this is first read."""
        if self._environment is None:
            self._environment = self._described()
        return self._environment

    def monitors(self) -> tuple[Monitor, ...]:
        self._compositor = look(self._variables, self._timeout_s)
        return self._compositor.monitors

    def windows(self) -> tuple[Window, ...]:
        self._launching.reap()
        return tuple(one.window for one in self._windows.listed())

    def active(self) -> str | None:
        found = self._windows.active()
        return found.window.identity if found is not None else None

    def top_at(self, x: float, y: float) -> Hit:
        raise EyesError(
            DESKTOP_POINT_UNKNOWN,
            f"Wayland does not tell what lies at ({x:g}, {y:g}).",
            details={"dispatched": "no"},
        )

    def capture(self, target: str | Box | None = None) -> Grab:
        if isinstance(target, str):
            self._windows.require(target)
            _refuse(
                "Wayland gives no pixels of single windows.", "Take the whole screen: deepseekeyes desktop screenshot"
            )
        self.monitors()
        return self._screenshot.take(self._compositor.layout, target)

    def pointer(self) -> tuple[int, int] | None:
        return None

    def idle(self) -> float | None:
        return None

    def focus_window(self, window: str) -> Focus:
        """A window that is in front already; Wayland lets nobody bring another one there."""
        self._windows.require_foreground(window)
        return Focus(window, "window")

    def move_window(self, window: str, x: float, y: float) -> Window:  # noqa: ARG002 - the port's shape
        _refuse("Wayland lets no program move windows.", "Move it by hand, or use an X11 session.")

    def resize_window(self, window: str, width: float, height: float) -> Window:  # noqa: ARG002 - the port's shape
        _refuse("Wayland lets no program resize windows of others.", "Resize it by hand, or use an X11 session.")

    def close_window(self, window: str) -> bool:
        """By the action that GTK 4 windows offer for it; there is no other way."""
        one = self._windows.require(window)
        handle = handle_of(top_of(window), window)
        found = self._accessibility.element(handle, one)
        if found is None or CLOSE not in found.actions:
            _refuse(
                "Wayland lets no program close windows of others.",
                "Use the window's own way: deepseekeyes desktop invoke --role push_button --name Close",
            )
        self._acting.do(handle, one, CLOSE)
        end = time.monotonic() + min(CLOSE_S, self._timeout_s / 2)
        while self._windows.find(window) is not None:
            if time.monotonic() >= end:
                return False
            time.sleep(POLL_S)
        return True

    def launch(self, argv: Sequence[str], environment: Mapping[str, str], *, wait_s: float) -> Launched:
        return self._launching.launch(argv, environment, wait_s)

    def grabbed(self) -> str | None:
        return None

    def watch(self) -> None:
        return

    def disturbed(self) -> str | None:
        return None

    def held(self) -> tuple[str, ...]:
        return ()

    def move(self, x: float, y: float) -> None:
        self._begin(x, y)
        self._remote.move(x, y)

    def click(self, x: float, y: float, *, button: Button = "left", count: int = 1) -> None:
        self._begin(x, y)
        self._remote.move(x, y)
        for _ in range(count):
            self._press(BUTTONS[button])
            self._remote.button(BUTTONS[button], down=False)

    def drag(self, start: tuple[float, float], end: tuple[float, float], *, duration_s: float) -> None:
        self._begin(*start)
        self._remote.require_place(*end)
        self._remote.move(*start)
        self._press(BUTTONS["left"])
        steps = max(round(duration_s / DRAG_STEP_S), 2)
        try:
            for step in range(1, steps + 1):
                part = step / steps
                self._remote.move(start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)
                time.sleep(duration_s / steps)
        except EyesError:
            self._remote.close()
            raise
        self._remote.button(BUTTONS["left"], down=False)

    def scroll(self, x: float, y: float, *, dx: int, dy: int) -> None:
        self._begin(x, y)
        self._remote.move(x, y)
        for axis, steps in ((0, dy), (1, dx)):
            if steps:
                self._remote.wheel(axis, steps)

    def check_chord(self, chord: str) -> tuple[str, ...]:
        return parse_chord(chord).names

    def press(self, chord: str, *, window: str | None) -> None:
        self._keyboard.press(parse_chord(chord), window)

    def type_text(self, text: str, *, window: str | None) -> Typed:
        return self._keyboard.type_text(text, window)

    def close(self) -> None:
        """Let go of buses and portals, which releases every key and button; never raises."""
        self._remote.close()
        self._portal.close()
        self._accessibility.close()

    def _begin(self, x: float, y: float) -> None:
        self._remote.begin("pointer")
        self._remote.require_place(x, y)

    def _press(self, code: int) -> None:
        """Press a button; when that fails the session ends, so that none stays down."""
        try:
            self._remote.button(code, down=True)
        except EyesError:
            self._remote.close()
            raise

    def _require(self, window: str) -> Listed:
        return self._windows.require(window)

    def _window_of(self, handle: str) -> Listed | None:
        return self._windows.find(ref_of(handle)[1])

    def _described(self) -> Environment:
        found = self._portal.versions()
        reason = self._accessibility.reason()
        pointer = "RemoteDesktop" in found and "ScreenCast" in found
        notes = [LIMITS]
        if "RemoteDesktop" not in found:
            notes.append(self._portal.missing() or "There is no RemoteDesktop portal, hence neither keys nor pointer.")
        if "Screenshot" not in found:
            notes.append("There is no Screenshot portal, hence no pixels.")
        versions = {"compositor": self._compositor.program or "unknown"}
        versions |= {f"{name} portal": str(version) for name, version in found.items()}
        return Environment(
            system="linux",
            backend="wayland",
            display=self._compositor.name,
            lock_key=_lock_key(self._compositor.name),
            capabilities=Capabilities(
                capture="Screenshot" in found,
                window_capture=False,
                window_pixels=False,
                places=False,
                pointer=pointer,
                keyboard="RemoteDesktop" in found,
                window_manager=True,
                semantic=reason is None,
                semantic_reason=reason,
                human_input=False,
            ),
            versions=versions,
            notes=tuple(notes),
        )


def _refuse(message: str, instead: str) -> NoReturn:
    raise EyesError(DESKTOP_UNSUPPORTED_HERE, message, details={"dispatched": "no"}, instead=instead)


def _lock_key(display: str) -> str:
    cleaned = "".join(character if character.isalnum() else "-" for character in display)[-64:]
    return f"wayland-{cleaned}"
