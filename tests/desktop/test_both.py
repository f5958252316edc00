"""What holds on paper and on a real display alike."""

from __future__ import annotations

from typing import Any


def test_an_observation_names_the_window_its_elements_and_where_the_picture_lies(stage: Any) -> None:
    seen = stage.hands("observe", title=stage.title)

    window = next(one for one in seen["windows"] if one["ref"] == seen["capturedWindow"])
    shot, screen = seen["screenshot"], seen["screen"]
    assert seen["scope"] == "window"
    assert window["title"] == stage.title
    assert (shot["width"], shot["height"]) == (screen["width"], screen["height"])
    assert seen["semanticStatus"]["quality"] == "available"
    assert seen["visualDelivery"]["reason"] == "semantic-state-sufficient"
    named = {(one["role"], one["name"]) for one in seen["elements"]}
    assert {("text", "Name"), ("password_text", "Password"), ("push_button", "Greet")} <= named


def test_refs_stay_from_look_to_look_and_what_is_equal_is_no_change(stage: Any) -> None:
    first = stage.hands("observe", title=stage.title)
    second = stage.hands("observe", title=stage.title)

    assert [one["ref"] for one in first["elements"]] == [one["ref"] for one in second["elements"]]
    assert second["delta"]["fromStateId"] == first["stateId"]
    assert second["delta"]["elements"] == {"added": [], "removed": [], "changed": [], "omitted": 0}
    assert second["stateId"] != first["stateId"]


def test_text_reaches_the_field_whole_and_is_read_back(stage: Any) -> None:
    text = "Zoë 😀 世界 e\u0301"
    done = stage.hands("type", role="text", name="Name", title=stage.title, value=text)

    assert done["error"] is None
    assert done["verdict"] == "verified"
    assert done["facts"]["targetMode"] == "element-ref"
    assert done["facts"]["targetVerified"] is True
    assert (done["facts"]["textLength"], done["facts"]["utf16Length"]) == (11, 12)
    assert stage.name() == text


def test_a_click_by_name_does_what_the_button_does(stage: Any) -> None:
    stage.hands("observe", title=stage.title)
    done = stage.hands("click", name="Greet")

    assert (done["error"], done["target"]["role"]) == (None, "push_button")
    assert stage.greeted()


def test_a_checked_box_is_seen_in_the_delta(stage: Any) -> None:
    stage.hands("observe", title=stage.title)
    done = stage.hands("click", name="Agree")

    assert done["verdict"] == "verified"
    changed = {one["ref"]: one["fields"] for one in done["delta"]["elements"]["changed"]}
    assert "checked" in changed[done["target"]["ref"]]


def test_an_old_state_acts_no_more_and_brings_the_new_one(stage: Any) -> None:
    old = stage.hands("observe", title=stage.title)["stateId"]
    stage.hands("observe", title=stage.title)
    ref = next(one["ref"] for one in stage.hands("observe")["windows"] if one["title"] == stage.title)
    seen = stage.hands("observe", window=ref)
    button = next(one["ref"] for one in seen["elements"] if one["name"] == "Greet")
    refused = stage.hands("click", ref=button, state=old)

    assert (refused["verdict"], refused["error"]["code"]) == ("refused", "DESKTOP_STATE_STALE")
    assert refused["error"]["details"]["dispatched"] == "no"
    assert refused["state"]["stateId"] not in (old, seen["stateId"])
    assert not stage.greeted()


def test_typed_text_is_in_no_file_and_a_password_has_no_value(stage: Any) -> None:
    stage.hands("type", role="text", name="Name", title=stage.title, value="plaintext-one")
    stage.hands("type", name="Password", title=stage.title, value="plaintext-two")
    seen = stage.hands("observe", title=stage.title)
    report = stage.hands("report")

    field = next(one for one in seen["elements"] if one["role"] == "password_text")
    assert (field["protected"], field["value"]) == (True, None)
    assert len(seen["masks"]) == 1
    assert report["summary"]["passed"] is True
    written = stage.hands.written()
    assert "plaintext-one" not in written
    assert "plaintext-two" not in written


def test_a_point_of_the_newest_screenshot_is_what_gets_the_click(stage: Any) -> None:
    seen = stage.hands("observe", title=stage.title)
    box = next(one["bbox"] for one in seen["elements"] if one["name"] == "Greet")
    done = stage.hands("click", x=box["x"] + box["width"] / 2, y=box["y"] + box["height"] / 2, state=seen["stateId"])

    assert (done["error"], done["target"]) == (None, None)
    assert done["marker"]["x"] == box["x"] + box["width"] / 2
    assert stage.greeted()


def test_a_run_can_be_checked_again(stage: Any) -> None:
    stage.hands("observe", title=stage.title)
    stage.hands("click", name="Agree")
    stage.hands("report")
    stage.hands("close")

    found = stage.hands("verify")
    assert (found["passed"], found["problems"]) == (True, [])
    assert found["steps"] == 2
