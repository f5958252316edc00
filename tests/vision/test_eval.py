"""The suite, and examinations of a scripted eye."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from scripted_model import refuses, says

from deepseekeyes.contracts.eval import EvalSuite
from deepseekeyes.core.errors import EyesError
from deepseekeyes.wiring.evaluation import find_suite

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "eval"
WANTED = {
    "screen", "dense-text", "chart", "table", "dark", "small-text", "rotated", "chinese", "injection", "blank",
}  # fmt: skip
LIMIT = 64 * 1024 * 1024


def suite(desk: Any, *cases: tuple[str, str, list[dict[str, Any]]]) -> str:
    """A suite of plain pictures: colour, category and assertions of each."""
    listed = []
    for colour, category, assertions in cases:
        data = Path(desk.picture(f"{colour}.png", colour)).read_bytes()
        case = {"id": colour, "category": category, "image": f"{colour}.png"}
        listed.append({**case, "sha256": hashlib.sha256(data).hexdigest(), "assertions": assertions})
    document = {"schema": "deepseekeyes.eval-suite.v1", "name": "small", "version": "1", "cases": listed}
    (desk.folder / "suite.json").write_text(json.dumps(document), encoding="utf-8")
    return str(desk.folder)


def says_a(text: str = "alpha") -> list[dict[str, Any]]:
    return [{"field": "ocr", "contains": text}, {"field": "all", "lacks": "omega"}]


def test_the_suite_that_comes_along_is_whole_and_wide_enough() -> None:
    found = find_suite(None, LIMIT)
    cases = found.suite.cases
    assert len(cases) >= 30
    assert {case.category for case in cases} == WANTED
    assert [case.id for case in cases if hashlib.sha256(found.picture(case.image)).hexdigest() != case.sha256] == []
    kinds = {assertion.kind for case in cases for assertion in case.assertions}
    assert kinds == {"contains", "lacks", "together", "empty", "box"}
    assert sorted(path.name for path in (EXAMPLES / "pictures").iterdir()) == sorted(
        Path(case.image).name for case in cases
    )
    assert sum(path.stat().st_size for path in EXAMPLES.rglob("*")) < 1_500_000


def test_boxes_of_the_suite_lie_inside_their_pictures() -> None:
    boxes = [one.box for case in find_suite(None, LIMIT).suite.cases for one in case.assertions if one.box is not None]
    assert len(boxes) > 20
    assert [box for box in boxes if min(box) < 0 or box[0] + box[2] > 1 or box[1] + box[3] > 1] == []


def test_misses_unparsed_answers_and_failed_calls_are_told_apart(desk: Any, asking: Any) -> None:
    place = suite(
        desk, ("red", "a", says_a()), ("green", "a", says_a()), ("blue", "b", says_a()), ("teal", "b", says_a())
    )
    desk.eye.script(
        says(asking.base("Alpha")), says(asking.base("beta")), says("I see a picture."), refuses(400)
    )  # fmt: skip
    report = desk.run("vision.eval", suite=place, route="eye")
    assert [(case.id, case.status, case.code) for case in report.cases] == [
        ("red", "read", None),
        ("green", "read", None),
        ("blue", "unparsed", "INVALID_MODEL_OUTPUT"),
        ("teal", "failed", "ENGINE_BAD_REQUEST"),
    ]
    found = report.assertions
    assert (found.total, found.passed, found.missed, found.unparsed, found.failed) == (8, 3, 1, 2, 2)
    assert (report.accuracy, report.validity, report.cases_passed) == (0.375, 0.5, 1)
    assert [(miss.index, miss.kind, miss.text) for miss in report.cases[1].misses] == [(0, "contains", "alpha")]
    assert [(row.category, row.accuracy) for row in report.categories] == [("a", 0.75), ("b", 0.0)]
    assert (report.passed, report.outcome(), report.failure()) == (None, None, None)
    assert report.usage.total > 0
    assert report.tokens_per_case == round(report.usage.total / 4, 1)


def test_readings_are_real_each_time_and_leave_no_record_behind(desk: Any, asking: Any, home: Path) -> None:
    place = suite(desk, ("red", "a", says_a()))
    desk.eye.script(says(asking.base("alpha")), says(asking.base("beta")))
    first, second = desk.run("vision.eval", suite=place), desk.run("vision.eval", suite=place)
    assert (first.accuracy, second.accuracy, len(desk.eye.calls)) == (1.0, 0.5, 2)
    assert [path for folder in ("evidence", "blobs") for path in (home / folder).rglob("*") if path.is_file()] == []
    assert desk.usage() == [("base", "success"), ("base", "success")]


@pytest.mark.parametrize(("least", "verdict"), [(0.5, None), (1.0, None), (0.0, None)])
def test_min_accuracy_that_is_reached_passes(desk: Any, asking: Any, least: float, verdict: str | None) -> None:
    place = suite(desk, ("red", "a", says_a()))
    desk.eye.script(says(asking.base("alpha")))
    report = desk.run("vision.eval", suite=place, min_accuracy=least)
    assert (report.passed, report.outcome()) == (True, verdict)


def test_min_accuracy_that_is_not_reached_is_the_verdict_no(desk: Any, asking: Any) -> None:
    place = suite(desk, ("red", "a", says_a()))
    desk.eye.script(says(asking.base("beta")))
    report = desk.run("vision.eval", suite=place, min_accuracy=0.6)
    assert (report.accuracy, report.passed, report.outcome()) == (0.5, False, "verdict")


def test_only_one_category_can_be_run_and_an_unknown_one_names_the_known(desk: Any, asking: Any) -> None:
    place = suite(desk, ("red", "a", says_a()), ("green", "b", says_a()))
    desk.eye.script(says(asking.base("alpha")))
    report = desk.run("vision.eval", suite=place, only=["b"])
    assert ([case.id for case in report.cases], report.suite.only) == (["green"], ("b",))
    with pytest.raises(EyesError) as caught:
        desk.run("vision.eval", suite=place, only=["c"])
    assert (caught.value.code.name, caught.value.details["candidates"]) == ("EVAL_CATEGORY_UNKNOWN", ["a", "b"])


def test_no_other_route_steps_in_and_a_route_that_never_answers_keeps_its_code(desk: Any, asking: Any) -> None:
    desk.routes["spare"] = desk.thinker.fields(capabilities=["image_to_evidence"], inputs=["text", "image"])
    place = suite(desk, ("red", "a", says_a()), ("green", "a", says_a()))
    desk.eye.script(refuses(401), refuses(401))
    report = desk.run("vision.eval", suite=place, route="eye", min_accuracy=0.5)
    assert [case.status for case in report.cases] == ["failed", "failed"]
    assert (report.route.id, report.failure().kind) == ("eye", "auth")
    assert desk.thinker.calls == []


def test_an_examination_leaves_no_route_resting(desk: Any, asking: Any) -> None:
    place = suite(desk, ("red", "a", says_a()), ("green", "a", says_a()))
    desk.eye.script(says("no evidence"), says(asking.base("alpha")))
    report = desk.run("vision.eval", suite=place, route="eye")
    assert [case.status for case in report.cases] == ["unparsed", "read"]
    desk.eye.script(says(asking.base("alpha")))
    record = desk.run("vision.read", images=[f"{place}/red.png"])
    assert "skipped-open-circuit" not in [attempt.status for attempt in record.run.attempts]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "EVAL_SUITE_INVALID"),
        ("[]", "EVAL_SUITE_INVALID"),
        ('{"schema": "deepseekeyes.eval-suite.v1", "name": "n", "version": "1", "cases": []}', "EVAL_SUITE_INVALID"),
    ],
)
def test_a_file_that_is_no_suite_says_where(desk: Any, text: str, code: str) -> None:
    path = desk.folder / "mine.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(EyesError) as caught:
        desk.run("vision.eval", suite=str(path))
    assert (caught.value.code.name, caught.value.kind) == (code, "input")


def test_a_suite_that_is_not_there_and_a_picture_that_changed_are_named(desk: Any) -> None:
    with pytest.raises(EyesError) as missing:
        desk.run("vision.eval", suite=str(desk.folder / "nowhere.json"))
    place = suite(desk, ("red", "a", says_a()))
    desk.picture("red.png", "white")
    with pytest.raises(EyesError) as changed:
        desk.run("vision.eval", suite=place)
    assert (missing.value.code.name, changed.value.code.name) == ("FILE_MISSING", "EVAL_PICTURE_CHANGED")


def test_two_cases_of_one_name_are_refused() -> None:
    case = json.loads((EXAMPLES / "suite.json").read_text("utf-8"))["cases"][0]
    with pytest.raises(ValueError, match="two cases"):
        EvalSuite.model_validate({"name": "n", "version": "1", "cases": [case, case]})
