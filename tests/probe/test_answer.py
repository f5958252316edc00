"""Reading the one object of a probe answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.probe.answer import parse


@pytest.mark.parametrize(
    ("text", "around"),
    [
        pytest.param('{"cells": [1]}', "", id="bare"),
        pytest.param('```json\n{"cells": [1]}\n```', "", id="fenced"),
        pytest.param('```\n{"cells": [1]}\n```', "", id="fence without a tag"),
        pytest.param('\ufeff {"cells": [1]}\n', "", id="byte-order mark"),
        pytest.param('<think>is it {"cells": [2]}?</think>\n{"cells": [1]}', "", id="J07 thoughts hold another object"),
        pytest.param('Here: {"cells": [1]} done', "Here:   done", id="prose"),
        pytest.param('a 15" screen {"cells": [1]}', 'a 15" screen  ', id="stray quote"),
        pytest.param('set {x | {"cells": [1]}', "set {x |  ", id="stray brace"),
    ],
)
def test_one_object_is_found_wherever_it_stands(text: str, around: str) -> None:
    parsed = parse(text)

    assert (parsed.value, parsed.around.rstrip("\n"), parsed.problem) == ({"cells": [1]}, around, None)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("", "the answer is empty", id="empty"),
        pytest.param("<think>all my tokens</think>", "the answer is empty", id="J05 only thoughts"),
        pytest.param("nine colours", "the answer holds no JSON object", id="prose"),
        pytest.param("[1, 2]", "the answer holds no JSON object", id="list"),
        pytest.param('{"cells": [1]', "the answer holds no JSON object", id="truncated"),
        pytest.param('{"score": NaN}', "the answer holds no JSON object", id="J09 not a number"),
        pytest.param('{"a": 1} or {"b": 2}', "the answer holds more than one JSON object", id="two objects"),
    ],
)
def test_what_holds_no_single_object_says_why(text: str, problem: str) -> None:
    parsed = parse(text)

    assert (parsed.value, parsed.problem) == (None, problem)


def test_an_answer_over_the_limit_is_not_read() -> None:
    assert parse('{"a": 1}' + " " * 100, limit=64).value is None


@pytest.mark.parametrize("text", ["{" * 60_000, '{"a":' * 12_000, "[" * 60_000, '{"' * 30_000, "{}" * 30_000])
def test_hostile_nesting_is_refused_quickly(text: str) -> None:
    assert parse(text).value is None


@given(st.text(alphabet=st.sampled_from('{}[]":,0a \\n`<think>/\ufeff'), max_size=200))
def test_reading_never_raises(text: str) -> None:
    parsed = parse(text)

    assert (parsed.value is None) == (parsed.problem is not None)
