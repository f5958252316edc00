"""Windows that are meant to break a listing: what they say, how large they are, how fast they come and go."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from desktop_session import DesktopSession
from Xlib import X, Xatom
from Xlib.display import Display
from Xlib.error import ConnectionClosedError

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.adapters.linux.opening import open_linux
from deepseekeyes.desktop.ports import Backend, Opening

pytestmark = pytest.mark.service


@pytest.fixture
def stranger(desktop: DesktopSession) -> Iterator[Display]:
    """A program that does as it likes; its windows go with it."""
    made = Display(desktop.environ["DISPLAY"])
    made.set_error_handler(lambda *_: None)
    yield made
    made.close()


@pytest.fixture
def eyes(desktop: DesktopSession) -> Iterator[Backend]:
    made = open_linux(Opening(desktop.environ, timeout_s=60, semantic=False))
    yield made
    made.close()


def window(stranger: Display, width: int = 60, height: int = 40, *, x: int = 0, y: int = 0) -> Any:
    """A window that no manager touches."""
    made = stranger.screen().root.create_window(x, y, width, height, 0, X.CopyFromParent, override_redirect=True)
    made.map()
    stranger.sync()
    return made


@pytest.mark.parametrize("kind", ["UTF8_STRING", "STRING", "COMPOUND_TEXT"])
@pytest.mark.parametrize("title", [b"\xff\xfe\xc3", b"\x1b[31mred\x07\n\0\0end", b"x" * 200_000, b"\xed\xa0\x80", b""])
def test_a_title_of_any_bytes_is_text_of_bounded_length(
    stranger: Display, eyes: Backend, kind: str, title: bytes
) -> None:
    made = window(stranger)
    made.change_property(stranger.intern_atom("_NET_WM_NAME"), stranger.intern_atom(kind), 8, title)
    stranger.sync()
    (seen,) = eyes.windows()
    assert len(seen.title) <= 500
    seen.title.encode()
    assert "\n" not in seen.title


@pytest.mark.parametrize(
    ("name", "form", "values"),
    [
        ("_NET_WM_PID", 32, [0]),
        ("_NET_WM_PID", 32, [0xFFFFFFFF]),
        ("_NET_WM_PID", 8, b"12"),
        ("WM_TRANSIENT_FOR", 32, [0xDEADBEEF]),
        ("_NET_WM_STATE", 32, [0x7FFFFFF0, 0]),
        ("_NET_WM_WINDOW_TYPE", 32, [0x7FFFFFF0]),
        ("_NET_FRAME_EXTENTS", 32, [0xFFFFFFFF] * 4),
        ("_GTK_FRAME_EXTENTS", 32, [30_000] * 4),
        ("WM_CLASS", 8, b"\0\0\0"),
        ("WM_STATE", 16, [3]),
    ],
)
def test_a_property_that_lies_keeps_no_window_from_being_listed(
    stranger: Display, eyes: Backend, name: str, form: int, values: Any
) -> None:
    made = window(stranger)
    made.change_property(stranger.intern_atom(name), Xatom.CARDINAL, form, values)
    stranger.sync()
    (seen,) = eyes.windows()
    assert (seen.client.width, seen.client.height) == (60, 40)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (32_767, 2), (2, 32_767), (32_767, 32_767)])
def test_windows_of_any_size_are_listed_and_captured_or_refused_by_code(
    stranger: Display, eyes: Backend, width: int, height: int
) -> None:
    window(stranger, width, height)
    for seen in eyes.windows():
        try:
            grab = eyes.capture(seen.identity)
            found = "" if len(grab.rgb) == 3 * grab.width * grab.height else "torn"
        except EyesError as failed:
            found = failed.code.name
        assert found in {"", "DESKTOP_SCREENSHOT_MISSING", "DESKTOP_WINDOW_GONE", "DESKTOP_NATIVE_ACTION_FAILED"}


def test_a_storm_of_windows_ends_no_listing_and_no_capture(desktop: DesktopSession, eyes: Backend) -> None:
    over = threading.Event()

    def storm() -> None:
        made = Display(desktop.environ["DISPLAY"])
        made.set_error_handler(lambda *_: None)
        try:
            while not over.is_set():
                shown = [window(made, 30 + number, 30) for number in range(10)]
                for one in shown:
                    one.destroy()
                made.sync()
        except ConnectionClosedError:
            return
        finally:
            made.close()

    thread = threading.Thread(target=storm)
    thread.start()
    try:
        for _ in range(20):
            for seen in eyes.windows()[:2]:
                try:
                    eyes.capture(seen.identity)
                except EyesError as failed:
                    gone = failed.code.name
                    assert gone in {"DESKTOP_WINDOW_GONE", "DESKTOP_WINDOW_NOT_VIEWABLE"}
    finally:
        over.set()
        thread.join(60)
