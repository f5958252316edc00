"""Pictures and input through the portals of a desktop on paper, over a bus of its own."""

from __future__ import annotations

import io
import os
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from desktop_session import _bus, _surroundings
from jeepney.io.blocking import open_dbus_connection
from PIL import Image
from portal_on_paper import PaperPortal

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.chords import parse_chord
from deepseekeyes.desktop.adapters.wayland.keys import Keyboard
from deepseekeyes.desktop.adapters.wayland.portal import Portal
from deepseekeyes.desktop.adapters.wayland.remote import RemoteDesktop
from deepseekeyes.desktop.adapters.wayland.screenshot import Screenshot
from deepseekeyes.desktop.codes import DESKTOP_FOREGROUND_UNKNOWN

pytestmark = pytest.mark.service
LAYOUT = Box(0, 0, 100, 50)


@pytest.fixture
def environ() -> Iterator[dict[str, str]]:
    """An environment with a session bus that ends with the test."""
    with tempfile.TemporaryDirectory(prefix="bus-") as name:
        folder = Path(name)
        found = _surroundings(folder)
        process, found["DBUS_SESSION_BUS_ADDRESS"] = _bus(folder, found)
        try:
            yield found
        finally:
            process.kill()
            process.wait(30)


@pytest.fixture
def paper(environ: dict[str, str]) -> Iterator[PaperPortal]:
    made = PaperPortal(environ["DBUS_SESSION_BUS_ADDRESS"]).open()
    yield made
    made.close()


@pytest.fixture
def portal(environ: dict[str, str]) -> Iterator[Portal]:
    made = Portal(environ, wait_s=20)
    yield made
    made.close()


@dataclass
class Front:
    """Windows of which one has the keyboard, until it has not."""

    checks: int = 0
    lost_after: int = 1_000

    def require_foreground(self, window: str | None) -> None:
        self.checks += 1
        if window is None or self.checks > self.lost_after:
            raise EyesError(DESKTOP_FOREGROUND_UNKNOWN, "Nobody knows.", details={"dispatched": "no"})


def remote_of(portal: Portal, note: Path | None = None) -> RemoteDesktop:
    return RemoteDesktop(portal, note)


def keyboard_of(remote: RemoteDesktop, front: Front | None = None) -> Keyboard:
    windows: Any = front or Front()
    return Keyboard(remote, windows)


def refusal(call: Any, *given: Any, **more: Any) -> tuple[str, Any]:
    with pytest.raises(EyesError) as failed:
        call(*given, **more)
    return failed.value.code.name, failed.value.details.get("dispatched")


def picture(folder: Path, name: str = "shot one.png", size: tuple[int, int] = (200, 100)) -> Path:
    out = io.BytesIO()
    image = Image.new("RGB", size, "white")
    image.putpixel((10, 20), (255, 0, 0))
    image.save(out, "PNG")
    place = folder / name
    place.write_bytes(out.getvalue())
    return place


def test_a_picture_is_read_once_and_its_file_removed(paper: PaperPortal, portal: Portal, tmp_path: Path) -> None:
    place = picture(tmp_path)
    paper.person.uri = place.as_uri()
    grab = Screenshot(portal).take(LAYOUT, None)
    assert (grab.width, grab.height, grab.origin, grab.scale, grab.method) == (200, 100, (0, 0), 2.0, "screen")
    assert grab.rgb[3 * (20 * 200 + 10) :][:3] == b"\xff\x00\x00"
    assert not place.exists()


def test_a_region_is_cut_out_of_the_whole_screen(paper: PaperPortal, portal: Portal, tmp_path: Path) -> None:
    paper.person.uri = picture(tmp_path).as_uri()
    grab = Screenshot(portal).take(LAYOUT, Box(5, 10, 20, 10))
    assert (grab.width, grab.height, grab.origin, grab.method) == (40, 20, (5, 10), "region")
    assert grab.rgb[:3] == b"\xff\x00\x00"


@pytest.mark.parametrize(("answer", "code"), [(1, "DESKTOP_PORTAL_DENIED"), (2, "DESKTOP_PORTAL_FAILED")])
def test_a_person_may_refuse_a_picture(paper: PaperPortal, portal: Portal, answer: int, code: str) -> None:
    paper.person.answer = answer
    assert refusal(Screenshot(portal).take, LAYOUT, None) == (code, "no")


def test_an_answer_that_comes_before_the_call_returns_is_heard(
    paper: PaperPortal, portal: Portal, tmp_path: Path
) -> None:
    paper.person.early = True
    paper.person.uri = picture(tmp_path).as_uri()
    assert Screenshot(portal).take(LAYOUT, None).width == 200


def test_a_question_nobody_answers_is_withdrawn(paper: PaperPortal, environ: dict[str, str]) -> None:
    paper.person.answer = None
    portal = Portal(environ, wait_s=0.3)
    assert refusal(Screenshot(portal).take, LAYOUT, None) == ("DESKTOP_TIMEOUT", "no")
    assert len(paper.withdrawn) == 1
    portal.close()


