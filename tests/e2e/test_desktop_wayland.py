"""Commands in a real Wayland session: what works through portals and accessibility, and the codes of the rest."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from desktop_driving import PATIENCE_S, Hands
from PIL import Image
from wayland_session import HEIGHT, WIDTH, WaylandSession, wayland_session

pytestmark = [pytest.mark.service, pytest.mark.timeout(600)]
TITLE = "gtk4 form"


@pytest.fixture(scope="module")
def session() -> Iterator[WaylandSession]:
    with wayland_session() as made:
        made.run("gtk4", TITLE)
        yield made


@pytest.fixture
def hands(session: WaylandSession, tmp_path: Path) -> Hands:
    desktop: Any = session
    return Hands(desktop, tmp_path / "home")


def test_a_window_is_read_and_used_without_pointer_and_pixels(hands: Hands, session: WaylandSession) -> None:
    program = session.programs[0]
    status, seen = hands.status("observe", "--title", TITLE)
    assert status == 0, seen
    rows = {(one["role"], one["name"]): one for one in seen["elements"]}
    assert {("text", "Name"), ("push_button", "Greet")} <= set(rows)
    assert {one["bbox"] for one in seen["elements"]} == {None}
    assert seen["windows"][0]["bounds"] is None

    status, done = hands.status("set-value", "--role", "text", "--name", "Name", "--value", "Zoë 你好 😀")
    assert (status, done["verdict"]) == (0, "verified"), done
    status, done = hands.status("invoke", "--role", "push_button", "--name", "Greet")
    assert (status, done["verdict"]) == (0, "verified"), done
    program.tells("greet", value="Zoë 你好 😀")


def test_the_whole_screen_is_captured(hands: Hands, tmp_path: Path) -> None:
    status, found = hands.status("screenshot", "--out", str(tmp_path / "shot.png"))
    assert status == 0, found
    with Image.open(io.BytesIO((tmp_path / "shot.png").read_bytes())) as picture:
        assert picture.size == (WIDTH, HEIGHT)
        assert len(picture.convert("RGB").getcolors(maxcolors=WIDTH * HEIGHT) or ()) > 10


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("screenshot", "--title", TITLE), "DESKTOP_UNSUPPORTED_HERE"),
        (("close-window", "--app", "nothing of this name"), "DESKTOP_NO_MATCH"),
        (("move-window", "--title", TITLE, "--x", "5", "--y", "5"), "DESKTOP_UNSUPPORTED_HERE"),
        (("click", "--role", "push_button", "--name", "Greet"), "DESKTOP_TARGET_BOUNDS_MISSING"),
    ],
)
def test_what_wayland_does_not_allow_is_refused_with_nothing_dispatched(
    hands: Hands, words: tuple[str, ...], code: str
) -> None:
    hands.status("observe", "--title", TITLE)
    _, found = hands.status(*words)
    assert found["error"]["code"] == code, found
    assert found["error"]["details"].get("dispatched") == "no"


def test_a_gtk_4_window_is_closed_by_its_own_action(hands: Hands, session: WaylandSession) -> None:
    program = session.run("gtk4", "second form")
    hands.status("observe", "--title", "second form")
    status, done = hands.status("close-window", "--title", "second form")
    assert (status, done["verdict"]) == (0, "verified"), done
    program.process.wait(PATIENCE_S)


def test_text_by_keys_needs_a_known_foreground_and_the_portal_that_sends_them(hands: Hands) -> None:
    """Newer GTK says which window is active; then it is the portal that sway does not have."""
    hands.status("observe", "--title", TITLE)
    _, found = hands.status("type", "--role", "text", "--name", "Name", "--value", "x")
    assert found["error"]["code"] in {"DESKTOP_FOREGROUND_UNKNOWN", "DESKTOP_PORTAL_MISSING"}, found
    assert found["error"]["details"]["dispatched"] == "no"


def test_the_doctor_says_what_it_saw(hands: Hands) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "deepseekeyes", "doctor", "--json"],
        env=hands.environ,
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
    )
    told = done.stdout.decode()
    assert "compositor sway" in told, told
    assert "Screenshot portal 2" in told
    assert "no RemoteDesktop portal" in told
    assert json.loads(told)["schema"].startswith("deepseekeyes.doctor")
