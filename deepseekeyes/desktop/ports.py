"""What a system must offer so that its windows and controls can be seen and used: one shape for every backend.

Space: every point and box is in the pixels of the virtual desktop, which all monitors share. Its origin is the primary
monitor's where the system says so, hence coordinates may be negative. Pixel `(px, py)` of a `Grab` lies at
`origin + (px, py) / scale`.

Calls block. Each ends within the deadline that was given when the backend was opened (`Opening.timeout_s`), or within
its own where it takes one; asynchronous callers run it in a thread. A backend is used by one thread at a time.

Failures: `EyesError` with a code of `desktop.codes`. What was raised before anything reached the target carries
`details["dispatched"] == "no"`; once input may have arrived it is `yes` (all or a known part of it) or `unknown`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.values import (
    Button,
    Capabilities,
    CaptureMethod,
    Element,
    Environment,
    Focus,
    Grab,
    Hit,
    Launched,
    Monitor,
    Opening,
    Typed,
    Walk,
    WalkStatus,
    Window,
    WindowKind,
)

__all__ = (
    "Backend",
    "Button",
    "Capabilities",
    "CaptureMethod",
    "Element",
    "Environment",
    "Focus",
    "Grab",
    "Hit",
    "Launched",
    "Monitor",
    "Opening",
    "Opens",
    "Stays",
    "Typed",
    "Walk",
    "WalkStatus",
    "Window",
    "WindowKind",
)


class Backend(Protocol):
    """A display that can be seen and used. See the module for space, blocking and failures."""

    @property
    def environment(self) -> Environment:
        """Where we are and what works here."""
        ...

    # Looking -------------------------------------------------------------------------------------------------------

    def monitors(self) -> tuple[Monitor, ...]:
        """The monitors, the primary one first; at least one."""
        ...

    def windows(self) -> tuple[Window, ...]:
        """Every window, menus and popups too, front to back."""
        ...

    def active(self) -> str | None:
        """Identity of the window that has the keyboard; None when nothing we know has it."""
        ...

    def top_at(self, x: float, y: float) -> Hit:
        """What a click at this point would reach.

        Raises:
            EyesError: DESKTOP_POINT_UNKNOWN where the display does not tell.
        """
        ...

    def capture(self, target: str | Box | None = None) -> Grab:
        """Pixels of a window (by identity; its `client` area), a region, or the whole virtual desktop.

        A window's own pixels are read even when something covers it, where the display can; popups of the same program
        that overlap it are painted over it. The pointer is never drawn.

        Raises:
            EyesError: DESKTOP_WINDOW_GONE; DESKTOP_WINDOW_NOT_VIEWABLE when it is minimised or unmapped;
                DESKTOP_COORDINATE_OUT_OF_BOUNDS for a region outside; DESKTOP_SCREENSHOT_MISSING;
                DESKTOP_UNSUPPORTED_HERE for a window where `window_pixels` is False; where a person is asked first,
                DESKTOP_PORTAL_MISSING, DESKTOP_PORTAL_DENIED, DESKTOP_PORTAL_FAILED, DESKTOP_TIMEOUT.
        """
        ...

    def pointer(self) -> tuple[int, int] | None:
        """Where the pointer is; None where the display does not tell."""
        ...

    def idle(self) -> float | None:
        """Seconds since anybody (we too) used the display; None when the display does not say."""
        ...

    # Elements ------------------------------------------------------------------------------------------------------

    def elements(self, window: str, *, deadline_s: float, most: int, hidden: bool = False) -> Walk:
        """The window's elements, breadth first, never later than the deadline, however the program behaves.

        Args:
            hidden: also those that no person could see now (scrolled out, on another tab).

        Raises:
            EyesError: DESKTOP_WINDOW_GONE.
        """
        ...

    def element(self, handle: str) -> Element | None:
        """The live node as it is now; None when it is gone, defunct, or its program stopped answering."""
        ...

    def focused(self, window: str) -> Element | None:
        """The element that gets the keys within the window; None when it cannot be told."""
        ...

    def read_text(self, handle: str) -> str | None:
        """The whole text of an element, for read-back; None when it has none, is protected, or does not answer."""
        ...

    # Semantic input ------------------------------------------------------------------------------------------------

    def focus_element(self, handle: str) -> bool:
        """Give an element the focus; whether it says afterwards that it has it."""
        ...

    def insert_text(self, handle: str, text: str) -> Typed:
        """Put text at the caret, in the place of a selection.

        Raises:
            EyesError: DESKTOP_TYPE_TARGET_NOT_EDITABLE, DESKTOP_SEMANTIC_UNAVAILABLE, DESKTOP_TARGET_CHANGED.
        """
        ...

    def set_value(self, handle: str, value: str) -> str | None:
        """Replace the text of an element or the number of a range; returns what reads back, None when protected.

        Raises:
            EyesError: DESKTOP_TYPE_TARGET_NOT_EDITABLE, DESKTOP_SEMANTIC_UNAVAILABLE, DESKTOP_TARGET_CHANGED.
        """
        ...

    def do_action(self, handle: str, name: str | None) -> str:
        """Carry out an action the element offers, by machine name; None takes its natural one. Returns the name.

        Raises:
            EyesError: DESKTOP_ACTION_NOT_EXPOSED (with the names there are), DESKTOP_TARGET_CHANGED,
                DESKTOP_TIMEOUT when the program did not answer (dispatched `unknown`).
        """
        ...

    def scroll_to(self, handle: str) -> bool:
        """Ask for the element to be scrolled into view; whether the program says it was."""
        ...

    # Windows -------------------------------------------------------------------------------------------------------

    def focus_window(self, window: str) -> Focus:
        """Bring a window to the front and give it the keyboard; returns once that is so.

        Raises:
            EyesError: DESKTOP_WINDOW_GONE; TARGET_FOCUS_MISMATCH naming what has the focus instead.
        """
        ...

    def move_window(self, window: str, x: float, y: float) -> Window:
        """Move the window's `bounds` there; returns it as it is afterwards."""
        ...

    def resize_window(self, window: str, width: float, height: float) -> Window:
        """Give the window's `client` area a size; returns it as it is afterwards."""
        ...

    def close_window(self, window: str) -> bool:
        """Ask the window to close, as its close button would; whether it went within the deadline."""
        ...

    def launch(self, argv: Sequence[str], environment: Mapping[str, str], *, wait_s: float) -> Launched:
        """Start a program without a shell, detached from us, and wait for its first window.

        Raises:
            EyesError: DESKTOP_LAUNCH_FAILED.
        """
        ...

    # Real input ----------------------------------------------------------------------------------------------------

    def grabbed(self) -> str | None:
        """`keyboard` or `pointer` when another program holds that input (an open menu, a lock screen)."""
        ...

    def watch(self) -> None:
        """From now on, input that is not ours counts as somebody's."""
        ...

    def disturbed(self) -> str | None:
        """`pointer`, `button` or `key` when somebody used the display since `watch`; None otherwise.

        The input calls below ask this themselves between their steps and raise DESKTOP_HUMAN_INPUT.
        """
        ...

    def held(self) -> tuple[str, ...]:
        """Names of modifier keys and buttons that are down now."""
        ...

    def move(self, x: float, y: float) -> None:
        """Put the pointer at a point.

        Raises:
            EyesError: DESKTOP_COORDINATE_OUT_OF_BOUNDS for a point outside every monitor; DESKTOP_HUMAN_INPUT.
        """
        ...

    def click(self, x: float, y: float, *, button: Button = "left", count: int = 1) -> None:
        """Move there and click `count` times.

        Raises:
            EyesError: as `move`; DESKTOP_KEYS_HELD when modifiers or buttons are down, DESKTOP_INPUT_GRABBED.
        """
        ...

    def drag(self, start: tuple[float, float], end: tuple[float, float], *, duration_s: float) -> None:
        """Press the left button at a point, move in even steps, release; released whatever happens.

        Raises:
            EyesError: as `click`.
        """
        ...

    def scroll(self, x: float, y: float, *, dx: int, dy: int) -> None:
        """Turn the wheel by whole notches over a point; positive is right and down.

        Raises:
            EyesError: as `move`; DESKTOP_KEYS_HELD.
        """
        ...

    def check_chord(self, chord: str) -> tuple[str, ...]:
        """The keys of a chord such as `CTRL+SHIFT+S`, by their proper names.

        Raises:
            EyesError: DESKTOP_KEY_UNKNOWN.
        """
        ...

    def press(self, chord: str, *, window: str | None) -> None:
        """Press a chord while `window` has the keyboard; everything is released whatever happens.

        Raises:
            EyesError: DESKTOP_KEY_UNKNOWN, TARGET_FOCUS_MISMATCH, DESKTOP_INPUT_GRABBED, DESKTOP_KEYS_HELD,
                DESKTOP_HUMAN_INPUT.
        """
        ...

    def type_text(self, text: str, *, window: str | None) -> Typed:
        """Send text as keys while `window` has the keyboard; any Unicode, newline as Return, tab as Tab.

        Focus is checked again between chunks. What stops it after some characters raises with
        `details["dispatched"] == "yes"` and `sent` among the error's fields.

        Raises:
            EyesError: DESKTOP_TEXT_UNSENDABLE (nothing sent), TARGET_FOCUS_MISMATCH, DESKTOP_INPUT_GRABBED,
                DESKTOP_KEYS_HELD, DESKTOP_HUMAN_INPUT.
        """
        ...

    def close(self) -> None:
        """Let go of the display, undoing what was borrowed; never raises."""
        ...


class Stays(Backend, Protocol):
    """A backend that may stay open between two uses; others are closed after each."""

    def ready(self) -> bool:
        """Look at everything anew before another use; False when the display has gone and this must be closed."""
        ...


class Opens(Protocol):
    """Opens the backend of this system.

    Raises (when called):
        EyesError: DESKTOP_EXTRA_MISSING, DESKTOP_DISPLAY_MISSING, DESKTOP_WAYLAND_ONLY, DESKTOP_PERMISSION_MISSING,
            DESKTOP_PLATFORM_UNSUPPORTED.
    """

    def __call__(self, opening: Opening) -> Backend: ...
