"""What a desktop command refuses, and that nothing reached any program when it did."""

from __future__ import annotations

from typing import Any

import pytest
from desktop_driving import Hands
from desktop_session import Program, until

pytestmark = [pytest.mark.service, pytest.mark.timeout(600)]

LONG = "the quick brown fox jumps over the lazy dog " * 20
ENTRY = ("--x", "240", "--y", "44")
"""A point in the entry of the Tk form."""


def typing(hands: Hands, text: str) -> Any:
    """Start typing into the Tk form."""
    state = hands("observe", "--title", "tk form")["stateId"]
    return hands.start("type", *ENTRY, "--state", state, "--value", text)


def text_of(program: Program) -> str:
    """What the form's entry holds by now."""
    return str(next((each["value"] for each in reversed(program.told()) if each["event"] == "name"), ""))


def test_nothing_is_looked_at_or_done_while_desktops_are_switched_off(hands: Hands) -> None:
    hands.enabled = False
    for words in (("observe",), ("windows",), ("click", "--title", "x", "--name", "y"), ("launch", "mousepad")):
        status, found = hands.status(*words, DISPLAY=":4711")
        assert (status, found["error"]["code"]) == (9, "DESKTOP_DISABLED")
    assert hands("windows", DEEPSEEKEYES_DESKTOP_ENABLED="true")["items"] == []


def test_a_window_that_takes_the_focus_gets_no_text(hands: Hands) -> None:
    program = hands.desktop.run("tk", "--thief-after", "12")
    status, found = hands.ended(typing(hands, LONG))
    program.tells("thief")
    assert (status, found["error"]["code"]) == (7, "TARGET_FOCUS_MISMATCH")
    assert found["error"]["details"]["dispatched"] == "yes"
    stolen = [each for each in program.told() if each["event"] == "stolen"]
    assert (stolen, LONG.startswith(text_of(program)), len(text_of(program)) < len(LONG)) == ([], True, True)


def test_a_modal_question_keeps_its_owner_from_being_used(hands: Hands) -> None:
    program = hands.desktop.run("gtk3", "--at", "400,200")
    title = ("--title", "gtk3 form")
    hands("click", *title, "--role", "push_button", "--name", "Ask")
    program.tells("asking")
    assert hands.refused("type", *title, "--role", "text", "--name", "Name", "--value", "no") == (
        "DESKTOP_MODAL_TARGET_BLOCKED"
    )
    assert hands.refused("click", *title, "--role", "push_button", "--name", "Quit") == "DESKTOP_MODAL_TARGET_BLOCKED"
    hands("click", "--title", "Sure?", "--role", "push_button", "--name", "Yes")
    program.tells("answer", value="yes")
    assert not [each for each in program.told() if each["event"] == "name"]


def test_a_ref_is_never_good_for_another_window_of_the_same_number(hands: Hands) -> None:
    first = hands.desktop.run("gtk3")
    seen = hands("observe", "--title", "gtk3 form")
    (button,) = [row for row in seen["elements"] if row["name"] == "Greet"]
    old, xid = seen["capturedWindow"], first.window().xid
    hands.desktop.end_programs()
    again = hands.desktop.run("gtk3")
    assert again.window().xid == xid
    refused = {
        hands.refused("click", "--ref", button["ref"], "--state", seen["stateId"]),
        hands.refused("close-window", "--window", old, "--state", hands("observe")["stateId"]),
    }
    assert refused <= {"DESKTOP_WINDOW_GONE", "DESKTOP_STATE_STALE", "DESKTOP_WINDOW_REF_NOT_FOUND"}
    assert [each["event"] for each in again.told()] == ["ready"]


def test_a_window_that_closes_between_look_and_act_is_refused(hands: Hands) -> None:
    program = hands.desktop.run("gtk3")
    other = hands.desktop.run("colour", "--at", "0,0", "--size", "1200x700")
    seen = hands("observe", "--title", "gtk3 form")
    (button,) = [row for row in seen["elements"] if row["name"] == "Greet"]
    program.end()
    until("the window to go", lambda: len(hands.desktop.display.windows()) == 1)
    status, found = hands.status("click", "--ref", button["ref"], "--state", seen["stateId"])
    assert (status, found["error"]["code"], found["error"]["details"]["dispatched"]) == (7, "DESKTOP_WINDOW_GONE", "no")
    assert [each["event"] for each in other.told()] == ["ready"]


def test_a_point_that_something_covers_since_is_refused(hands: Hands) -> None:
    program = hands.desktop.run("colour", "--at", "100,100")
    seen = hands("observe", "--title", "colour form")
    cover = hands.desktop.run("colour", "--at", "60,60", "--size", "500x400", title="cover")
    point = ("--x", "150", "--y", "100", "--state", seen["stateId"])
    status, planned = hands.status("click", *point, "--plan")
    assert (status, planned["error"]["code"], "cover" in planned["plan"]["topmost"]) == (
        7,
        "DESKTOP_POINT_OBSCURED",
        True,
    )
    assert hands.refused("scroll", *point, "--delta-y", "60") == "DESKTOP_POINT_OBSCURED"
    assert [each["event"] for each in program.told() + cover.told()] == ["ready", "ready"]


def test_a_held_keyboard_refuses_text(hands: Hands) -> None:
    program = hands.desktop.run("tk")
    with hands.desktop.display.keyboard_held():
        state = hands("observe", "--title", "tk form")["stateId"]
        status, found = hands.status("type", *ENTRY, "--state", state, "--value", "no")
        assert (status, found["error"]["code"]) == (7, "DESKTOP_INPUT_GRABBED")
    assert text_of(program) == ""


def test_a_person_at_the_mouse_stops_the_typing(hands: Hands) -> None:
    program = hands.desktop.run("tk")
    going = typing(hands, LONG)
    until("the first characters", lambda: text_of(program))
    hands.desktop.display.move_pointer(900, 600)
    status, found = hands.ended(going)
    assert (status, found["error"]["code"]) == (7, "DESKTOP_HUMAN_INPUT")
    sent = text_of(program)
    assert (LONG.startswith(sent), 0 < len(sent) < len(LONG)) == (True, True)


def test_the_corner_stops_everything_until_the_pointer_leaves_it(hands: Hands) -> None:
    program = hands.desktop.run("gtk3")
    click = ("click", "--title", "gtk3 form", "--role", "push_button", "--name", "Greet")
    hands.desktop.display.move_pointer(0, 0)
    status, found = hands.status(*click)
    assert (status, found["error"]["code"]) == (9, "DESKTOP_ABORTED")
    assert [each["event"] for each in program.told()] == ["ready"]
    hands.desktop.display.move_pointer(700, 700)
    hands(*click)
    program.tells("greet")


def test_programs_are_launched_and_touched_only_as_allowed(hands: Hands) -> None:
    status, found = hands.status("launch", "mousepad")
    assert (status, found["error"]["code"]) == (9, "DESKTOP_LAUNCH_DENIED")
    program = hands.desktop.run("tk")
    (row,) = hands("windows")["items"]
    (hands.home / "config.toml").write_text(f'[desktop]\nsettle_ms = 60\ndeny = ["{row["app"]}"]\n')
    status, found = hands.status("observe", "--app", row["app"])
    assert (status, found["error"]["code"]) == (9, "DESKTOP_APPLICATION_DENIED")
    assert text_of(program) == ""
