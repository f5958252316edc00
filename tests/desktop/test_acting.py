"""Everything but text: clicks, keys, drags, scrolls, windows, and what is refused with nothing done."""

from __future__ import annotations

from typing import Any

import pytest
from paper_desktop import PaperDesktop, Thing, form

from deepseekeyes.core.geometry import Box


def _ref(seen: dict[str, Any], name: str) -> str:
    return str(next(one["ref"] for one in seen["elements"] if one["name"] == name and one["role"] != "label"))


def _refused(done: dict[str, Any], code: str) -> None:
    assert (done["verdict"], done["error"]["code"]) == ("refused", code), done["error"]
    assert done["error"]["details"]["dispatched"] == "no"


def test_a_point_that_something_covers_is_refused_and_named(hands: Any, paper: PaperDesktop) -> None:
    seen = hands("observe", title="form")
    paper.pane("over", "Over", (30, 120, 120, 60), app="over")
    for done in (
        hands("click", ref=_ref(seen, "Save"), state=seen["stateId"]),
        hands("click", name="Save", title="form"),
        hands("double_click", name="Save", title="form"),
        hands("right_click", name="Save", title="form"),
    ):
        _refused(done, "DESKTOP_POINT_OBSCURED")
        assert "Over" in done["error"]["message"]
    assert paper.sent() == []


def test_a_covered_window_is_seen_as_it_is(hands: Any, paper: PaperDesktop) -> None:
    alone = hands("observe", title="form")["screenshot"]["sha256"]
    paper.pane("over", "Over", (30, 20, 250, 200), app="over")
    covered = hands("observe", title="form")
    assert covered["screenshot"]["sha256"] == alone


@pytest.mark.parametrize("verb", ["click", "drag", "scroll", "move"])
def test_a_window_that_was_moved_meanwhile_gets_nothing(hands: Any, paper: PaperDesktop, verb: str) -> None:
    seen = hands("observe", title="form")
    paper.find("win-form").box = Box(70, 30, 200, 160)
    more: dict[str, Any] = {"drag": {"to_x": 5, "to_y": 5}, "scroll": {"delta_y": 60}}.get(verb, {})
    _refused(hands(verb, x=20, y=105, state=seen["stateId"], **more), "DESKTOP_TARGET_MOVED")
    assert paper.sent() == []


def test_an_element_that_moved_inside_its_window_gets_nothing(hands: Any, paper: PaperDesktop) -> None:
    seen = hands("observe", title="form")
    paper.find("win-form").things[5].box = (4, 126, 60, 24)
    _refused(hands("click", ref=_ref(seen, "Save"), state=seen["stateId"]), "DESKTOP_TARGET_MOVED")


def test_an_element_that_became_another_gets_nothing(hands: Any, paper: PaperDesktop) -> None:
    seen = hands("observe", title="form")
    paper.find("win-form").things[5].name = "Delete"
    _refused(hands("invoke", ref=_ref(seen, "Save"), state=seen["stateId"]), "DESKTOP_TARGET_CHANGED")
    assert paper.sent() == []


def test_what_is_greyed_out_is_refused(hands: Any, paper: PaperDesktop) -> None:
    _refused(hands("click", name="Later", title="form"), "DESKTOP_TARGET_DISABLED")
    _refused(hands("invoke", name="Later", title="form"), "DESKTOP_TARGET_DISABLED")


def test_elements_without_a_place_are_invoked_and_not_clicked(hands: Any, paper: PaperDesktop) -> None:
    paper.find("win-form").things[4].box = None
    _refused(hands("click", name="Agree", title="form"), "DESKTOP_TARGET_BOUNDS_MISSING")
    assert hands("invoke", name="Agree", title="form")["verdict"] == "verified"


def test_an_element_without_an_action_is_clicked_when_invoked(hands: Any, paper: PaperDesktop) -> None:
    paper.find("win-form").things[4].actions = ()
    done = hands("invoke", name="Agree", title="form")
    assert (done["verdict"], done["facts"]["inputMethod"]) == ("verified", "pointer")


