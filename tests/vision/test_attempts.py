"""`vision attempts`: what was tried, newest first, and nothing private."""

from __future__ import annotations

import json
from typing import Any

import pytest
from scripted_model import refuses, says

from deepseekeyes.core.errors import EyesError

pytestmark = pytest.mark.service


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


def test_readings_that_the_cache_served_are_counted_apart_from_calls(desk: Any, asking: Any) -> None:
    desk.reads("a")
    desk.eye.script(says(asking.target("42")))
    picture = desk.picture()
    for _ in range(3):
        desk.run("vision.read", images=[picture])
    for _ in range(2):
        desk.run("vision.look", image=picture, question="What is it?")
    groups = {one.name: (one.figures.calls, one.figures.cache_hits) for one in desk.run("usage.show").groups}
    assert groups == {"base": (1, 2), "target": (1, 1)}
    assert [one.status for one in desk.run("vision.attempts").items if one.phase == "operation"] == [
        "cache-hit", "success", "cache-hit", "cache-hit", "success",
    ]  # fmt: skip


@pytest.mark.parametrize(("silent", "hits"), [("usage", 0), ("attempts", 1)])
def test_a_hit_is_counted_where_usage_is(desk: Any, silent: str, hits: int) -> None:
    desk.reads("a")
    desk.run("vision.read", images=[desk.picture()])
    desk.settings[f"ledger.{silent}"] = False
    desk.run("vision.read", images=[desk.picture()])
    desk.settings = {}
    assert desk.run("usage.show").totals.cache_hits == hits


def test_a_record_of_a_resting_route_does_not_close_its_circuit(desk: Any, asking: Any) -> None:
    """Two eyes: the first is told to wait, the second has read the picture before and fails at another one."""
    desk.routes["spare"] = desk.thinker.fields(
        capabilities=["image_to_evidence"], coordinates="normalized", model="other"
    )
    desk.thinker.script(says(asking.base("a")), refuses(500))
    desk.run("vision.read", images=[desk.picture("a.png")], route="spare")
    desk.eye.script(refuses(429, headers={"retry-after": "60"}))
    with pytest.raises(EyesError):
        desk.run("vision.read", images=[desk.picture("b.png", "red")])
    record = desk.run("vision.read", images=[desk.picture("a.png")])
    circuits = {one.id: one.circuit for one in desk.run("vision.routes").items}
    assert (record.cache_hit, record.run.attempts[-1].status, circuits["spare"]) == (True, "cache-hit", "open")
