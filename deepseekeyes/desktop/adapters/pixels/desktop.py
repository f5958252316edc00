"""A screen as a backend that knows pixels, pointer and keys, and nothing of windows or elements."""
# ruff: noqa: ARG002 - the shape of a backend is kept where there is nothing to do with what is given

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NoReturn

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.chords import Chord, parse_chord
from deepseekeyes.desktop.codes import (
    DESKTOP_COORDINATE_OUT_OF_BOUNDS,
    DESKTOP_KEY_UNKNOWN,
    DESKTOP_NATIVE_ACTION_FAILED,
    DESKTOP_SCREENSHOT_MISSING,
    DESKTOP_TEXT_UNSENDABLE,
    DESKTOP_UNSUPPORTED_HERE,
)
from deepseekeyes.desktop.ports import (
    Button,
    Capabilities,
    Element,
    Environment,
    Focus,
    Grab,
    Hit,
    Launched,
    Monitor,
    Typed,
    Walk,
    Window,
)

KEYS: Mapping[str, str] = {
    "META": "win",
    "MENU": "apps",
    "PRINT": "printscreen",
    "PLUS": "+",
    "MINUS": "-",
}
"""What pyautogui calls keys that are not called the same in lower case."""
SYSTEMS: Mapping[str, Literal["linux", "windows", "macos"]] = {"win32": "windows", "darwin": "macos"}
DRAG_STEP_S = 0.02
NO_WINDOWS = "This backend knows no windows."
BY_PIXELS = "Look at the whole screen and act by its coordinates: deepseekeyes desktop observe"
LIMITS = (
    "This backend knows pixels, pointer and keys alone: no windows, no elements, no lock screens, nobody else's input."
)


