"""A display that stays open between calls, and what becomes of it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from desktop_session import DesktopSession

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.adapters.linux.desktop import X11Desktop
from deepseekeyes.desktop.adapters.linux.opening import open_linux
from deepseekeyes.desktop.ports import Opening
from deepseekeyes.wiring.displays import Displays

pytestmark = pytest.mark.service


@contextmanager
def server(
    number: str | None = None, screen: str = "320x200x24", *more: str
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """An X server alone, and the name of its display."""
    reading, writing = os.pipe()
    name = [number] if number else []
    xvfb = shutil.which("Xvfb")
    assert xvfb is not None
    words = [xvfb, *name, "-displayfd", str(writing), "-screen", "0", screen, "-nolisten", "tcp", "-noreset", *more]
    process = subprocess.Popen(words, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.readline().strip().decode()
    try:
        yield f":{told}", process
    finally:
        process.kill()
        process.wait(60)


def opening(display: str, timeout_s: float = 60) -> Opening:
    return Opening({"DISPLAY": display}, timeout_s=timeout_s, semantic=False)


def code(call: object) -> str:
    with pytest.raises(EyesError) as failed:
        call()  # type: ignore[operator]
    return failed.value.code.name


def test_a_server_that_goes_and_comes_back_costs_one_typed_error() -> None:
    displays = Displays(open_linux)
    with server() as (display, process):
        lent = displays.take(opening(display))
        assert lent.capture().width == 320
        process.kill()
        process.wait(60)
        assert code(lent.capture) == "DESKTOP_DISPLAY_LOST"
        lent.close()
        assert code(lambda: displays.take(opening(display))) == "DESKTOP_DISPLAY_MISSING"
    with server(display, "400x300x24") as (again, _):
        assert again == display
        lent = displays.take(opening(display))
        assert lent.capture().width == 400
        lent.close()
        displays.end()


def test_a_server_that_is_replaced_between_two_calls_costs_nothing() -> None:
    displays = Displays(open_linux)
    with server() as (display, _):
        displays.take(opening(display)).close()
    with server(display, "400x300x24"):
        lent = displays.take(opening(display))
        assert lent.capture().width == 400
        lent.close()
        displays.end()


def test_a_server_that_answers_nothing_ends_in_time() -> None:
    displays = Displays(open_linux)
    with server() as (display, process):
        lent = displays.take(opening(display))
        process.send_signal(signal.SIGSTOP)
        kept = lent._backend
        assert isinstance(kept, X11Desktop)
        kept.connection.timeout_s = 0.3
        lent.close()
        assert code(lambda: displays.take(opening(display, 0.3))) == "DESKTOP_TIMEOUT"
        process.send_signal(signal.SIGCONT)
        displays.take(opening(display)).close()
        displays.end()


def test_a_bus_that_is_lost_between_two_calls_is_connected_to_again(desktop: DesktopSession) -> None:
    program = desktop.run("gtk3")
    displays = Displays(open_linux)
    lent = displays.take(Opening(desktop.environ, timeout_s=60))
    window = next(one for one in lent.windows() if one.title == program.title)
    assert lent.elements(window.identity, deadline_s=20, most=200).status == "ok"
    kept = lent._backend
    assert isinstance(kept, X11Desktop)
    lent.close()
    wire = kept._accessibility._wire
    assert wire is not None
    wire._link.sock.shutdown(2)
    lent = displays.take(Opening(desktop.environ, timeout_s=60))
    assert lent._backend is kept
    assert lent.elements(window.identity, deadline_s=20, most=200).status == "ok"
    lent.close()
    displays.end()


@pytest.mark.parametrize("screen", ["1x1x24", "320x1x24", "1x200x24"])
def test_screens_of_one_pixel_are_captured(screen: str) -> None:
    with server(None, screen) as (display, _):
        backend = open_linux(opening(display))
        grab = backend.capture()
        backend.close()
    assert (f"{grab.width}x{grab.height}x24", len(grab.rgb)) == (screen, 3 * grab.width * grab.height)


@pytest.mark.parametrize("screen", ["1x1x8", "64x64x8", "64x64x16"])
def test_screens_of_few_colours_are_refused_by_code(screen: str) -> None:
    with server(None, screen) as (display, _):
        backend = open_linux(opening(display))
        assert (code(backend.capture), backend.windows()) == ("DESKTOP_SCREENSHOT_MISSING", ())
        backend.close()


@pytest.mark.parametrize(
    "missing", ["XTEST", "Composite", "RANDR", "XInputExtension", "MIT-SCREEN-SAVER", "DAMAGE", "MIT-SHM", "XKEYBOARD"]
)
def test_a_server_without_an_extension_is_seen_and_used_as_far_as_it_goes(missing: str) -> None:
    with server(None, "320x200x24", "-extension", missing) as (display, _):
        backend = open_linux(opening(display))
        try:
            assert (backend.capture().width, backend.windows(), len(backend.monitors())) == (320, (), 1)
            if backend.environment.capabilities.pointer:
                backend.watch()
                backend.click(20, 30)
                assert backend.pointer() == (20, 30)
            else:
                assert code(lambda: backend.click(20, 30)) == "DESKTOP_NATIVE_ACTION_FAILED"
        finally:
            backend.close()


def test_a_screen_that_shrinks_and_grows_is_captured_at_its_size() -> None:
    from Xlib.display import Display

    displays = Displays(open_linux)
    with server(screen="640x480x24") as (display, _):
        client = Display(display)
        resources = client.screen().root.xrandr_get_screen_resources()
        (crtc,) = resources.crtcs
        client.xrandr_set_crtc_config(crtc, resources.config_timestamp, 0, 0, 0, 1, [])
        sizes = []
        for width, height in ((320, 240), (640, 480), (400, 300)):
            client.screen().root.xrandr_set_screen_size(width, height, 100, 100)
            client.sync()
            lent = displays.take(opening(display))
            grab = lent.capture()
            sizes.append((grab.width, grab.height, len(grab.rgb)))
            lent.close()
        client.close()
        displays.end()
    assert sizes == [(320, 240, 230_400), (640, 480, 921_600), (400, 300, 360_000)]
