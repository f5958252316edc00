"""What `vision ask -` takes: pictures, records that hold, and whole pipelines."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest
from scripted_model import refuses, says

from deepseekeyes.core.errors import EyesError

pytestmark = pytest.mark.service


def piped(desk: Any, *documents: Any) -> None:
    desk.door.piped = "\n".join(json.dumps(document) for document in documents).encode()


def record_of(desk: Any, *lines: str, colour: str = "white", name: str = "a.png") -> dict[str, Any]:
    """A record of this home, as the command line prints it."""
    desk.reads(*lines)
    return desk.run("vision.read", images=[desk.picture(name, colour)]).to_json()


def test_a_stored_record_is_its_own_evidence_and_costs_nothing(desk: Any) -> None:
    record = record_of(desk, "Total 42")
    piped(desk, record)
    desk.thinker.script(says("42"))
    answer = desk.ask("-")
    assert (answer.evidence[0].record_sha256, len(desk.eye.calls)) == (record["recordSha256"], 1)
    assert (answer.usage.base.total, answer.notes) == (0, ())


def test_a_record_of_a_picture_that_is_named_as_well_is_one_picture(desk: Any) -> None:
    piped(desk, record_of(desk, "Total 42"))
    desk.thinker.script(says("42"), says("42"))
    for images in ((desk.picture(), "-"), ("-", "-")):
        answer = desk.ask(*images)
        assert (len(answer.evidence), answer.answer, len(desk.eye.calls)) == (1, "42", 1)


def test_raw_bytes_are_a_picture(desk: Any, asking: Any) -> None:
    desk.door.piped = asking.png()
    desk.reads("Total 42")
    desk.thinker.script(says("42"))
    assert desk.ask("-").evidence[0].run.input == "-"


def test_a_record_from_elsewhere_serves_when_it_holds_and_the_answer_says_so(desk: Any) -> None:
    record = record_of(desk, "Total 42")
    _forget(desk)
    piped(desk, record)
    desk.thinker.script(says("42"))
    answer = desk.ask("-")
    assert (answer.evidence[0].record_sha256, len(desk.eye.calls), len(answer.notes)) == (record["recordSha256"], 1, 2)
    assert "Looks left" not in desk.told()


def _forget(desk: Any) -> None:
    """Empty the store of this home."""
    shutil.rmtree(desk.home / "evidence")
    shutil.rmtree(desk.home / "blobs")


def test_a_changed_record_of_this_home_gives_way_to_the_stored_one(desk: Any) -> None:
    record = record_of(desk, "Total 42")
    record["evidence"]["ocr"][0]["text"] = "Total 9999"
    piped(desk, record)
    desk.thinker.script(says("42"))
    answer = desk.ask("-")
    assert ([entry["text"] for entry in answer.evidence[0].evidence["ocr"]], len(answer.notes)) == (["Total 42"], 1)
    assert "9999" not in desk.told()


def test_a_changed_record_of_another_home_is_no_evidence_and_its_picture_is_read(desk: Any) -> None:
    record = record_of(desk, "Total 42")
    record["evidence"]["ocr"][0]["text"] = "Total 9999"
    shutil.rmtree(desk.home / "evidence")
    piped(desk, record)
    desk.reads("Total 42")
    desk.thinker.script(says("42"))
    answer = desk.ask("-")
    assert ([entry["text"] for entry in answer.evidence[0].evidence["ocr"]], len(answer.notes)) == (["Total 42"], 1)
    assert (len(desk.eye.calls), "9999" in desk.told()) == (2, False)


def test_a_changed_record_without_its_picture_is_refused(desk: Any) -> None:
    record = record_of(desk, "Total 42")
    record["evidence"]["ocr"][0]["text"] = "Total 9999"
    _forget(desk)
    piped(desk, record)
    error = desk.failure("-")
    assert (error.code.name, error.exit_code, desk.thinker.calls) == ("PIPED_RECORD_INVALID", 3, [])


def test_a_record_without_its_pixels_cannot_be_asked_about(desk: Any, asking: Any) -> None:
    record = record_of(desk, "Total 42")
    _forget(desk)
    piped(desk, record)
    desk.thinker.script(says(asking.wish(record["source"]["sha256"])))
    assert desk.failure("-").code.name == "VISION_CLARIFICATION_LIMIT"


def test_another_eye_or_a_fresh_reading_sets_the_record_aside(desk: Any) -> None:
    record = record_of(desk, "Total 42")
    piped(desk, record)
    desk.reads("Total 43")
    desk.thinker.script(says("43"))
    answer = desk.ask("-", fresh=True)
    assert answer.evidence[0].supersedes == record["recordSha256"]


def test_a_batch_brings_all_its_records_and_a_further_picture_joins(desk: Any) -> None:
    desk.reads("alpha")
    desk.reads("beta")
    batch = desk.run("vision.read", images=[desk.picture("a.png"), desk.picture("b.png", "red")]).to_json()
    piped(desk, batch)
    desk.reads("gamma")
    desk.thinker.script(says("three"))
    answer = desk.ask("-", desk.picture("c.png", "blue"))
    assert [one.evidence["ocr"][0]["text"] for one in answer.evidence] == ["alpha", "beta", "gamma"]


def test_a_failure_inside_a_batch_is_no_reason_to_guess(desk: Any) -> None:
    desk.reads("alpha")
    desk.eye.script(refuses(401))
    batch = desk.run("vision.read", images=[desk.picture("a.png"), desk.picture("b.png", "red")]).to_json()
    piped(desk, batch)
    error = desk.failure("-")
    assert (error.code.name, error.exit_code, desk.thinker.calls) == ("ENGINE_AUTH", 4, [])


def test_a_look_that_was_taken_before_travels_along(desk: Any, asking: Any) -> None:
    base = record_of(desk, "Total ?")
    desk.eye.script(says(asking.target("42")))
    look = desk.run("vision.look", image=base["source"]["sha256"], question="Which number?").to_json()
    piped(desk, look)
    desk.thinker.script(says("42"))
    answer = desk.ask("-")
    assert [one.record_sha256 for one in answer.evidence] == [base["recordSha256"]]
    assert ('"question":"Which number?"' in desk.told(), len(desk.eye.calls)) == (True, 2)


def test_an_answer_can_be_asked_on(desk: Any) -> None:
    desk.reads("Total 42")
    desk.thinker.script(says("42"), says("EUR"))
    first = desk.ask()
    piped(desk, first.to_json())
    second = desk.ask("-", question="In which currency?")
    assert (second.answer, second.evidence[0].record_sha256) == ("EUR", first.evidence[0].record_sha256)


def test_one_picture_named_twice_is_one_picture(desk: Any) -> None:
    desk.reads("Total 42")
    desk.thinker.script(says("42"))
    assert len(desk.ask(desk.picture("a.png"), desk.picture("b.png")).evidence) == 1


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"schema": "deepseekeyes.doctor.v1", "passed": True, "checks": []}, "STDIN_NO_PICTURE"),
        (
            {"schema": "deepseekeyes.evidence-batch.v1", "total": 0, "succeeded": 0, "failed": 0, "items": []},
            "STDIN_NO_PICTURE",
        ),
        ({"schema": "someone.else"}, "STDIN_DOCUMENT_FOREIGN"),
    ],
)
def test_a_document_without_pictures_is_refused(desk: Any, document: dict[str, Any], code: str) -> None:
    piped(desk, document)
    assert desk.failure("-").code.name == code


def test_the_failure_of_the_command_before_is_passed_on(desk: Any) -> None:
    body = {"code": "INPUT_MISSING", "kind": "input", "message": "There is no file.", "hint": "Look.", "details": {}}
    document = {"schema": "deepseekeyes.error.v1", "error": body}
    piped(desk, document)
    error: EyesError = desk.failure("-")
    assert (error.code.name, error.document) == ("INPUT_MISSING", document)  # type: ignore[attr-defined]
