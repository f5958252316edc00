"""The output budget of an answer, and what happens when a window is too small."""

from __future__ import annotations

from typing import Any

import pytest
from scripted_model import refuses, says

from deepseekeyes.routing.ports import Message
from deepseekeyes.vision.fitting import after_overflow, estimate, fitted, margin, tokens_of

OVERFLOW = (
    "This model's maximum context length is {window} tokens. However, you requested {asked} tokens "
    "({used} in the messages, {output} in the completion). Please reduce the length of the messages or completion."
)

COMMAS = (
    "maximum context length is 4,096 tokens. However, you requested 4,600 tokens (2,000 in the messages, "
    "2,600 in the completion)"
)


def overflow(window: int, used: int, output: int) -> str:
    return OVERFLOW.format(window=window, asked=used + output, used=used, output=output)


def test_a_dense_script_costs_a_token_a_character() -> None:
    assert (tokens_of("12345"), tokens_of("总额多少"), tokens_of("")) == (2, 4, 0)


def test_messages_carry_an_overhead() -> None:
    assert estimate((Message("system", "abcd"), Message("user", "12345"))) == 5 + 10


@pytest.mark.parametrize(("window", "free"), [(4_096, 256), (100_000, 1_000), (1_048_576, 8_192)])
def test_the_margin_is_a_hundredth_within_bounds(window: int, free: int) -> None:
    assert margin(window) == free


@pytest.mark.parametrize(
    ("requested", "window", "budget"),
    [
        (384_000, 1_048_576, 384_000),
        (5_000, 4_096, 4_096 - 10 - 256),
        (None, 4_096, None),
        (99, None, 99),
        (99, 100, 1),
    ],
)
def test_a_budget_is_cut_to_the_room_that_is_left(
    requested: int | None, window: int | None, budget: int | None
) -> None:
    assert fitted(requested, window, (Message("user", "12345"),)) == budget


@pytest.mark.parametrize(
    ("message", "before", "room"),
    [
        (overflow(1_048_576, 670_302, 384_000), 384_000, 370_082),
        (overflow(1_048_576, 670_302, 384_000), None, 370_082),
        (overflow(4_096, 4_000, 500), 500, 0),
        (overflow(4_096, 100, 500), 500, 0),
        (COMMAS, 2_600, 1_840),
        ("too long", 500, None),
    ],
)  # fmt: skip
def test_the_room_after_an_overflow_is_what_the_refusal_leaves(
    message: str, before: int | None, room: int | None
) -> None:
    """Item 37."""
    assert after_overflow(message, before) == room


def test_an_overflow_is_repeated_once_with_the_room_that_is_left(desk: Any) -> None:
    desk.settings["vision.answer_max_tokens"] = 384_000
    desk.reads("Total 42")
    desk.thinker.script(refuses(400, overflow(1_048_576, 670_302, 384_000)), says("42"))
    answer = desk.ask()
    assert [call.body["max_tokens"] for call in desk.thinker.calls] == [384_000, 370_082]
    assert (answer.answer, len(answer.notes)) == ("42", 1)
    assert [one.error_code for one in answer.attempts if one.status == "retry"] == ["ENGINE_CONTEXT_OVERFLOW"]
    assert desk.usage() == [("base", "success"), ("final", "failed"), ("final", "retry")]


def test_no_room_at_all_is_an_error_that_says_what_to_lower(desk: Any) -> None:
    desk.reads("Total 42")
    desk.thinker.script(refuses(400, overflow(4_096, 4_000, 500)))
    error = desk.failure()
    assert (error.code.name, error.exit_code, len(desk.thinker.calls)) == ("FINAL_CONTEXT_EXHAUSTED", 3, 1)


def test_a_budget_that_does_not_fit_the_window_is_cut_before_it_is_sent(desk: Any) -> None:
    desk.settings["vision.answer_max_tokens"] = 100_000
    desk.routes["thinker"] = {"limits": {"context_tokens": 20_000}}
    desk.reads("Total 42")
    desk.thinker.script(says("42"))
    answer = desk.ask()
    assert (desk.thinker.calls[0].body["max_tokens"] < 20_000, len(answer.notes)) == (True, 1)
    assert "max_tokens" in desk.eye.calls[0].body


def test_a_cut_answer_is_kept_and_says_so(desk: Any) -> None:
    desk.reads("Total 42")
    desk.thinker.script(says("The total is 4", finish="length"))
    answer = desk.ask()
    assert (answer.answer, answer.finish, len(answer.notes)) == ("The total is 4", "max-tokens", 1)