class PixelDesktop:
    """The screen of this process; see `Backend` for every method.

    Args:
        hands: the package pyautogui.
        eyes: an open grabber of the package mss.
        name: of the display, or of the system where displays have none.
    """

    def __init__(self, hands: Any, eyes: Any, name: str) -> None:
        self._hands = hands
        self._eyes = eyes
        self._place: tuple[int, int] | None = None
        number = name.rpartition(":")[2].partition(".")[0]
        self._environment = Environment(
            system=SYSTEMS.get(sys.platform, "linux"),
            backend="pyautogui",
            display=name,
            lock_key=f"x11-{number}" if name.startswith(":") else f"screen-{sys.platform}",
            capabilities=Capabilities(
                window_capture=False,
                window_pixels=False,
                places=False,
                window_manager=False,
                semantic=False,
                semantic_reason="This backend reads no accessibility trees.",
                human_input=False,
            ),
            versions={"pyautogui": str(getattr(hands, "__version__", ""))},
            notes=(LIMITS,),
        )

    @property
    def environment(self) -> Environment:
        """Where we are and what works here."""
        return self._environment

    def monitors(self) -> tuple[Monitor, ...]:
        rows = [Box(one["left"], one["top"], one["width"], one["height"]) for one in self._eyes.monitors[1:]]
        rows.sort(key=lambda box: ((box.x, box.y) != (0, 0), box.x, box.y))
        return tuple(Monitor(index, f"screen {index}", box, primary=index == 1) for index, box in enumerate(rows, 1))

    def windows(self) -> tuple[Window, ...]:
        return ()

    def active(self) -> str | None:
        return None

    def top_at(self, x: float, y: float) -> Hit:
        return Hit(None, "something this backend cannot name")

    def capture(self, target: str | Box | None = None) -> Grab:
        if isinstance(target, str):
            _refuse(NO_WINDOWS)
        whole = self._eyes.monitors[0]
        area = Box(whole["left"], whole["top"], whole["width"], whole["height"])
        box = area if target is None else target.intersection(area)
        if box is None:
            raise _outside("The region lies outside the screen.")
        left, top = int(box.x), int(box.y)
        asked = {"left": left, "top": top, "width": max(1, round(box.width)), "height": max(1, round(box.height))}
        try:
            shot = self._eyes.grab(asked)
        except Exception as failed:
            raise EyesError(
                DESKTOP_SCREENSHOT_MISSING, f"The screen cannot be captured ({type(failed).__name__})."
            ) from failed
        scale = shot.width / asked["width"]
        method: Literal["screen", "region"] = "screen" if target is None else "region"
        return Grab(bytes(shot.rgb), shot.width, shot.height, (left, top), scale, method=method, covered=False)

    def pointer(self) -> tuple[int, int]:
        with _answered():
            x, y = self._hands.position()
        return int(x), int(y)

    def idle(self) -> float | None:
        return None

    def elements(self, window: str, *, deadline_s: float, most: int, hidden: bool = False) -> Walk:
        _refuse(NO_WINDOWS)

    def element(self, handle: str) -> Element | None:
        return None

    def focused(self, window: str) -> Element | None:
        return None

    def read_text(self, handle: str) -> str | None:
        return None

    def focus_element(self, handle: str) -> bool:
        _refuse("This backend knows no elements.")

    def insert_text(self, handle: str, text: str) -> Typed:
        _refuse("This backend knows no elements.")

    def set_value(self, handle: str, value: str) -> str | None:
        _refuse("This backend knows no elements.")

    def do_action(self, handle: str, name: str | None) -> str:
        _refuse("This backend knows no elements.")

    def scroll_to(self, handle: str) -> bool:
        _refuse("This backend knows no elements.")

    def focus_window(self, window: str) -> Focus:
        _refuse(NO_WINDOWS)

    def move_window(self, window: str, x: float, y: float) -> Window:
        _refuse(NO_WINDOWS)

    def resize_window(self, window: str, width: float, height: float) -> Window:
        _refuse(NO_WINDOWS)

    def close_window(self, window: str) -> bool:
        _refuse(NO_WINDOWS)

    def launch(self, argv: Sequence[str], environment: Mapping[str, str], *, wait_s: float) -> Launched:
        _refuse("This backend cannot tell when a program has started.")

    def grabbed(self) -> str | None:
        return None

    def watch(self) -> None:
        self._place = self.pointer()

    def disturbed(self) -> str | None:
        return "pointer" if self._place is not None and self.pointer() != self._place else None

    def held(self) -> tuple[str, ...]:
        return ()

    def move(self, x: float, y: float) -> None:
        place = self._inside(x, y)
        with _answered():
            self._hands.moveTo(*place)
        self._place = self.pointer()

    def click(self, x: float, y: float, *, button: Button = "left", count: int = 1) -> None:
        self.move(x, y)
        with _answered():
            self._hands.click(button=button, clicks=count, interval=0.0)

    def drag(self, start: tuple[float, float], end: tuple[float, float], *, duration_s: float) -> None:
        first, last = self._inside(*start), self._inside(*end)
        steps = max(2, round(duration_s / DRAG_STEP_S))
        self.move(*first)
        with _answered():
            self._hands.mouseDown(button="left")
            try:
                for step in range(1, steps + 1):
                    part = step / steps
                    self._hands.moveTo(*(round(a + (b - a) * part) for a, b in zip(first, last, strict=True)))
                    time.sleep(duration_s / steps)
            finally:
                self._hands.mouseUp(button="left")
        self._place = self.pointer()

    def scroll(self, x: float, y: float, *, dx: int, dy: int) -> None:
        if dx and sys.platform == "win32":
            _refuse("This backend turns no sideways wheel on Windows.")
        self.move(x, y)
        with _answered():
            if dy:
                self._hands.scroll(-dy)
            if dx:
                self._hands.hscroll(-dx if sys.platform.startswith("linux") else dx)

    def check_chord(self, chord: str) -> tuple[str, ...]:
        return parse_chord(chord).names

    def press(self, chord: str, *, window: str | None) -> None:
        _refuse_window(window)
        keys = self._keys(parse_chord(chord))
        with _answered():
            self._hands.hotkey(*keys, interval=0.0)

    def type_text(self, text: str, *, window: str | None) -> Typed:
        _refuse_window(window)
        plain = text.replace("\r\n", "\n").replace("\r", "\n")
        odd = next((one for one in plain if not self._types(one)), None)
        if odd is not None:
            raise EyesError(
                DESKTOP_TEXT_UNSENDABLE,
                f"This backend cannot type the character U+{ord(odd):04X}.",
                details={"dispatched": "no"},
            )
        with _answered():
            self._hands.write(plain, interval=0.0)
        return Typed(len(plain), len(plain))

    def close(self) -> None:
        """Let go of the screen; never raises."""
        try:
            self._eyes.close()
        except Exception:  # noqa: BLE001 a lost display may say so in many ways
            return

    def _types(self, character: str) -> bool:
        """Whether a character is one that pyautogui has a key for; it leaves out silently what it has none for."""
        return character in "\n\t" or (" " <= character <= "~" and self._known(character.lower()))

    def _known(self, key: str) -> bool:
        return bool(self._hands.isValidKey(key))

    def _keys(self, chord: Chord) -> tuple[str, ...]:
        """What pyautogui calls the keys of a chord.

        Raises:
            EyesError: DESKTOP_KEY_UNKNOWN.
        """
        keys = tuple(KEYS.get(name, name.lower()) for name in chord.names)
        absent = next((key for key in keys if not self._known(key)), None)
        if absent is not None:
            raise EyesError(
                DESKTOP_KEY_UNKNOWN, f"This backend has no key {absent.upper()}.", details={"dispatched": "no"}
            )
        return keys

    def _inside(self, x: float, y: float) -> tuple[int, int]:
        if not any(
            one.bounds.x <= x < one.bounds.right and one.bounds.y <= y < one.bounds.bottom for one in self.monitors()
        ):
            raise _outside(f"The point {x:g}, {y:g} lies on no monitor.")
        return int(x), int(y)


@contextmanager
def _answered() -> Iterator[None]:
    """What the package raises, as a failure of ours that leaves open what arrived.

    Raises:
        EyesError: DESKTOP_NATIVE_ACTION_FAILED.
    """
    try:
        yield
    except Exception as failed:
        raise EyesError(
            DESKTOP_NATIVE_ACTION_FAILED,
            f"The system did not take the input ({type(failed).__name__}).",
            details={"dispatched": "unknown"},
        ) from failed


def _refuse_window(window: str | None) -> None:
    if window is not None:
        _refuse(NO_WINDOWS)


def _refuse(message: str) -> NoReturn:
    raise EyesError(DESKTOP_UNSUPPORTED_HERE, message, details={"dispatched": "no"}, instead=BY_PIXELS)


def _outside(message: str) -> EyesError:
    return EyesError(DESKTOP_COORDINATE_OUT_OF_BOUNDS, message, details={"dispatched": "no"})
