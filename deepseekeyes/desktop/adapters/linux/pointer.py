"""The pointer as real input."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from deepseekeyes.core.errors import Dispatched, EyesError
from deepseekeyes.desktop.adapters.linux.attention import (
    RAW_BUTTON_PRESS,
    RAW_BUTTON_RELEASE,
    RAW_MOTION,
    Attention,
)
from deepseekeyes.desktop.adapters.linux.connection import Connection
from deepseekeyes.desktop.adapters.linux.grabs import Grabs
from deepseekeyes.desktop.adapters.linux.keymap import Keymap
from deepseekeyes.desktop.adapters.linux.monitors import monitors, on_a_monitor
from deepseekeyes.desktop.codes import DESKTOP_COORDINATE_OUT_OF_BOUNDS
from deepseekeyes.desktop.ports import Button

NUMBERS: Mapping[Button, int] = {"left": 1, "middle": 2, "right": 3}
WHEEL_UP, WHEEL_DOWN, WHEEL_LEFT, WHEEL_RIGHT = 4, 5, 6, 7
FRAME_S = 0.016
DOUBLE_S = 0.04
MOST_STEPS = 120
MOST_NOTCHES = 100


@dataclass(slots=True)
class Pointer:
    """Moves and clicks through XTEST; one per connection."""

    connection: Connection
    attention: Attention
    grabs: Grabs
    keymap: Keymap
    variables: Mapping[str, str]

    def move(self, x: float, y: float) -> None:
        """Put the pointer at a point."""
        self._require_on_screen((x, y))
        self.attention.require_undisturbed("no")
        with self.attention.listening():
            self._to(x, y, "yes")
            self.attention.require_undisturbed("yes")

    def click(self, x: float, y: float, button: Button, count: int) -> None:
        """Click at a point."""
        self._ready((x, y))
        with self.attention.listening():
            self._to(x, y, "no")
            self.attention.require_undisturbed("no")
            for turn in range(count):
                if turn:
                    time.sleep(DOUBLE_S)
                self._button(NUMBERS[button], press=True)
                self._button(NUMBERS[button], press=False)
            self.connection.sync()
            self.attention.require_undisturbed("yes")

    def drag(self, start: tuple[float, float], end: tuple[float, float], duration_s: float) -> None:
        """Drag with the left button in even steps; somebody's input ends it, the button let go."""
        self._ready(start, end)
        steps = min(max(round(duration_s / FRAME_S), 2), MOST_STEPS)
        with self.attention.listening():
            self._to(*start, "no")
            self.attention.require_undisturbed("no")
            with self._pressed(NUMBERS["left"]):
                for step in range(1, steps + 1):
                    time.sleep(duration_s / steps)
                    self.attention.require_undisturbed("yes")
                    part = step / steps
                    at = start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part
                    self._to(*at, "yes")
            self.connection.sync()
            self.attention.require_undisturbed("yes")

    def scroll(self, x: float, y: float, dx: int, dy: int) -> None:
        """Turn the wheel over a point, one press a notch."""
        self._ready((x, y))
        with self.attention.listening():
            self._to(x, y, "no")
            self.attention.require_undisturbed("no")
            for number, turns in _wheel(dx, dy):
                for _ in range(turns):
                    self._button(number, press=True)
                    self._button(number, press=False)
            self.connection.sync()
            self.attention.require_undisturbed("yes")

    def _ready(self, *points: tuple[float, float]) -> None:
        """Everything that may refuse before the first event."""
        self._require_on_screen(*points)
        self.grabs.require_no_keys_held(self.keymap)
        self.grabs.require_pointer(*points[0])
        self.attention.require_undisturbed("no")

    def _require_on_screen(self, *points: tuple[float, float]) -> None:
        """Refuse a point that no monitor shows; X would quietly take the nearest one.

        Raises:
            EyesError: DESKTOP_COORDINATE_OUT_OF_BOUNDS.
        """
        known = monitors(self.connection, self.variables)
        outside = next((point for point in points if not on_a_monitor(point, known)), None)
        if outside is not None:
            raise EyesError(
                DESKTOP_COORDINATE_OUT_OF_BOUNDS,
                f"The point {outside[0]:g}, {outside[1]:g} lies outside every monitor.",
                details={"dispatched": "no"},
            )

    def _to(self, x: float, y: float, dispatched: Dispatched) -> None:
        from Xlib import X

        at = int(x), int(y)
        self.attention.sent(RAW_MOTION)
        self.connection.display.xtest_fake_input(X.MotionNotify, x=at[0], y=at[1])
        self.connection.sync()
        self.attention.arrives(at, dispatched)

    def _button(self, number: int, *, press: bool) -> None:
        from Xlib import X

        self.attention.sent(RAW_BUTTON_PRESS if press else RAW_BUTTON_RELEASE, number)
        self.connection.display.xtest_fake_input(X.ButtonPress if press else X.ButtonRelease, number)

    @contextmanager
    def _pressed(self, number: int) -> Iterator[None]:
        with self.attention.pressed(number):
            self._button(number, press=True)
            try:
                yield
            finally:
                self._button(number, press=False)


def _wheel(dx: int, dy: int) -> Sequence[tuple[int, int]]:
    """Wheel buttons and how often each is pressed; positive is right and down."""
    turns = (
        (WHEEL_DOWN if dy > 0 else WHEEL_UP, min(abs(dy), MOST_NOTCHES)),
        (WHEEL_RIGHT if dx > 0 else WHEEL_LEFT, min(abs(dx), MOST_NOTCHES)),
    )
    return tuple(turn for turn in turns if turn[1])
