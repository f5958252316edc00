"""Tokens by each vendor's convention, and the identities between them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.routing import usage_fields


@pytest.mark.parametrize(
    ("raw", "usage", "notes"),
    [
        (
            {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
            {"input_tokens": 10, "output_tokens": 5},
            (),
        ),
        (
            {"prompt_tokens": 100, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 80}},
            {"input_tokens": 20, "output_tokens": 5, "cache_read_tokens": 80},
            (),
        ),
        (
            {
                "prompt_tokens": 100,
                "completion_tokens": 5,
                "prompt_cache_hit_tokens": 64,
                "prompt_cache_miss_tokens": 36,
            },
            {"input_tokens": 36, "output_tokens": 5, "cache_read_tokens": 64},
            (),
        ),
        ({"prompt_tokens": 100, "cached_tokens": 30}, {"input_tokens": 70, "cache_read_tokens": 30}, ()),
        (
            {"prompt_tokens": 10, "completion_tokens": 50, "completion_tokens_details": {"reasoning_tokens": 40}},
            {"input_tokens": 10, "output_tokens": 50, "reasoning_tokens": 40},
            (),
        ),
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 5,
                "total_tokens": 55,
                "completion_tokens_details": {"reasoning_tokens": 40},
            },
            {"input_tokens": 10, "output_tokens": 45, "reasoning_tokens": 40},
            (),
        ),
        (
            {"prompt_tokens": 1300, "completion_tokens": 5, "prompt_tokens_details": {"image_tokens": 1280}},
            {"input_tokens": 1300, "output_tokens": 5, "image_tokens": 1280},
            (),
        ),
        (
            {"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 80}},
            {"input_tokens": 10, "cache_read_tokens": 80},
            ("usage-cached-exceeds-input",),
        ),
        (
            {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 99},
            {"input_tokens": 10, "output_tokens": 5},
            ("usage-total-differs",),
        ),
        ({"prompt_tokens": "10", "completion_tokens": -5, "total_tokens": True}, {}, ()),
        ({"prompt_tokens": 10.0, "completion_tokens": 2.5}, {"input_tokens": 10}, ()),
        ({"prompt_tokens": float("nan"), "completion_tokens": float("inf")}, {}, ()),
        ({"prompt_tokens_details": None, "completion_tokens_details": []}, {}, ()),
        ({}, {}, ()),
    ],
)
def test_chat_completions(raw: dict[str, Any], usage: dict[str, int], notes: tuple[str, ...]) -> None:
    """U01."""
    assert usage_fields.openai(raw) == (TokenUsage(**usage), notes)


def test_a_route_may_say_that_cached_tokens_stand_beside_the_input() -> None:
    raw = {"prompt_tokens": 20, "prompt_tokens_details": {"cached_tokens": 80}}
    assert usage_fields.openai(raw, "exclusive")[0] == TokenUsage(input_tokens=20, cache_read_tokens=80)


def test_messages_count_the_cache_apart() -> None:
    raw = {"input_tokens": 20, "output_tokens": 5, "cache_read_input_tokens": 80, "cache_creation_input_tokens": 7}
    expected = TokenUsage(input_tokens=20, output_tokens=5, cache_read_tokens=80, cache_write_tokens=7)
    assert usage_fields.anthropic(raw) == (expected, ())


def test_ollama_counts_evaluations() -> None:
    raw = {"prompt_eval_count": 26, "eval_count": 298, "total_duration": 10**12}
    assert usage_fields.ollama(raw) == (TokenUsage(input_tokens=26, output_tokens=298), ())


def test_the_last_value_of_each_field_wins() -> None:
    """U03."""
    first = usage_fields.merged({}, {"a": 1, "b": 1, "details": {"x": 1, "y": 1}})
    second = usage_fields.merged(first, {"a": 2, "b": None, "details": {"x": 3}})
    assert second == {"a": 2, "b": 1, "details": {"x": 3, "y": 1}}
    assert usage_fields.merged(second, "nonsense") == second


COUNTS = st.one_of(st.none(), st.integers(0, 10**6))


@given(COUNTS, COUNTS, COUNTS)
def test_no_token_is_counted_twice(prompt: int | None, output: int | None, cached: int | None) -> None:
    raw = {"prompt_tokens": prompt, "completion_tokens": output, "prompt_cache_hit_tokens": cached}
    usage, notes = usage_fields.openai(raw)
    if prompt is not None and (cached or 0) <= prompt:
        assert (usage.total, notes) == (prompt + (output or 0), ())
