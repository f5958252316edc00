"""Text reaches the target that is meant, or nothing: every check of the contract, in its order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from paper_desktop import PaperDesktop, form

from deepseekeyes.core.geometry import Box

Prepare = Callable[[PaperDesktop], None]


def _aimed(hands: Any, title: str = "form", **more: Any) -> dict[str, Any]:
    seen = hands("observe", title=title)
    refs = {one["name"]: one["ref"] for one in seen["elements"] if one["role"] != "label"}
    windows = {one["title"]: one["ref"] for one in seen["windows"]}
    return {
        "state": seen["stateId"],
        "value": "plain",
        **{k: v(refs, windows) if callable(v) else v for k, v in more.items()},
    }


def _refused(hands: Any, paper: PaperDesktop, code: str, **given: Any) -> dict[str, Any]:
    """A refusal: the code, nothing sent, a fresh state beside it, and the old one worth nothing any more."""
    done = hands("type", **given)
    assert (done["verdict"], done["error"]["code"]) == ("refused", code), done["error"]
    assert done["error"]["details"]["dispatched"] == "no"
    assert paper.sent() == []
    again: dict[str, Any] = done["state"]
    assert again["stateId"] != given.get("state")
    return done


@pytest.mark.parametrize(
    "given",
    [
        {"value": "x"},
        {"value": "x", "ref": "el_1", "x": 1, "y": 1, "state": "s"},
        {"value": "x", "x": 1, "state": "s"},
        {"value": "x", "ref": "el_1", "name": "Name", "state": "s"},
    ],
    ids=["no target", "two targets", "half a point", "ref and locator"],
)
def test_check_1_exactly_one_target(hands: Any, paper: PaperDesktop, given: dict[str, Any]) -> None:
    hands("observe", title="form")
    found = hands("type", **given)
    assert found["error"]["kind"] == "usage"
    assert paper.sent() == []


def test_check_1_text_is_present_and_may_be_empty(hands: Any, paper: PaperDesktop) -> None:
    aimed = _aimed(hands, ref=lambda refs, _: refs["Name"])
    del aimed["value"]
    assert hands("type", **aimed)["error"]["code"] == "TEXT_MISSING"
    assert hands("type", **aimed, value="")["verdict"] == "verified"


def test_check_2_the_state_is_the_newest(hands: Any, paper: PaperDesktop) -> None:
    aimed = _aimed(hands, ref=lambda refs, _: refs["Name"])
    hands("observe", title="form")
    _refused(hands, paper, "DESKTOP_STATE_STALE", **aimed)


def test_check_3_the_point_lies_inside_the_screenshot(hands: Any, paper: PaperDesktop) -> None:
    _refused(hands, paper, "DESKTOP_COORDINATE_OUT_OF_BOUNDS", **_aimed(hands, x=200, y=10))
    last = hands("type", **_aimed(hands, x=60, y=20))
    assert last["error"] is None


def test_check_4_refs_are_of_the_newest_state(hands: Any, paper: PaperDesktop) -> None:
    _refused(hands, paper, "DESKTOP_ELEMENT_REF_NOT_FOUND", **_aimed(hands, ref="el_000000000000"))
    _refused(hands, paper, "DESKTOP_WINDOW_REF_NOT_FOUND", **_aimed(hands, x=60, y=20, window="win_000000000000"))


def test_check_5_element_and_window_agree(hands: Any, paper: PaperDesktop) -> None:
    form(paper, title="other", at=(10, 5))
    aimed = _aimed(hands, ref=lambda refs, _: refs["Name"], window=lambda _, windows: windows["other"])
    _refused(hands, paper, "DESKTOP_TYPE_TARGET_MISMATCH", **aimed)


@pytest.mark.parametrize("name", ["Total", "Save", "Agree"])
def test_check_6_what_takes_no_text_is_refused(hands: Any, paper: PaperDesktop, name: str) -> None:
    aimed = _aimed(hands, ref=lambda refs, _: refs[name])
    _refused(hands, paper, "DESKTOP_TYPE_TARGET_NOT_EDITABLE", **aimed)


def test_check_7_a_point_of_the_desktop_belongs_to_no_window_that_was_named(hands: Any, paper: PaperDesktop) -> None:
    seen = hands("observe")
    _refused(hands, paper, "DESKTOP_TYPE_WINDOW_REQUIRED", value="x", x=100, y=50, state=seen["stateId"])


def test_check_7_the_focused_target_serves_where_it_is_allowed_and_is_told(hands: Any, paper: PaperDesktop) -> None:
    paper.find("win-form").focus = "form/name"
    seen = hands("observe")
    done = hands("type", value="plain", allow_focused_target=True, state=seen["stateId"])

    assert (done["verdict"], done["facts"]["targetMode"]) == ("verified", "focused-target")
    report = hands("report")
    assert report["steps"][-1]["arguments"]["allowFocusedTarget"] is True
    assert "plain" not in hands.written().replace("plaintext", "")


def test_check_8_a_modal_window_of_any_program_keeps_text_away(hands: Any, paper: PaperDesktop) -> None:
    paper.pane("ask", "Sure?", (200, 10, 80, 60), app="else", modal=True, kind="dialog")
    aimed = _aimed(hands, ref=lambda refs, _: refs["Name"])
    _refused(hands, paper, "DESKTOP_MODAL_TARGET_BLOCKED", **aimed)


def test_check_8_a_dialog_that_comes_up_between_look_and_act_keeps_text_away(hands: Any, paper: PaperDesktop) -> None:
    aimed = _aimed(hands, ref=lambda refs, _: refs["Name"])
    paper.pane("ask", "Sure?", (200, 10, 80, 60), app="former", modal=True, kind="dialog", owner="win-form")
    done = _refused(hands, paper, "DESKTOP_MODAL_TARGET_BLOCKED", **aimed)
    assert "Sure?" in [one["title"] for one in done["state"]["windows"]]


def test_check_9_the_screenshot_is_of_the_window_that_is_named(hands: Any, paper: PaperDesktop) -> None:
    form(paper, title="other", at=(10, 5))
    aimed = _aimed(hands, x=60, y=20, window=lambda _, windows: windows["other"])
    _refused(hands, paper, "DESKTOP_COORDINATE_SPACE_MISMATCH", **aimed)


def test_check_10_it_is_known_where_the_target_lies(hands: Any, paper: PaperDesktop) -> None:
    paper.find("win-form").box = Box(float("inf"), 0, 200, 160)
    seen = hands("observe")
    window = next(one["ref"] for one in seen["windows"])
    _refused(hands, paper, "DESKTOP_TARGET_BOUNDS_MISSING", value="x", x=5, y=5, window=window, state=seen["stateId"])


def test_check_11_the_point_lies_inside_the_window(hands: Any, paper: PaperDesktop) -> None:
    seen = hands("observe")
    window = next(one["ref"] for one in seen["windows"])
    asked = {"value": "x", "window": window, "state": seen["stateId"]}
    _refused(hands, paper, "DESKTOP_TYPE_COORDINATE_OUTSIDE_WINDOW", **asked, x=240, y=100)


@pytest.mark.parametrize("x", [40, 239])
def test_check_11_left_edge_and_last_column_are_inside(hands: Any, paper: PaperDesktop, x: int) -> None:
    paper.find("win-form").things[2].box = (0, 10, 200, 20)
    seen = hands("observe")
    window = next(one["ref"] for one in seen["windows"])
    done = hands("type", value="x", window=window, state=seen["stateId"], x=x, y=50)
    assert done["verdict"] == "verified"


def _steals(paper: PaperDesktop) -> None:
    paper.hooks["focus_window"] = lambda: setattr(paper, "keyboard", "thief")
    paper.pane("thief", "Thief", (300, 200, 80, 60), app="thief")


def _vanishes(paper: PaperDesktop) -> None:
    paper.drop("win-form")


def _moves(paper: PaperDesktop) -> None:
    paper.find("win-form").box = Box(60, 30, 200, 160)


def _moves_when_raised(paper: PaperDesktop) -> None:
    paper.hooks["focus_window"] = lambda: setattr(paper.find("win-form"), "box", Box(90, 30, 200, 160))


def _renamed(paper: PaperDesktop) -> None:
    paper.find("win-form").things[2].name = "Recipient"


def _gone(paper: PaperDesktop) -> None:
    paper.find("win-form").things[2].gone = True


def _grabbed(paper: PaperDesktop) -> None:
    paper.grabbed_by = "keyboard"


def _locked(paper: PaperDesktop) -> None:
    paper.pane("lock", "", (0, 0, 400, 300), app="i3lock", kind="utility")


LIVE: list[tuple[str, Prepare, str]] = [
    ("the window has gone", _vanishes, "DESKTOP_WINDOW_GONE"),
    ("something takes the keyboard", _steals, "TARGET_FOCUS_MISMATCH"),
    ("the element has another name", _renamed, "DESKTOP_TARGET_CHANGED"),
    ("the element has gone", _gone, "DESKTOP_TARGET_CHANGED"),
    ("the input is grabbed", _grabbed, "DESKTOP_INPUT_GRABBED"),
    ("the screen is locked", _locked, "DESKTOP_APPLICATION_DENIED"),
    ("the window was moved", _moves, "DESKTOP_TARGET_MOVED"),
]


@pytest.mark.parametrize(("prepare", "code"), [row[1:] for row in LIVE], ids=[row[0] for row in LIVE])
def test_checks_12_to_14_on_an_element(hands: Any, paper: PaperDesktop, prepare: Prepare, code: str) -> None:
    aimed = _aimed(hands, ref=lambda refs, _: refs["Name"])
    prepare(paper)
    done = _refused(hands, paper, code, **aimed)
    assert hands("report")["summary"]["passed"] is False
    assert "plain" not in str(done["compared"])


@pytest.mark.parametrize(
    ("prepare", "code"),
    [
        (_vanishes, "DESKTOP_WINDOW_GONE"),
        (_steals, "TARGET_FOCUS_MISMATCH"),
        (_moves, "DESKTOP_TARGET_MOVED"),
        (_moves_when_raised, "DESKTOP_TARGET_MOVED"),
        (_grabbed, "DESKTOP_INPUT_GRABBED"),
    ],
)
def test_checks_12_to_14_on_a_point_come_before_its_click(
    hands: Any, paper: PaperDesktop, prepare: Prepare, code: str
) -> None:
    aimed = _aimed(hands, x=60, y=20)
    prepare(paper)
    _refused(hands, paper, code, **aimed)


def test_a_menu_of_the_very_window_holds_the_input_rightly(hands: Any, paper: PaperDesktop) -> None:
    paper.grabbed_by = "pointer"
    assert hands("click", name="Agree", title="form")["error"]["code"] == "DESKTOP_INPUT_GRABBED"
    paper.pane("menu", "former", (200, 60, 30, 40), app="former", kind="menu", owner="win-form")
    assert hands("click", name="Agree", title="form")["error"] is None
    assert paper.sent() == ["click"]


def test_an_element_that_does_not_keep_the_focus_gets_no_text(hands: Any, paper: PaperDesktop) -> None:
    elsewhere = lambda: setattr(paper.find("win-form"), "focus", "form/pass")  # noqa: E731
    paper.hooks.update(focus_element=elsewhere, click=elsewhere)
    done = hands("type", value="plain", name="Name", title="form")

    assert done["error"]["code"] == "TARGET_FOCUS_MISMATCH"
    assert (done["verdict"], done["error"]["details"]["dispatched"]) == ("unverified", "yes")
    assert paper.sent() == ["click"]


def test_focus_that_is_stolen_by_the_click_stops_the_text_and_says_what_happened(
    hands: Any, paper: PaperDesktop
) -> None:
    paper.hooks["click"] = lambda: setattr(paper, "keyboard", "win-other")
    form(paper, title="other", at=(240, 5))
    aimed = _aimed(hands, x=60, y=20)
    done = hands("type", **aimed)

    assert done["error"]["code"] == "TARGET_FOCUS_MISMATCH"
    assert done["error"]["message"].endswith("no text was sent.")
    assert (done["verdict"], done["error"]["details"]["dispatched"]) == ("unverified", "yes")
    assert paper.sent() == ["click"]


def test_a_point_that_puts_the_focus_on_a_button_gets_no_text(hands: Any, paper: PaperDesktop) -> None:
    done = hands("type", **_aimed(hands, x=10, y=105))
    assert done["error"]["code"] == "DESKTOP_TYPE_TARGET_NOT_EDITABLE"
    assert "type_text" not in paper.sent()


def test_lost_characters_are_noticed_and_nothing_is_typed_again(hands: Any, paper: PaperDesktop) -> None:
    paper.lossy = 2
    done = hands("type", value="hello", name="Name", title="form")

    assert (done["verdict"], done["error"]) == ("unverified", None)
    assert done["compared"][0]["what"] == "text"
    assert done["compared"][0]["holds"] is False
    assert paper.sent() == ["type_text"]


def test_a_person_at_the_mouse_makes_the_action_yield(hands: Any, paper: PaperDesktop) -> None:
    paper.before["type_text"] = lambda: setattr(paper, "disturbed_by", "pointer")
    done = hands("type", value="hello", name="Name", title="form")
    assert done["error"]["code"] == "DESKTOP_HUMAN_INPUT"
    assert paper.sent() == []


@pytest.mark.parametrize("text", ["two\nlines", "a\tb", "😀👩‍👩‍👧", "e\u0301", "", "שלום"])
def test_any_text_is_typed_as_it_is(hands: Any, paper: PaperDesktop, text: str) -> None:
    done = hands("type", value=text, name="Name", title="form")
    assert (done["verdict"], done["facts"]["textLength"]) == ("verified", len(text))
    assert paper.find("win-form").things[2].value == text


def test_of_two_windows_with_one_title_none_is_guessed(hands: Any, paper: PaperDesktop) -> None:
    form(paper, at=(150, 100))
    done = hands("close_window", title="form")
    assert (done["verdict"], done["error"]["code"]) == ("refused", "DESKTOP_MANY_MATCHES")
    assert len(done["error"]["details"]["candidates"]) == 2
    assert len(paper.panes) == 2


def test_a_secret_is_never_given_on_the_line_and_never_stored(hands: Any, paper: PaperDesktop) -> None:
    assert hands("type", value="x", secret=True, name="Password", title="form")["error"]["code"] == "TEXT_REFUSED"
    hands.environ["SITE"] = "very-secret-9"
    done = hands("type", value_env="SITE", secret=True, name="Password", title="form")

    assert done["error"] is None
    assert paper.find("win-form").things[3].value == "very-secret-9"
    hands("report")
    assert "very-secret-9" not in hands.written()
    assert "very-secret-9" not in str(done)


@pytest.mark.parametrize("command", ["type", "set_value"])
def test_a_secret_of_the_configuration_is_typed_by_its_name_alone(
    hands: Any, paper: PaperDesktop, command: str
) -> None:
    hands.environ["LOGIN"] = "by-name-only-7"
    hands.secrets = {"login": {"env": "LOGIN"}}
    done = hands(command, secret_name="login", name="Password", title="form")

    assert (done["error"], paper.find("win-form").things[3].value) == (None, "by-name-only-7")
    hands("report")
    assert "by-name-only-7" not in hands.written() + str(done)


def test_a_secret_for_sites_is_typed_into_no_window(hands: Any, paper: PaperDesktop) -> None:
    hands.environ["LOGIN"] = "for-sites-7"
    hands.secrets = {"login": {"value": {"env": "LOGIN"}, "origins": ["https://shop.example"]}}
    refused = hands("type", secret_name="login", name="Password", title="form")["error"]

    assert (refused["code"], refused["details"], paper.sent()) == ("SECRET_ELSEWHERE", {"dispatched": "no"}, [])


def test_a_value_without_a_way_of_its_own_is_selected_and_typed_over(hands: Any, paper: PaperDesktop) -> None:
    paper.semantic_values = False
    paper.find("win-form").things[2].value = "old"
    done = hands("set_value", name="Name", title="form", value="new")

    assert (done["verdict"], done["facts"]["inputMethod"]) == ("verified", "select-all-and-keys")
    assert paper.find("win-form").things[2].value == "new"
