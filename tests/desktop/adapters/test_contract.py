"""What every backend holds to: the same assertions for X11 and for the fallback of pixels, pointer and keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mss
import pytest
from desktop_session import DesktopSession

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.opening import open_linux
from deepseekeyes.desktop.adapters.pixels.desktop import PixelDesktop
from deepseekeyes.desktop.ports import Backend, Opening

pytestmark = pytest.mark.service


class Hands:
    """The part of pyautogui that is used, over the tests' own client of the display."""

    __version__ = "0.9.54"

    def __init__(self, desktop: DesktopSession) -> None:
        self.display = desktop.display
        self.done: list[Any] = []
        self.at = (0, 0)

    def position(self) -> tuple[int, int]:
        return self.at

    def moveTo(self, x: int, y: int) -> None:  # noqa: N802 pyautogui's name
        self.at = (x, y)
        self.display.move_pointer(x, y)

    def isValidKey(self, key: str) -> bool:  # noqa: N802 pyautogui's name
        return (len(key) == 1 and key.isascii()) or key in {"ctrl", "shift", "enter", "win"}

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *given, **named: self.done.append((name, *given))


@pytest.fixture(params=["x11", "pyautogui"])
def either(request: pytest.FixtureRequest, desktop: DesktopSession) -> Iterator[Backend]:
    if request.param == "x11":
        made: Backend = open_linux(Opening(desktop.environ, timeout_s=60, semantic=False))
    else:
        name = desktop.environ["DISPLAY"]
        made = PixelDesktop(Hands(desktop), mss.MSS(display=name), name)
    yield made
    made.close()
    made.close()


@pytest.fixture
def pixels(desktop: DesktopSession) -> Iterator[tuple[PixelDesktop, Hands]]:
    name = desktop.environ["DISPLAY"]
    hands = Hands(desktop)
    made = PixelDesktop(hands, mss.MSS(display=name), name)
    yield made, hands
    made.close()


def refusal(call: Callable[[], Any]) -> tuple[str, str]:
    with pytest.raises(EyesError) as failed:
        call()
    return failed.value.code.name, str(failed.value.details["dispatched"])


def test_the_monitors_and_the_screen_are_as_large_as_each_other(either: Backend) -> None:
    (monitor,) = either.monitors()
    grab = either.capture()
    assert (monitor.index, monitor.primary, monitor.bounds) == (1, True, Box(0, 0, grab.width, grab.height))
    assert (len(grab.rgb), grab.origin, grab.method) == (3 * grab.width * grab.height, (0, 0), "screen")


def test_a_region_is_cut_at_the_edges_and_refused_outside(either: Backend) -> None:
    grab = either.capture(Box(-10, -10, 30, 40))
    assert (grab.width, grab.height, grab.origin, grab.method) == (20, 30, (0, 0), "region")
    assert refusal(lambda: either.capture(Box(90_000, 0, 5, 5))) == ("DESKTOP_COORDINATE_OUT_OF_BOUNDS", "no")


def test_the_pointer_goes_where_it_is_put_and_nowhere_else(either: Backend) -> None:
    either.watch()
    either.move(40, 50)
    assert either.pointer() == (40, 50)
    for x, y in ((-1, 5), (5, 90_000)):
        assert refusal(lambda x=x, y=y: either.move(x, y)) == ("DESKTOP_COORDINATE_OUT_OF_BOUNDS", "no")  # type: ignore[misc]
    assert either.pointer() == (40, 50)


def test_chords_have_proper_names_and_unknown_ones_are_refused(either: Backend) -> None:
    assert either.check_chord("control+a") == ("CTRL", "a")
    assert refusal(lambda: either.check_chord("HYPER+A")) == ("DESKTOP_KEY_UNKNOWN", "no")


def test_text_that_no_key_gives_is_refused_whole(either: Backend) -> None:
    assert refusal(lambda: either.type_text("good\x07bad", window=None)) == ("DESKTOP_TEXT_UNSENDABLE", "no")


def test_there_is_one_lock_for_one_display_whatever_the_backend(either: Backend, desktop: DesktopSession) -> None:
    number = desktop.environ["DISPLAY"].removeprefix(":")
    assert either.environment.lock_key == f"x11-{number}"


def test_pixels_alone_type_plain_text_and_refuse_the_rest_before_anything_is_sent(pixels: Any) -> None:
    backend, hands = pixels
    assert refusal(lambda: backend.type_text("caf\u00e9", window=None)) == ("DESKTOP_TEXT_UNSENDABLE", "no")
    assert refusal(lambda: backend.press("F12", window=None)) == ("DESKTOP_KEY_UNKNOWN", "no")
    assert hands.done == []
    assert backend.type_text("a\r\nB\t~", window=None).sent == 5
    backend.press("CTRL+META+A", window=None)
    assert hands.done == [("write", "a\nB\t~"), ("hotkey", "ctrl", "win", "a")]


def test_pixels_alone_say_what_they_cannot_do(pixels: Any) -> None:
    backend, hands = pixels
    assert (backend.windows(), backend.active(), backend.environment.capabilities.semantic) == ((), None, False)
    for call in (
        lambda: backend.capture("win"),
        lambda: backend.elements("win", deadline_s=1, most=1),
        lambda: backend.focus_window("win"),
        lambda: backend.set_value("el", "x"),
        lambda: backend.do_action("el", None),
        lambda: backend.launch(["x"], {}, wait_s=1),
        lambda: backend.type_text("x", window="win"),
        lambda: backend.press("ENTER", window="win"),
    ):
        assert refusal(call) == ("DESKTOP_UNSUPPORTED_HERE", "no")
    assert hands.done == []


def test_pixels_alone_let_go_of_the_button_when_a_drag_fails(pixels: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    backend, hands = pixels
    moved: list[Any] = []

    def breaks(*at: int) -> None:
        moved.append(at)
        if len(moved) > 1:
            raise OSError("gone")

    monkeypatch.setattr(hands, "moveTo", breaks)
    assert refusal(lambda: backend.drag((1, 1), (9, 9), duration_s=0.0)) == (
        "DESKTOP_NATIVE_ACTION_FAILED",
        "unknown",
    )
    assert [name for name, *_ in hands.done] == ["mouseDown", "mouseUp"]