@pytest.mark.parametrize("what", ["a link", "an old file", "another scheme", "no picture", "black", "another shape"])
def test_what_is_no_fresh_picture_of_the_screen_is_not_taken(
    paper: PaperPortal, portal: Portal, tmp_path: Path, what: str
) -> None:
    place = picture(tmp_path, size=(200, 80) if what == "another shape" else (200, 100))
    if what == "a link":
        (tmp_path / "link.png").symlink_to(place)
        place = tmp_path / "link.png"
    if what == "an old file":
        os.utime(place, (1, 1))
    if what == "no picture":
        place.write_bytes(b"hello")
    if what == "black":
        Image.new("RGB", (200, 100)).save(place, "PNG")
    paper.person.uri = "https://127.0.0.1/shot.png" if what == "another scheme" else place.as_uri()
    assert refusal(Screenshot(portal).take, LAYOUT, None) == ("DESKTOP_SCREENSHOT_MISSING", "no")
    assert place.exists() == (what in {"a link", "an old file", "another scheme"})


def test_a_missing_portal_has_its_code(paper: PaperPortal, portal: Portal) -> None:
    paper.versions.clear()
    assert refusal(Screenshot(portal).take, LAYOUT, None) == ("DESKTOP_PORTAL_MISSING", "no")
    assert refusal(remote_of(portal).begin, "keyboard") == ("DESKTOP_PORTAL_MISSING", "no")


def test_without_any_portal_nothing_is_waited_for(environ: dict[str, str]) -> None:
    portal = Portal(environ, wait_s=20)
    assert portal.versions() == {}
    assert refusal(Screenshot(portal).take, LAYOUT, None) == ("DESKTOP_PORTAL_MISSING", "no")
    portal.close()


def test_signals_of_others_do_not_answer(paper: PaperPortal, environ: dict[str, str]) -> None:
    paper.person.answer = None
    portal = Portal(environ, wait_s=0.5)
    portal.versions()
    other = PaperPortal(environ["DBUS_SESSION_BUS_ADDRESS"])
    other._link = open_dbus_connection(environ["DBUS_SESSION_BUS_ADDRESS"])
    true_request = portal.bus().listen

    def forged(rule: str) -> None:
        true_request(rule)
        if "Request" in rule:
            folder = rule.partition("path_namespace='")[2].rstrip("'")
            other._signal(f"{folder}/x", "Request", "Response", "ua{sv}", (0, {}), portal.bus().name)

    object.__setattr__(portal, "_bus", _Spying(portal.bus(), forged))
    assert refusal(Screenshot(portal).take, LAYOUT, None) == ("DESKTOP_TIMEOUT", "no")
    other._link.close()
    portal.close()


class _Spying:
    """A bus whose `listen` is watched."""

    def __init__(self, bus: Any, listen: Any) -> None:
        self._real, self.listen = bus, listen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def test_text_is_sent_as_keysyms_each_released(paper: PaperPortal, portal: Portal) -> None:
    remote = remote_of(portal)
    typed = keyboard_of(remote).type_text("aÉ😀\n", "w")
    assert (typed.sent, typed.total) == (4, 4)
    keysyms = [0x61, 0xC9, 0x0101F600, 0xFF0D]
    assert paper.events == [("KeyboardKeysym", one, down) for one in keysyms for down in (1, 0)]
    remote.close()
    assert len(paper.ended) == 1
    assert paper.sessions == {}


def test_a_chord_is_released_in_the_opposite_order(paper: PaperPortal, portal: Portal) -> None:
    keyboard_of(remote_of(portal)).press(parse_chord("CTRL+s"), "w")
    control, s = 0xFFE3, 0x73
    assert [one[1:] for one in paper.events] == [(control, 1), (s, 1), (s, 0), (control, 0)]


def test_only_the_keyboard_is_asked_for_when_keys_are_sent(paper: PaperPortal, portal: Portal) -> None:
    remote_of(portal).begin("keyboard")
    assert [name for name, _ in paper.asked] == ["CreateSession", "SelectDevices", "Start"]
    assert paper.asked[1][1]["types"] == 1


def test_a_person_may_refuse_control(paper: PaperPortal, portal: Portal) -> None:
    paper.person.answer = 1
    assert refusal(keyboard_of(remote_of(portal)).type_text, "a", "w") == ("DESKTOP_PORTAL_DENIED", "no")
    assert paper.events == []
    assert paper.sessions == {}


def test_a_device_that_was_left_out_is_not_used(paper: PaperPortal, portal: Portal) -> None:
    paper.person.devices = 2
    assert refusal(keyboard_of(remote_of(portal)).type_text, "a", "w") == ("DESKTOP_PORTAL_DENIED", "no")
    assert paper.events == []