def test_an_action_that_is_not_offered_is_refused_with_those_that_are(hands: Any, paper: PaperDesktop) -> None:
    done = hands("perform", action_name="explode", name="Agree", title="form")
    _refused(done, "DESKTOP_ACTION_NOT_EXPOSED")
    assert done["error"]["details"]["candidates"] == ["click"]


def test_the_last_pixel_is_inside_and_the_next_is_not(hands: Any, paper: PaperDesktop) -> None:
    seen = hands("observe")
    width, height = seen["screen"]["width"], seen["screen"]["height"]
    assert hands("click", x=width - 1, y=height - 1, state=seen["stateId"])["error"] is None
    _refused(hands("click", x=width, y=0, state=hands.state), "DESKTOP_COORDINATE_OUT_OF_BOUNDS")


def test_a_key_goes_to_the_window_that_was_looked_at_or_nowhere(hands: Any, paper: PaperDesktop) -> None:
    form(paper, title="other", at=(10, 5))
    seen = hands("observe", title="form")
    _refused(hands("key", key="CTRL+S", state=seen["stateId"]), "TARGET_FOCUS_MISMATCH")
    assert paper.sent() == []

    hands("focus", title="form")
    done = hands("key", key="CTRL+S", state=hands.state)
    assert done["error"] is None
    assert paper.sent() == ["press"]


def test_a_key_for_an_element_that_is_gone_is_pressed_nowhere(hands: Any, paper: PaperDesktop) -> None:
    seen = hands("observe", title="form")
    paper.find("win-form").things[2].gone = True
    _refused(hands("key", key="ENTER", ref=_ref(seen, "Name"), state=seen["stateId"]), "DESKTOP_TARGET_CHANGED")
    assert paper.sent() == []


def test_a_key_needs_a_state_a_window_and_a_known_name(hands: Any, paper: PaperDesktop) -> None:
    hands("observe")
    _refused(hands("key", key="ENTER"), "DESKTOP_STATE_MISSING")
    _refused(hands("key", key="ENTER", state=hands.state), "DESKTOP_TYPE_WINDOW_REQUIRED")
    done = hands("key", key="HYPER+Q", allow_focused_target=True, state=hands.state)
    assert done["error"]["code"] == "DESKTOP_KEY_UNKNOWN"
    assert hands("key", key="ENTER", allow_focused_target=True, state=hands.state)["error"] is None


def test_a_scroll_goes_to_its_point_in_notches_that_are_told(hands: Any, paper: PaperDesktop) -> None:
    seen = hands("observe", title="form")
    done = hands("scroll", x=20, y=30, delta_y=130, state=seen["stateId"])
    assert done["facts"] == {"notches": [0, 2]}
    assert paper.calls == [("move", 60, 60), ("scroll", 60, 60, 0, 2)]


def test_a_drag_starts_where_it_may_and_ends_inside_the_picture(hands: Any, paper: PaperDesktop) -> None:
    seen = hands("observe", title="form")
    outside = hands("drag", x=20, y=30, to_x=500, to_y=10, state=seen["stateId"])
    _refused(outside, "DESKTOP_COORDINATE_OUT_OF_BOUNDS")
    done = hands("drag", x=20, y=30, to_x=100, to_y=30, state=hands.state)
    assert paper.calls == [("move", 140, 60), ("drag", (60, 60), (140, 60))]
    assert done["marker"]["end"] == [100, 30]


def test_the_pointer_lands_where_it_was_sent(hands: Any, paper: PaperDesktop) -> None:
    seen = hands("observe")
    done = hands("move", x=33, y=44, state=seen["stateId"])
    assert (done["verdict"], paper.at) == ("verified", (33, 44))
    assert done["state"]["cursor"] == {"x": 33, "y": 44}


