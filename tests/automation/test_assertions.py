"""What can be claimed, and when it holds."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from deepseekeyes.automation.asserting import assert_that
from deepseekeyes.automation.assertions import KINDS, Assertion, Subject, check, evaluate, kinds
from deepseekeyes.automation.keys import Keys
from deepseekeyes.automation.perform import look
from deepseekeyes.core.errors import EyesError

HERE = Subject(
    count=1,
    visible=True,
    enabled=True,
    checked=True,
    focused=True,
    text=" Sum: 12 ",
    value="12",
    name="Total sum",
    url="https://shop.example/cart?step=2",
    title="Cart",
    screenshot_changed=True,
)
GONE = Subject(url="https://shop.example/cart?step=2", title="Cart", screenshot_changed=False)
OFF = Subject(count=1, visible=False, enabled=False, checked=False, focused=False, text="", value="", name="")

CASES = [
    # kind, expected, holds on HERE, GONE, OFF
    ("visible", None, True, False, False),
    ("hidden", None, False, True, True),
    ("enabled", None, True, False, False),
    ("disabled", None, False, False, True),
    ("focused", None, True, False, False),
    ("checked", None, True, False, False),
    ("unchecked", None, False, False, True),
    ("text_contains", "12", True, False, False),
    ("text_equals", "Sum: 12", True, False, False),
    ("value_equals", "12", True, False, False),
    ("value_equals", 12, True, False, False),
    ("name_contains", "sum", True, False, False),
    ("count_equals", 1, True, False, True),
    ("count_equals", "0", False, True, False),
    ("url_contains", "step=2", True, True, False),
    ("url_equals", "https://shop.example/cart?step=2", True, True, False),
    ("title_contains", "Car", True, True, False),
    ("title_equals", "cart", False, False, False),
    ("window_exists", None, True, False, True),
    ("window_title_contains", "art", True, True, False),
    ("element_exists", None, True, False, True),
    ("element_visible", None, True, False, False),
    ("element_hidden", None, False, True, True),
    ("element_enabled", None, True, False, False),
    ("element_disabled", None, False, False, True),
    ("element_focused", None, True, False, False),
    ("element_value_equals", "12", True, False, False),
    ("element_name_contains", "Total", True, False, False),
    ("screen_changed", None, True, False, False),
    ("screen_unchanged", None, False, True, False),
]


def test_every_kind_but_the_declared_one_is_in_the_table() -> None:
    assert {kind for kind, *_ in CASES} == KINDS.keys() - {"visual"}
    assert set(kinds("browser")) | set(kinds("desktop")) == set(KINDS)


@pytest.mark.parametrize(("kind", "expected", "here", "gone", "off"), CASES)
def test_a_claim_holds_where_it_should(kind: str, expected: Any, here: bool, gone: bool, off: bool) -> None:
    claim = Assertion(kind, "ref e1", expected)
    assert [evaluate(claim, subject, Keys()).passed for subject in (HERE, GONE, OFF)] == [here, gone, off]


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        (Assertion("visibel", "ref e1"), "ASSERTION_UNSUPPORTED"),
        (Assertion("window_exists", "ref w1"), "ASSERTION_UNSUPPORTED"),
        (Assertion("visible"), "ASSERTION_TARGET_MISSING"),
        (Assertion("text_equals", "ref e1"), "ASSERTION_EXPECTED_MISSING"),
        (Assertion("visual", None, "a chart"), "ASSERTION_EXPECTED_MISSING"),
    ],
)
def test_a_claim_that_makes_no_sense_is_refused(claim: Assertion, code: str) -> None:
    with pytest.raises(EyesError) as caught:
        check(claim, "browser")
    assert caught.value.code.name == code


def test_protected_text_is_compared_and_never_shown() -> None:
    keys = Keys()
    field = Subject(count=1, value="hunter2", protected=True)
    good = evaluate(Assertion("value_equals", "ref e1", "hunter2"), field, keys)
    assert good.passed
    assert good.expected == good.actual == keys.told("hunter2")
    bad = evaluate(Assertion("value_equals", "ref e1", "other"), Subject(count=1, protected=True), keys)
    assert (bad.passed, bad.expected["length"], bad.actual) == (False, 5, None)


def test_a_visual_claim_cannot_pass_for_pixels_that_were_never_shown() -> None:
    claim = Assertion("visual", None, "a chart", declared_actual="a bar chart", declared_passed=True)
    found = evaluate(claim, Subject(delivered=True), Keys())
    assert (found.passed, found.verified_by, found.actual) == (True, "caller", "a bar chart")
    with pytest.raises(EyesError) as caught:
        evaluate(claim, Subject(), Keys())
    assert caught.value.code.name == "ASSERTION_UNSEEN"


def contains(expected: str) -> Assertion:
    return Assertion("text_contains", "page", expected)


async def page_text(snapshot: Any, delta: Any) -> Subject:
    return Subject(count=1, text=snapshot.text)


def test_a_claim_is_tried_again_until_it_holds(make: Any) -> None:
    async def story() -> None:
        paper = make()
        paused = paper.pause

        async def pause(seconds: float) -> None:
            await paused(seconds)
            if paper.calls.count("pause") == 3:
                paper.lines.append("Saved")

        paper.pause = pause
        found = await assert_that(contains("Saved"), paper, paper.run, page_text, retry_s=30)
        assert (found.row.passed, found.row.attempts, paper.run.sequence) == (True, 4, 1)
        assert found.row.state_id == paper.run.state_id

    asyncio.run(story())


def test_a_claim_that_never_holds_ends_with_its_time(make: Any) -> None:
    async def story() -> None:
        paper = make()
        found = await assert_that(contains("Saved"), paper, paper.run, page_text, retry_s=1.0)
        assert (found.row.passed, found.error) == (False, None)
        assert 1 < found.row.attempts < 12
        once = await assert_that(contains("Saved"), paper, paper.run, page_text)
        assert once.row.attempts == 1

    asyncio.run(story())


def test_an_assertion_on_an_old_state_was_not_made_and_fails_the_run(make: Any) -> None:
    from deepseekeyes.automation.report import summary

    async def story() -> None:
        paper = make()
        old = (await look(paper, paper.run)).seen.state_id
        await look(paper, paper.run)
        found = await assert_that(contains("paper"), paper, paper.run, page_text, state_id=old)
        assert (found.row, found.error.code, found.seen.state_id) == (None, "PAPER_STALE", paper.run.state_id)
        fresh = await assert_that(contains("paper"), paper, paper.run, page_text, state_id=paper.run.state_id)
        assert fresh.row.passed
        stored = [json.loads(line) for line in (paper.run.folder / "steps.jsonl").read_bytes().splitlines()[1:]]
        found_summary = summary(stored)
        assert (found_summary.passed, found_summary.action_failure_count, found_summary.assertion_count) == (
            False,
            1,
            1,
        )

    asyncio.run(story())
