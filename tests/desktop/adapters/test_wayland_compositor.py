"""What is asked of a compositor, with one on paper; and which backend a session gets."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from desktop_session import DesktopSession

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.windows import Listed
from deepseekeyes.desktop.adapters.wayland.compositor import look
from deepseekeyes.desktop.adapters.wayland.opening import is_wayland
from deepseekeyes.desktop.adapters.wayland.windows import NOWHERE, Windows
from deepseekeyes.desktop.ports import Window


def text(word: str) -> bytes:
    raw = word.encode() + b"\0"
    return struct.pack("=I", len(raw)) + raw + bytes(-len(raw) % 4)


def event(object_: int, code: int, body: bytes = b"") -> bytes:
    return struct.pack("=II", object_, (len(body) + 8) << 16 | code) + body


def output(object_: int, name: str, x: int, mode: tuple[int, int], scale: int, transform: int = 0) -> bytes:
    geometry = struct.pack("=iiiii", x, 0, 300, 200, 0) + text("Paper") + text("One") + struct.pack("=i", transform)
    return (
        event(object_, 0, geometry)
        + event(object_, 1, struct.pack("=Iiii", 0, 640, 480, 60_000))
        + event(object_, 1, struct.pack("=Iiii", 1, *mode, 60_000))
        + event(object_, 3, struct.pack("=i", scale))
        + event(object_, 4, text(name))
        + event(object_, 2)
    )


GLOBALS = b"".join(
    event(2, 0, struct.pack("=I", number) + text(interface) + struct.pack("=I", version))
    for number, interface, version in ((1, "wl_compositor", 5), (7, "wl_output", 4), (9, "wl_output", 4))
)
"""Objects 4 and 5 are the outputs that get bound, 6 the callback after them."""


@contextmanager
def compositor(place: Path, *answers: bytes) -> Iterator[dict[str, str]]:
    """One that sends an answer for each thing it reads, then hangs up."""
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.bind(str(place / "wayland-7"))
    server.listen()
    ended = threading.Event()

    def serve() -> None:
        link, _ = server.accept()
        with link:
            for answer in answers:
                heard = b""
                while not heard.endswith(struct.pack("=I", 3)) and not heard.endswith(struct.pack("=I", 6)):
                    heard += link.recv(4096)
                link.sendall(answer)
            if not answers:
                ended.wait(60)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield {"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": str(place)}
    finally:
        ended.set()
        thread.join(30)
        server.close()


def test_monitors_are_told_in_the_compositors_own_layout(tmp_path: Path) -> None:
    second = output(5, "DP-1", -540, (1920, 1080), 2, transform=1) + output(4, "eDP-1", 0, (2560, 1600), 2)
    with compositor(tmp_path, GLOBALS + event(3, 0), second + event(6, 0)) as environ:
        found = look(environ, 20)
    assert [(one.index, one.name, one.bounds, one.scale, one.primary) for one in found.monitors] == [
        (1, "eDP-1", Box(0, 0, 1280, 800), 2.0, True),
        (2, "DP-1", Box(-540, 0, 540, 960), 2.0, False),
    ]
    assert found.layout == Box(-540, 0, 1820, 960)
    assert found.protocols == {"wl_compositor": 5, "wl_output": 4}
    assert found.program != ""


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        ((), "DESKTOP_TIMEOUT"),
        ((GLOBALS,), "DESKTOP_DISPLAY_LOST"),
        ((event(1, 0, struct.pack("=II", 1, 1) + text("no")),), "DESKTOP_DISPLAY_LOST"),
        ((struct.pack("=II", 2, 4 << 16),), "DESKTOP_DISPLAY_LOST"),
        ((GLOBALS + event(3, 0), event(6, 0)), "DESKTOP_DISPLAY_MISSING"),
    ],
    ids=["silent", "gone", "refusing", "nonsense", "no monitor"],
)
def test_a_compositor_that_does_not_serve_has_its_code(tmp_path: Path, answers: tuple[bytes, ...], code: str) -> None:
    with compositor(tmp_path, *answers) as environ, pytest.raises(EyesError) as failed:
        look(environ, 20 if answers else 0.2)
    assert failed.value.code.name == code


@pytest.mark.parametrize("environ", [{}, {"WAYLAND_DISPLAY": "wayland-0"}, {"WAYLAND_DISPLAY": "/nowhere/at/all"}])
def test_a_display_that_is_not_there_is_missing(environ: dict[str, str]) -> None:
    with pytest.raises(EyesError) as failed:
        look(environ, 1)
    assert failed.value.code.name == "DESKTOP_DISPLAY_MISSING"


@pytest.mark.parametrize(
    ("environ", "wayland"),
    [
        ({}, False),
        ({"DISPLAY": ":0"}, False),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True),
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":64001"}, True),
    ],
)
def test_a_session_is_a_wayland_one_when_no_usable_display_is_named(environ: dict[str, str], wayland: bool) -> None:
    assert is_wayland(environ) is wayland


@pytest.mark.service
def test_an_x_server_of_its_own_within_a_wayland_session_is_taken(desktop: DesktopSession) -> None:
    assert not is_wayland({**desktop.environ, "WAYLAND_DISPLAY": "wayland-0"})


def listed(name: str, *, active: bool, modal: bool = False) -> Listed:
    window = Window(name, name, name, 7, NOWHERE, NOWHERE, 0, active=active, modal=modal)
    return Listed(window, 1, 0, False, (0, 0, 0, 0), (0, 0, 0, 0))


@pytest.mark.parametrize(
    ("there", "wanted", "code"),
    [
        ([("a", True), ("b", False)], "a", None),
        ([("a", True), ("b", False)], "b", "TARGET_FOCUS_MISMATCH"),
        ([("a", True), ("b", True)], "a", "DESKTOP_FOREGROUND_UNKNOWN"),
        ([("a", False), ("b", False)], "a", "DESKTOP_FOREGROUND_UNKNOWN"),
        ([("a", True)], None, "DESKTOP_FOREGROUND_UNKNOWN"),
        ([("a", True)], "gone", "DESKTOP_WINDOW_GONE"),
    ],
)
def test_only_the_one_window_that_says_it_is_active_counts_as_the_foreground(
    monkeypatch: pytest.MonkeyPatch, there: list[tuple[str, bool]], wanted: str | None, code: str | None
) -> None:
    found = [listed(name, active=active) for name, active in there]
    monkeypatch.setattr(Windows, "listed", lambda _: [replace(one) for one in found])
    nothing: Any = None
    windows = Windows(nothing, "wayland-0")
    if code is None:
        windows.require_foreground(wanted)
        return
    with pytest.raises(EyesError) as refused:
        windows.require_foreground(wanted)
    assert (refused.value.code.name, refused.value.details["dispatched"]) == (code, "no")
