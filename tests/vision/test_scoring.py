"""Assertions against evidence: pure rules."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from deepseekeyes.contracts.eval import Assertion, AssertionCounts, EvalCaseResult, Latency
from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.vision import scoring

EVIDENCE: dict[str, Any] = {
    "summary": "A chart of  Ｐarcels",
    "ocr": [
        {"text": "Total  42\nEUR", "bbox": [0.1, 0.1, 0.4, 0.1], "confidence": 1.0},
        {"text": "Norcroft", "bbox": [0.1, 0.5, 0.2, 0.1], "confidence": 1.0},
    ],
    "regions": [{"id": "r1", "bbox": [0, 0, 1, 1], "description": "a legend"}],
    "objects": [{"name": "bar", "bbox": [0, 0, 1, 1], "attributes": ["green"]}],
    "relations": ["the bar of Norcroft shows 67"],
    "quantitativeFacts": [],
    "uncertainties": ["blurred"],
}


def holds(**assertion: Any) -> bool:
    return scoring.holds(Assertion(**assertion), EVIDENCE)


def result(status: str = "read", passed: int = 1, total: int = 1, latency_ms: int | None = None) -> EvalCaseResult:
    left = {"missed": 0, "unparsed": 0, "failed": 0, {"read": "missed"}.get(status, status): total - passed}
    return EvalCaseResult(
        id="a",
        category="c" if passed else "d",
        image="a.png",
        image_sha256="0" * 64,
        status=status,  # type: ignore[arg-type]
        assertions=AssertionCounts(total=total, passed=passed, **left),
        latency_ms=latency_ms,
        usage=TokenUsage(),
    )


def test_texts_are_compared_folded() -> None:
    assert holds(field="ocr", contains="total 42 eur")
    assert holds(field="summary", contains="OF PARCELS")
    assert not holds(field="ocr", contains="total 43")
    assert holds(field="ocr", lacks="total 43")
    assert not holds(field="ocr", lacks="NORCROFT")


def test_all_is_every_field_and_boxes_are_no_text() -> None:
    said = list(scoring.entries(EVIDENCE, "all"))
    assert [text[:9] for text in said] == [
        "A chart o", "Total  42", "Norcroft", '{"id": "r', '{"name": ', "the bar o", "blurred",
    ]  # fmt: skip
    assert holds(field="objects", contains="green")
    assert holds(field="all", lacks="bbox")


def test_together_asks_for_one_entry_with_all_parts() -> None:
    assert holds(field="all", together=("norcroft", "67"))
    assert not holds(field="all", together=("norcroft", "42"))
    assert not holds(field="ocr", together=("norcroft", "67"))


def test_empty_asks_for_no_entry() -> None:
    assert holds(field="quantitativeFacts", empty=True)
    assert not holds(field="ocr", empty=True)


@pytest.mark.parametrize(
    ("text", "box", "kept"),
    [
        ("Norcroft", (0.1, 0.5, 0.2, 0.1), True),
        ("norcroft", (0.1, 0.5, 0.11, 0.1), True),
        ("Norcroft", (0.2, 0.5, 0.2, 0.1), False),
        ("Norcroft", (0.1, 0.1, 0.4, 0.1), False),
        ("Highgate", (0.1, 0.5, 0.2, 0.1), False),
    ],
)
def test_a_box_needs_the_text_and_half_of_the_place(text: str, box: Any, kept: bool) -> None:
    assert holds(field="ocr", contains=text, box=box) is kept


@pytest.mark.parametrize(
    "wrong",
    [
        {"field": "ocr"},
        {"field": "ocr", "contains": "a", "lacks": "b"},
        {"field": "ocr", "empty": True, "box": [0, 0, 1, 1]},
        {"field": "all", "contains": "a", "box": [0, 0, 1, 1]},
        {"field": "ocr", "together": ["a"]},
        {"field": "ocr", "contains": ""},
        {"field": "tables", "contains": "a"},
    ],
)
def test_an_assertion_says_exactly_one_thing(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Assertion.model_validate(wrong)


def test_percentiles_are_nearest_rank_over_readings_that_gave_evidence() -> None:
    many = [result(latency_ms=value) for value in (30, 10, 20, 40)] + [result("failed", 0)]
    assert scoring.latency(many) == Latency(mean=25, p50=20, p95=40)
    assert scoring.latency([result(latency_ms=7)]) == Latency(mean=7, p50=7, p95=7)
    assert scoring.latency([result("failed", 0)]) == Latency()


def test_counts_keep_misses_unparsed_and_failed_apart() -> None:
    many = [result(passed=2, total=3), result("unparsed", 0, 4), result("failed", 0, 5)]
    found = scoring.counts(many)
    assert found == AssertionCounts(total=12, passed=2, missed=1, unparsed=4, failed=5)
    assert scoring.accuracy(found) == 0.1667
    assert [(row.category, row.cases, row.cases_passed, row.accuracy) for row in scoring.categories(many)] == [
        ("c", 1, 0, 0.6667),
        ("d", 2, 0, 0.0),
    ]


SIDE = st.floats(0, 0.5, allow_nan=False)
BOX = st.tuples(SIDE, SIDE, st.floats(0.01, 0.5), st.floats(0.01, 0.5))


@settings(deadline=None)
@given(BOX, BOX)
def test_overlap_is_symmetric_within_one_and_one_only_with_itself(first: Any, second: Any) -> None:
    shared = scoring.overlap(first, second)
    assert shared == pytest.approx(scoring.overlap(second, first))
    assert 0 <= shared <= 1 + 1e-9
    assert scoring.overlap(first, first) == pytest.approx(1)


@settings(deadline=None)
@given(st.text(max_size=30))
def test_folding_twice_is_folding_once(text: str) -> None:
    once = scoring.folded(scoring.folded(text))
    assert scoring.folded(once) == once


@settings(deadline=None)
@given(st.text(min_size=1, max_size=20))
def test_a_field_contains_or_lacks_a_text_never_both(text: str) -> None:
    assert holds(field="all", contains=text) is not holds(field="all", lacks=text)
