"""`vision attempts`: what was tried, newest first, and nothing private."""

from __future__ import annotations

import json
from typing import Any

from scripted_model import refuses, says


def test_attempts_are_listed_newest_first_with_their_codes(desk: Any) -> None:
    desk.reads("Total 42")
    desk.thinker.script(refuses(401))
    assert desk.failure().code.name == "ENGINE_AUTH"
    listed = desk.run("vision.attempts")
    rows = [(one.operation, one.route, one.status, one.error_code) for one in listed.items if one.phase == "operation"]
    assert rows == [("answer", "thinker", "failed", "ENGINE_AUTH"), ("base", "eye", "success", None)]
    assert [one.capability for one in listed.items if one.phase == "operation"] == ["text_to_text", "image_to_evidence"]


def test_a_list_can_be_cut_and_says_how_much_is_left_out(desk: Any) -> None:
    desk.reads("Total 42")
    desk.thinker.script(says("42"))
    desk.ask()
    whole = desk.run("vision.attempts")
    cut = desk.run("vision.attempts", limit=1)
    assert (cut.items, cut.truncated, cut.omitted) == (whole.items[:1], True, len(whole.items) - 1)
    assert (whole.truncated, whole.omitted) == (False, 0)


def test_attempts_are_found_by_route_picture_and_failure(desk: Any) -> None:
    desk.reads("Total 42")
    desk.thinker.script(refuses(401))
    desk.failure()
    picture = desk.run("vision.attempts").items[-1].image_sha256
    assert {one.route for one in desk.run("vision.attempts", route="eye").items} == {"eye"}
    assert {one.operation for one in desk.run("vision.attempts", image=picture).items} == {"base"}
    assert [one.route for one in desk.run("vision.attempts", failed=True).items] == ["thinker"]
    assert desk.run("vision.attempts", route="nobody").items == ()


def test_no_attempt_holds_a_word_of_picture_question_or_answer(desk: Any) -> None:
    desk.reads("TOTAL-IN-PICTURE")
    desk.thinker.script(says("WORDS-OF-MODEL"))
    desk.ask(question="WORDS-OF-USER?")
    text = json.dumps(desk.run("vision.attempts").to_json())
    assert [word for word in ("TOTAL-IN-PICTURE", "WORDS-OF-MODEL", "WORDS-OF-USER", "a.png") if word in text] == []


def test_a_home_without_a_ledger_has_no_attempts(desk: Any) -> None:
    assert desk.run("vision.attempts").items == ()


def test_a_home_that_writes_no_attempts_says_so_and_names_the_setting(desk: Any) -> None:
    desk.reads("a")
    desk.settings["ledger.attempts"] = False
    desk.run("vision.read", images=[desk.picture()])
    assert desk.run("vision.attempts").items == ()
    assert ["ledger.attempts" in said for said in desk.door.notes] == [True]