def test_a_session_that_is_ended_while_typing_stops_at_once(paper: PaperPortal, portal: Portal) -> None:
    paper.person.ends_after = 4
    with pytest.raises(EyesError) as failed:
        keyboard_of(remote_of(portal)).type_text("abcd", "w")
    assert failed.value.code.name == "DESKTOP_PORTAL_CLOSED"
    assert failed.value.details["dispatched"] == "yes"
    assert (failed.value.fields["sent"], failed.value.fields["total"]) == (2, 4)
    assert len(paper.events) == 4


def test_nothing_is_asked_of_a_person_while_the_foreground_is_unknown(paper: PaperPortal, portal: Portal) -> None:
    keyboard = keyboard_of(remote_of(portal))
    assert refusal(keyboard.type_text, "a", None) == ("DESKTOP_FOREGROUND_UNKNOWN", "no")
    assert refusal(keyboard.press, parse_chord("a"), None) == ("DESKTOP_FOREGROUND_UNKNOWN", "no")
    assert paper.asked == []


def test_typing_stops_when_the_window_loses_the_keyboard(paper: PaperPortal, portal: Portal) -> None:
    keyboard = keyboard_of(remote_of(portal), Front(lost_after=2))
    assert refusal(keyboard.type_text, "x" * 40, "w") == ("DESKTOP_FOREGROUND_UNKNOWN", "yes")
    assert len(paper.events) == 2 * 16


def test_text_that_no_key_gives_is_refused_whole(paper: PaperPortal, portal: Portal) -> None:
    assert refusal(keyboard_of(remote_of(portal)).type_text, "ok\x07", "w") == ("DESKTOP_TEXT_UNSENDABLE", "no")
    assert paper.asked == []


def test_leave_is_remembered_for_one_use_each_in_a_private_file(
    paper: PaperPortal, environ: dict[str, str], tmp_path: Path
) -> None:
    note = tmp_path / "private" / "leave.json"
    for turn in range(3):
        portal = Portal(environ, wait_s=20)
        remote = remote_of(portal, note)
        paper.person.answer = 0 if turn == 0 else 1
        remote.begin("keyboard")
        remote.close()
        portal.close()
        assert len(paper.tokens) == 1
        assert next(iter(paper.tokens)) in note.read_text()
        assert stat.S_IMODE(note.stat().st_mode) == 0o600
    given = [options.get("restore_token") for name, options in paper.asked if name == "SelectDevices"]
    assert given[0] is None
    assert len(set(given)) == 3


def test_an_old_portal_is_not_asked_to_remember(paper: PaperPortal, portal: Portal, tmp_path: Path) -> None:
    paper.versions["RemoteDesktop"] = 1
    remote_of(portal, tmp_path / "leave.json").begin("keyboard")
    assert set(paper.asked[1][1]) == {"handle_token", "types"}
    assert not (tmp_path / "leave.json").exists()


def test_a_refusal_forgets_the_token(paper: PaperPortal, portal: Portal, tmp_path: Path) -> None:
    note = tmp_path / "leave.json"
    note.write_text('{"keyboard": "worn out", "pointer": "kept"}')
    paper.person.answer = 1
    assert refusal(remote_of(portal, note).begin, "keyboard") == ("DESKTOP_PORTAL_DENIED", "no")
    assert note.read_text() == '{"pointer": "kept"}'


def test_the_pointer_goes_to_places_of_shared_monitors_only(paper: PaperPortal, portal: Portal) -> None:
    remote = remote_of(portal)
    remote.begin("pointer")
    remote.move(150, 40)
    assert paper.events == [("PointerMotionAbsolute", 77, 50.0, 40.0)]
    assert refusal(remote.move, 50, 40) == ("DESKTOP_POINT_UNKNOWN", "yes")
    remote.begin("pointer")
    assert refusal(remote.move, 50, 40) == ("DESKTOP_POINT_UNKNOWN", "no")


def test_a_stream_without_a_place_gives_no_points(paper: PaperPortal, portal: Portal) -> None:
    del paper.stream["position"]
    remote = remote_of(portal)
    remote.begin("pointer")
    assert refusal(remote.move, 150, 40) == ("DESKTOP_POINT_UNKNOWN", "no")
    assert paper.events == []


def test_without_screen_cast_there_is_no_pointer(paper: PaperPortal, portal: Portal) -> None:
    del paper.versions["ScreenCast"]
    assert refusal(remote_of(portal).begin, "pointer") == ("DESKTOP_PORTAL_MISSING", "no")
    assert paper.asked == []


def test_buttons_and_wheel_are_sent(paper: PaperPortal, portal: Portal) -> None:
    remote = remote_of(portal)
    remote.begin("pointer")
    remote.button(0x110, down=True)
    remote.button(0x110, down=False)
    remote.wheel(0, -2)
    assert paper.events == [("PointerButton", 0x110, 1), ("PointerButton", 0x110, 0), ("PointerAxisDiscrete", 0, -2)]
