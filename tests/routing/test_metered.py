"""Every call is booked once, whatever became of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from deepseekeyes.contracts.usage import TokenUsage, UsageEvent
from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing import codes
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.metered import Metered
from deepseekeyes.routing.ports import EngineReply, EngineRequest


def test_calls_are_booked_with_their_outcome(
    bench: Any, make_entry: Any, scripted_engine: Any, asked: EngineRequest
) -> None:
    spent = TokenUsage(input_tokens=3, output_tokens=2)
    wasted = {"inputTokens": 9, "outputTokens": None}
    plays = (
        EngineReply(text="x", usage=spent),
        EyesError(codes.INCOMPLETE_STREAM, "broke", details={"dispatched": "unknown", "usage": wasted}),
        EngineReply(text="x", usage=spent),
        EyesError(codes.ENGINE_UNREACHABLE, "closed", details={"dispatched": "no"}),
    )
    booked: list[UsageEvent] = []
    engine = Metered(scripted_engine(*plays), booked.append, bench.hand.clock(), "base", "h" * 64)

    async def all_calls() -> None:
        await engine.run(make_entry("a"), asked)
        with pytest.raises(EyesError):
            await engine.run(make_entry("a"), asked)
        await engine.run(make_entry("a"), replace(asked, repeat=True))
        with pytest.raises(EyesError):
            await engine.run(make_entry("a"), asked)

    asyncio.run(all_calls())
    assert [(one.outcome, one.usage) for one in booked] == [
        ("success", spent),
        ("failed", TokenUsage(input_tokens=9)),
        ("retry", spent),
    ]
    assert (booked[0].purpose, booked[0].route, booked[0].provider, booked[0].model, booked[0].session_hash) == (
        "base",
        "a",
        "a",
        "a-model",
        "h" * 64,
    )


def test_a_call_that_its_caller_gave_up_is_booked_as_failed(bench: Any, make_entry: Any, asked: EngineRequest) -> None:
    class Endless:
        async def run(self, route: Route, request: EngineRequest) -> EngineReply:
            reached.set()
            await asyncio.Event().wait()
            raise AssertionError

    async def given_up() -> None:
        call = asyncio.ensure_future(engine.run(make_entry("a"), asked))
        await reached.wait()
        call.cancel()
        await call

    reached = asyncio.Event()
    booked: list[UsageEvent] = []
    engine = Metered(Endless(), booked.append, bench.hand.clock(), "base")
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(given_up())
    assert [(one.outcome, one.route, one.usage) for one in booked] == [("failed", "a", TokenUsage())]
