"""What an observation shows: the window itself whatever covers it, every monitor; and that it ends in time."""

from __future__ import annotations

from typing import Any

import pytest
from desktop_driving import Hands
from desktop_session import PROGRAMS, desktop_session, until

pytestmark = [pytest.mark.service, pytest.mark.timeout(600)]

BLUE = (32, 96, 192)


def colours(hands: Hands, document: dict[str, Any]) -> tuple[tuple[int, int], list[tuple[int, int, int]]]:
    """Size of the screenshot, and its colours, the most frequent one first."""
    picture = hands.picture(document)
    found = picture.getcolors(1 << 20) or []
    return picture.size, [colour for _, colour in sorted(found, reverse=True)]


def test_a_covered_window_is_seen_as_itself(hands: Hands) -> None:
    desktop = hands.desktop
    desktop.run("colour", "--at", "100,100")
    cover = desktop.run("colour", "--at", "60,60", "--size", "500x400", "--colour", "#ff0000", title="cover")
    desktop.display.raise_above(cover.window().xid)
    until("the cover in front", lambda: desktop.display.active == cover.window().xid)
    seen = hands("observe", "--title", "colour form", "--screenshot")
    assert colours(hands, seen) == ((300, 200), [BLUE])
    rows = {row["title"]: row["z"] for row in seen["windows"]}
    assert rows["cover"] < rows["colour form"]


def test_a_window_half_off_the_screen_is_seen_and_clicked_where_it_was_seen(hands: Hands) -> None:
    desktop = hands.desktop
    program = desktop.run("colour")
    desktop.display.place(program.window().xid, -100, -50)
    until("the window to lie there", lambda: program.window().box[:2] == (-100, -50))
    seen = hands("observe", "--title", "colour form", "--screenshot")
    assert colours(hands, seen) == ((300, 200), [BLUE])
    assert (seen["screen"]["x"], seen["screen"]["y"]) == (-100, -50)
    clicked = hands("click", "--x", "150", "--y", "120", "--state", seen["stateId"])
    assert program.tells("clicked") == {"event": "clicked", "x": 150, "y": 120}
    status, outside = hands.status("click", "--x", "40", "--y", "20", "--state", clicked["stateId"])
    assert (status, outside["error"]["code"]) == (7, "DESKTOP_COORDINATE_OUT_OF_BOUNDS")
    assert len(program.told()) == 3


def test_monitors_left_of_the_primary_one_keep_their_sign(hands: Hands) -> None:
    with desktop_session() as desktop:
        desktop.display.split(right=(640, 0, 640, 800), left=(-200, 0, 500, 800))
        program = desktop.run("colour", "--at", "700,300")
        desktop.display.move_pointer(1000, 700)
        theirs = Hands(desktop, hands.home)
        seen = theirs("observe", "--screenshot")
        boxes = [(row["name"], row["primary"], row["bounds"]["x"]) for row in seen["monitors"]]
        assert boxes == [("right", True, 640), ("left", False, -200)]
        left, top, _, _ = program.window().box
        x, y = left + 20 - seen["screen"]["x"], top + 30 - seen["screen"]["y"]
        clicked = theirs("click", "--x", str(x), "--y", str(y), "--state", seen["stateId"])
        assert program.tells("clicked") == {"event": "clicked", "x": 20, "y": 30}
        gap = str(400 - seen["screen"]["x"])
        status, refused = theirs.status("click", "--x", gap, "--y", "10", "--state", clicked["stateId"])
        assert (status, refused["error"]["code"]) == (7, "DESKTOP_COORDINATE_OUT_OF_BOUNDS")


def test_a_program_that_answers_nothing_does_not_hold_up_a_look(hands: Hands) -> None:
    program = hands.desktop.run("gtk3")
    before = hands("observe", "--title", "gtk3 form")
    program.freeze()
    frozen = hands("observe", "--title", "gtk3 form", "--screenshot")
    assert frozen["semanticStatus"]["limitReason"] == "app-timeout"
    assert frozen["semanticStatus"]["elapsedMs"] < 12_000
    assert hands.picture(frozen).size == (before["screen"]["width"], before["screen"]["height"])
    program.thaw()
    thawed = hands("observe", "--title", "gtk3 form")
    refs = [row["ref"] for row in before["elements"]]
    assert [row["ref"] for row in thawed["elements"]] == refs


def test_rows_that_are_scrolled_out_are_not_clicked_until_they_are_in_view(hands: Hands) -> None:
    program = hands.desktop.run("gtk3", "--rows", "40")
    title = ("--title", "gtk3 form")
    seen = hands("observe", *title)
    rows = {row["name"]: row for row in seen["elements"] if row["name"].startswith("Row ")}
    assert rows["Row 1"]["bbox"] is not None
    assert all(row["bbox"] is None for name, row in rows.items() if name == "Row 40")
    assert hands.refused("click", *title, "--role", "push_button", "--name", "Row 40") in {
        "DESKTOP_TARGET_BOUNDS_MISSING",
        "DESKTOP_NO_MATCH",
    }
    area = rows["Row 1"]["bbox"]
    point = ("--x", str(area["x"] + 20), "--y", str(area["y"] + 10))
    state = hands("observe", *title)["stateId"]
    scrolled = hands("scroll", *point, "--delta-y", "6000", "--state", state)
    assert (scrolled["verdict"], program.tells("scrolled")["value"] > 0) == ("verified", True)
    again = hands("observe", *title)["stateId"]
    hands.status("scroll", *point, "--delta-y", "6000", "--state", again)
    hands("click", *title, "--role", "push_button", "--name", "Row 40")
    program.tells("row", value="Row 40")


def test_without_a_window_manager_windows_are_seen_and_used(hands: Hands) -> None:
    with desktop_session(window_manager=False) as desktop:
        process = desktop.start(["/usr/bin/python3", str(PROGRAMS / "colour.py"), "--title", "bare"], "bare")
        process.tells("ready")
        desktop.display.move_pointer(1000, 700)
        theirs = Hands(desktop, hands.home)
        seen = theirs("observe", "--title", "bare", "--screenshot")
        assert colours(theirs, seen) == ((300, 200), [BLUE])
        theirs("click", "--x", "30", "--y", "40", "--state", seen["stateId"])
        process.tells("clicked", x=30, y=40)


def test_a_display_that_is_not_there_is_said_to_be_missing(hands: Hands) -> None:
    status, none = hands.status("observe", DISPLAY="")
    assert (status, none["error"]["code"]) == (3, "DESKTOP_DISPLAY_MISSING")
    status, dead = hands.status("observe", DISPLAY=":4711")
    assert (status, dead["error"]["code"]) == (3, "DESKTOP_DISPLAY_MISSING")