@pytest.mark.parametrize(
    ("scale", "origin"), [(1.0, (0, 0)), (2.0, (0, 0)), (1.5, (-200, 0)), (0.5, (-100, 0)), (3.0, (0, 0))]
)
def test_pixels_and_places_agree_at_every_scale_and_origin(
    hands: Any, paper: PaperDesktop, scale: float, origin: tuple[int, int]
) -> None:
    paper.scale = scale
    paper.area = Box(origin[0], origin[1], 400 - origin[0], 300 - origin[1])
    seen = hands("observe")
    assert seen["screen"]["x"] == origin[0]
    pixel = ((60 - origin[0]) * scale, (100 - origin[1]) * scale)
    hands("click", x=pixel[0], y=pixel[1], state=seen["stateId"])
    assert paper.calls[-1][1:3] == (60, 100)

    boxes = {one["name"]: one["bbox"] for one in hands("observe", title="form")["elements"]}
    assert boxes["Save"] == {"x": 4 * scale, "y": 100 * scale, "width": 60 * scale, "height": 24 * scale}


def test_a_point_on_a_monitor_left_of_the_first_keeps_its_sign(hands: Any, paper: PaperDesktop) -> None:
    paper.area = Box(-300, 0, 700, 300)
    paper.pane("left", "Left", (-280, 20, 200, 150), app="left")
    seen = hands("observe")
    hands("click", x=40, y=50, state=seen["stateId"])
    assert paper.calls == [("move", -260, 50), ("click", -260, 50, "left", 1)]


def test_windows_are_moved_resized_focused_and_closed_and_that_is_seen(hands: Any, paper: PaperDesktop) -> None:
    form(paper, title="other", at=(10, 5))
    assert hands("focus", title="form")["verdict"] == "verified"
    assert hands("move_window", title="form", x=120, y=60)["verdict"] == "verified"
    assert hands("resize_window", title="form", width=180, height=120)["verdict"] == "verified"
    closed = hands("close_window", title="form")
    assert (closed["verdict"], closed["state"]["scope"]) == ("verified", "desktop")
    assert [one["title"] for one in closed["state"]["windows"]] == ["other"]


def test_a_manager_that_puts_a_window_elsewhere_leaves_it_unverified(hands: Any, paper: PaperDesktop) -> None:
    paper.hooks["move_window"] = lambda: setattr(paper.find("win-form"), "box", Box(0, 0, 200, 160))
    done = hands("move_window", title="form", x=120, y=60)
    assert (done["verdict"], done["error"]) == ("unverified", None)


def test_a_window_that_asks_back_when_closed_is_not_gone(hands: Any, paper: PaperDesktop) -> None:
    paper.hooks["close_window"] = lambda: None
    assert hands("close_window", title="form")["verdict"] == "unverified"


def test_focus_by_ref_needs_a_state_and_by_name_none(hands: Any, paper: PaperDesktop) -> None:
    assert hands("focus", title="form")["verdict"] == "verified"
    ref = hands("observe")["windows"][0]["ref"]
    _refused(hands("focus", window=ref), "DESKTOP_STATE_MISSING")
    assert hands("focus", window=ref, state=hands.state)["verdict"] == "verified"


def test_a_window_that_vanished_is_an_error_for_a_look_and_a_refusal_without_pixels_for_an_action(
    hands: Any, paper: PaperDesktop
) -> None:
    form(paper, title="other", at=(10, 5))
    seen = hands("observe", title="form")
    paper.drop("win-form")
    done = hands("click", ref=_ref(seen, "Save"), state=seen["stateId"])
    _refused(done, "DESKTOP_WINDOW_GONE")
    state = done["state"]
    assert (state["captureLost"], state["screenshot"]) == ("form", None)
    assert [one["title"] for one in state["windows"]] == ["other"]

    look = hands("observe", scope="window")
    assert (look["error"]["code"], look["error"]["kind"]) == ("DESKTOP_WINDOW_GONE", "refused-stale")
    assert hands("observe")["scope"] == "desktop"


