"""Repetitions on one route: which failures deserve one, and that each kind happens once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing import codes
from deepseekeyes.routing.ask import REASONING_NOTE, ask
from deepseekeyes.routing.capabilities import EYE
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.ports import EngineReply, EngineRequest, Message, Picture
from deepseekeyes.routing.tally import Tally

SPENT = TokenUsage(input_tokens=3, output_tokens=2)
GOOD = EngineReply(text="fine", usage=SPENT)
EMPTY = EngineReply(text="", reasoning="hm", finish="max-tokens", usage=SPENT)
CUT = EngineReply(text='{"summ', finish="max-tokens", usage=SPENT)
EYE_REQUEST = EngineRequest(EYE, (Message("user", "look"),), max_tokens=1000, variant="base")
TEXT_REQUEST = EngineRequest("text_to_text", (Message("user", "think"),), max_tokens=1000)
INCOMPLETE = EyesError(
    codes.INCOMPLETE_STREAM,
    "broke",
    details={"dispatched": "unknown", "usage": {"inputTokens": 3, "outputTokens": 1}},
)
REJECTED = EyesError(codes.ENGINE_BUDGET_REJECTED, "max_tokens too large", details={"dispatched": "yes"})


def go(
    bench: Any, engine: Any, route: Route, request: EngineRequest = EYE_REQUEST, **more: Any
) -> tuple[EngineReply, Tally]:
    tally = Tally()
    reply = asyncio.run(ask(engine, route, request, tally=tally, clock=bench.hand.clock(), **more))
    return reply, tally


def fails(bench: Any, engine: Any, route: Route, request: EngineRequest = EYE_REQUEST, **more: Any) -> EyesError:
    with pytest.raises(EyesError) as caught:
        go(bench, engine, route, request, **more)
    return caught.value


def test_a_good_answer_is_taken_at_once(bench: Any, make_entry: Any, scripted_engine: Callable[..., Any]) -> None:
    engine = scripted_engine(GOOD)
    reply, tally = go(bench, engine, make_entry("a"))
    assert (reply, engine.seen, tally.usage, tally.calls, tally.repetitions) == (GOOD, [EYE_REQUEST], SPENT, 1, [])


def test_a_refused_budget_is_asked_again_without_it(
    bench: Any, make_entry: Any, scripted_engine: Callable[..., Any]
) -> None:
    """Case 23."""
    engine = scripted_engine(REJECTED, GOOD)
    reply, tally = go(bench, engine, make_entry("a"))
    assert (reply.text, [one.max_tokens for one in engine.seen], tally.usage) == ("fine", [1000, None], SPENT)
    assert [one.error_code for one in tally.taken()] == ["ENGINE_BUDGET_REJECTED"]


def test_without_a_budget_there_is_nothing_to_leave_out(
    bench: Any, make_entry: Any, scripted_engine: Callable[..., Any]
) -> None:
    engine = scripted_engine(REJECTED)
    assert fails(bench, engine, make_entry("a"), replace(EYE_REQUEST, max_tokens=None)) is REJECTED


def test_a_broken_stream_is_asked_again_once_and_both_are_booked(
    bench: Any, make_entry: Any, scripted_engine: Callable[..., Any]
) -> None:
    """Case 21."""
    engine = scripted_engine(INCOMPLETE, GOOD)
    reply, tally = go(bench, engine, make_entry("a"))
    assert (reply.text, len(engine.seen), [one.repeat for one in engine.seen]) == ("fine", 2, [False, True])
    assert (tally.usage, tally.calls) == (TokenUsage(input_tokens=6, output_tokens=3), 2)
    again = scripted_engine(INCOMPLETE, INCOMPLETE)
    assert fails(bench, again, make_entry("a")).code.name == "INCOMPLETE_STREAM"
    assert len(again.seen) == 2


@pytest.mark.parametrize(
    ("code", "text", "calls"),
    [
        (codes.ENGINE_FAILED, "stream ended early", 2),
        (codes.ENGINE_BAD_REQUEST, "Unexpected end of JSON input", 2),
        (codes.ENGINE_FAILED, "socket hang up", 2),
        (codes.ENGINE_FAILED, "the model exploded", 1),
        (codes.ENGINE_SERVER_ERROR, "connection reset", 1),
        (codes.ENGINE_TIMEOUT, "premature", 1),
        (codes.ENGINE_RATE_LIMITED, "stream ended", 1),
    ],
)
def test_only_what_reads_like_a_broken_transport_is_repeated(
    bench: Any, make_entry: Any, scripted_engine: Callable[..., Any], code: Any, text: str, calls: int
) -> None:
    engine = scripted_engine(EyesError(code, text), EyesError(code, text))
    assert fails(bench, engine, make_entry("a")).code is code
    assert len(engine.seen) == calls


def test_work_that_must_not_be_done_twice_is_never_repeated(
    bench: Any, make_entry: Any, scripted_engine: Callable[..., Any]
) -> None:
    engine = scripted_engine(INCOMPLETE)
    assert fails(bench, engine, make_entry("a", idempotent=False)) is INCOMPLETE


def test_a_refusal_then_a_break_then_an_answer_stays_bounded(
    bench: Any, make_entry: Any, scripted_engine: Callable[..., Any]
) -> None:
    """13.1-16: the refused budget is remembered, so a repetition does not run into it again."""
    engine = scripted_engine(REJECTED, INCOMPLETE, GOOD)
    reply, _ = go(bench, engine, make_entry("a"))
    assert (reply.text, [one.max_tokens for one in engine.seen]) == ("fine", [1000, None, None])
    worst = scripted_engine(REJECTED, INCOMPLETE, EMPTY, INCOMPLETE)
    fails(bench, worst, make_entry("a", thinking_switch="thinking"))
    assert len(worst.seen) == 4


def test_an_answer_lost_in_thought_is_asked_for_with_thinking_off(
    bench: Any, make_entry: Any, scripted_engine: Callable[..., Any]
) -> None:
    """J05."""
    engine = scripted_engine(EMPTY, GOOD)
    reply, tally = go(bench, engine, make_entry("a", thinking_switch="thinking"))
    assert (reply.text, [(one.thinking, one.max_tokens) for one in engine.seen]) == (
        "fine",
        [("default", 1000), ("off", 1000)],
    )
    assert (tally.calls, [one.error_code for one in tally.taken()]) == (2, ["NO_ANSWER"])


def test_an_answer_lost_in_thought_gets_twice_the_room_where_thinking_cannot_be_turned_off(
    bench: Any, make_entry: Any, scripted_engine: Callable[..., Any]
) -> None:
    """J05."""
    engine = scripted_engine(EMPTY, EMPTY)
    found = fails(bench, engine, make_entry("a"))
    assert (found.code.name, found.exit_code, [one.max_tokens for one in engine.seen]) == ("NO_ANSWER", 6, [1000, 2000])


@pytest.mark.parametrize(
    ("limits", "budgets"),
    [
        ({}, [1000, 2000]),
        ({"max_output_tokens": 1500}, [1000, 1500]),
        ({"max_output_tokens": 1000}, [1000]),
        ({"max_output_tokens": 400}, [400]),
        ({"context_tokens": 1200}, [1000, 1200]),
    ],
)
def test_more_room_is_taken_only_as_far_as_the_limits_allow(
    bench: Any, make_entry: Any, scripted_engine: Callable[..., Any], limits: dict[str, int], budgets: list[int]
) -> None:
    engine = scripted_engine(CUT, CUT)
    found = fails(bench, engine, make_entry("a", limits=limits))
    assert (found.code.name, [one.max_tokens for one in engine.seen]) == ("VISION_OUTPUT_TRUNCATED", budgets)
    assert found.details["limit"] == {
        "name": "max_tokens",
        "value": budgets[-1],
        "setting": "vision.base_max_tokens",
    }


def test_a_cut_answer_of_a_reasoner_is_an_answer(
    bench: Any, make_entry: Any, scripted_engine: Callable[..., Any]
) -> None:
    reply, tally = go(bench, scripted_engine(CUT), make_entry("a"), TEXT_REQUEST)
    assert (reply, tally.calls) == (CUT, 1)


def test_thoughts_count_as_an_answer_only_when_they_pass_as_one(
    bench: Any, make_entry: Any, scripted_engine: Callable[..., Any]
) -> None:
    aside = EngineReply(text=" ", reasoning='{"summary":"x"}', usage=SPENT)
    reply, _ = go(bench, scripted_engine(aside), make_entry("a"), usable=lambda text: text.startswith("{"))
    assert (reply.text, reply.notes) == ('{"summary":"x"}', (REASONING_NOTE,))
    assert fails(bench, scripted_engine(aside, aside), make_entry("a"), usable=lambda _: False).code.name == "NO_ANSWER"
    assert fails(bench, scripted_engine(aside, aside), make_entry("a")).code.name == "NO_ANSWER"


def test_thoughts_beside_an_answer_are_never_read(
    bench: Any, make_entry: Any, scripted_engine: Callable[..., Any]
) -> None:
    both = EngineReply(text="bad", reasoning='{"summary":"x"}', usage=SPENT)
    reply, _ = go(bench, scripted_engine(both), make_entry("a"), usable=lambda _: True)
    assert (reply.text, reply.notes) == ("bad", ())


def test_a_withheld_answer_is_not_asked_for_again(
    bench: Any, make_entry: Any, scripted_engine: Callable[..., Any]
) -> None:
    engine = scripted_engine(EngineReply(text="I", finish="content-filter", usage=SPENT))
    assert fails(bench, engine, make_entry("a")).code.name == "CONTENT_FILTERED"


def test_a_document_of_a_prompt_free_eye_is_an_answer(
    bench: Any, make_entry: Any, scripted_engine: Callable[..., Any]
) -> None:
    read = EngineReply(document={"summary": "x"})
    assert go(bench, scripted_engine(read), make_entry("a"))[0] is read


def test_whoever_shows_the_text_hears_that_it_starts_anew(
    bench: Any, make_entry: Any, scripted_engine: Callable[..., Any]
) -> None:
    heard: list[str] = []
    request = replace(EYE_REQUEST, on_restart=lambda: heard.append("again"))
    go(bench, scripted_engine(INCOMPLETE, GOOD), make_entry("a"), request)
    assert heard == ["again"]


def test_more_pictures_than_a_route_takes_are_never_sent(
    bench: Any, make_entry: Any, scripted_engine: Callable[..., Any]
) -> None:
    pictures = (Picture(b"x", "image/png", 1, 1, "a" * 64),) * 3
    engine = scripted_engine(GOOD)
    request = replace(EYE_REQUEST, messages=(Message("user", "look", pictures),))
    found = fails(bench, engine, make_entry("a", limits={"max_images": 2}), request)
    assert (found.code.name, found.details["limit"], engine.seen) == (
        "ENGINE_IMAGE_REJECTED",
        {"name": "max_images", "value": 2, "setting": "routes.a.limits.max_images"},
        [],
    )