def test_a_click_that_closes_its_own_window_is_verified_by_that(hands: Any, paper: PaperDesktop) -> None:
    paper.find("win-form").things[5].clicked = lambda: paper.drop("win-form")
    done = hands("click", name="Save", title="form")
    assert (done["verdict"], done["error"]) == ("verified", None)
    assert done["state"]["captureLost"] == "form"


def test_a_click_without_any_effect_is_unverified_and_no_error(hands: Any, paper: PaperDesktop) -> None:
    paper.find("win-form").focus = "form/save"
    done = hands("click", name="Save", title="form")
    assert (done["verdict"], done["error"]) == ("unverified", None)


def test_names_choose_whole_before_part_and_controls_before_labels(hands: Any, paper: PaperDesktop) -> None:
    pane = paper.find("win-form")
    pane.things.append(Thing("form/all", "push_button", "Save all", (4, 134, 60, 20), actions=("click",)))
    assert hands("click", name="Save", title="form")["target"]["name"] == "Save"
    assert hands("click", name="Name", title="form")["target"]["role"] == "text"
    many = hands("click", role="push_button", with_text="save", title="form")
    _refused(many, "DESKTOP_MANY_MATCHES")
    assert len(many["error"]["details"]["candidates"]) == 2
    assert hands("click", role="push_button", with_text="save", nth=2, title="form")["target"]["name"] == "Save all"
    _refused(hands("click", name="Sav", role="link", title="form"), "DESKTOP_NO_MATCH")


def test_a_plan_says_window_point_and_what_is_topmost_and_does_nothing(hands: Any, paper: PaperDesktop) -> None:
    seen = hands("observe", title="form")
    done = hands("click", ref=_ref(seen, "Save"), state=seen["stateId"], plan=True)
    assert (done["verdict"], done["error"]) == (None, None)
    assert done["plan"]["point"] == {"x": 74, "y": 142}
    assert done["plan"]["topmost"] == '"form"'
    assert done["stateId"] == seen["stateId"]

    paper.pane("over", "Over", (30, 120, 120, 60), app="over")
    blocked = hands("click", ref=_ref(seen, "Save"), state=seen["stateId"], plan=True)
    assert blocked["error"]["code"] == "DESKTOP_POINT_OBSCURED"
    assert blocked["plan"]["topmost"] == '"Over"'
    assert paper.sent() == []


def test_an_error_after_the_input_leaves_no_state_to_act_on(hands: Any, paper: PaperDesktop) -> None:
    seen = hands("observe", title="form")

    def breaks() -> None:
        raise RuntimeError("the display broke")

    paper.hooks["click"] = breaks
    with pytest.raises(RuntimeError):
        hands("click", ref=_ref(seen, "Save"), state=seen["stateId"])
    paper.hooks.clear()
    again = hands("click", ref=_ref(seen, "Save"), state=seen["stateId"])
    assert again["error"]["code"] in ("DESKTOP_STATE_MISSING", "DESKTOP_STATE_STALE")
    assert paper.sent() == ["click"]


def test_labels_and_actions_are_compared_by_their_machine_names(hands: Any, paper: PaperDesktop) -> None:
    hands("observe", title="form")
    done = hands("invoke", name="Agree")
    assert done["facts"]["performed"] == "click"
    step = hands("report")["steps"][-1]
    assert (step["action"], step["verdict"], step["dispatched"]) == ("invoke", "verified", "yes")


def test_a_window_is_not_moved_where_no_monitor_shows_it(hands: Any, paper: PaperDesktop) -> None:
    _refused(hands("move_window", title="form", x=9_000, y=60), "DESKTOP_COORDINATE_OUT_OF_BOUNDS")
    assert paper.find("win-form").box.x == 40


def test_a_credential_in_a_title_is_told_and_stored_nowhere(hands: Any, paper: PaperDesktop) -> None:
    secret = "sk-abcdefghijklmnopqrstuvwx1234567890"
    paper.find("win-form").title = f"Account {secret}"
    seen = hands("observe", title="Account")
    assert [one["title"] for one in seen["windows"]] == ["Account [REDACTED_TOKEN]"]
    assert secret not in str(seen) + hands.written()
