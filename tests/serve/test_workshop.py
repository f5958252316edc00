"""The thread of the operations."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.serve.workshop import Workshop


def run(steps: Callable[[Workshop], Awaitable[None]]) -> None:
    async def whole() -> None:
        shop = Workshop(at_once=2, waiting=1)
        try:
            await steps(shop)
        finally:
            shop.close()

    asyncio.run(whole())


def test_work_runs_in_a_thread_of_its_own_and_its_failures_come_back() -> None:
    async def steps(shop: Workshop) -> None:
        async def where() -> str:
            return threading.current_thread().name

        async def fails() -> None:
            raise ValueError("no")

        assert await shop.run(where()) == "operations"
        with pytest.raises(ValueError, match="no"):
            await shop.run(fails())
        assert not shop.busy

    run(steps)


def test_one_call_more_than_may_wait_is_refused_before_it_starts() -> None:
    async def steps(shop: Workshop) -> None:
        gate = asyncio.Event()
        started: list[int] = []

        async def held(number: int) -> None:
            started.append(number)
            while not gate.is_set():
                await asyncio.sleep(0.001)

        calls = [asyncio.ensure_future(shop.run(held(number))) for number in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(EyesError) as refused:
            await shop.run(held(9))
        assert refused.value.code.name == "SERVE_BUSY"
        assert refused.value.details["limit"]["value"] == 1  # type: ignore[typeddict-item]
        while len(started) < 2:
            await asyncio.sleep(0.001)
        assert started == [0, 1]
        gate.set()
        await asyncio.gather(*calls)
        assert sorted(started) == [0, 1, 2]

    run(steps)


def test_cancelling_the_caller_cancels_the_work_and_frees_its_place() -> None:
    async def steps(shop: Workshop) -> None:
        began, ended = threading.Event(), threading.Event()

        async def long() -> None:
            began.set()
            try:
                await asyncio.sleep(3600)
            finally:
                ended.set()

        call = asyncio.ensure_future(shop.run(long()))
        assert await asyncio.to_thread(began.wait, 10)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await asyncio.to_thread(ended.wait, 10)
        assert not shop.busy

    run(steps)


def test_a_blocking_operation_does_not_hold_up_the_caller() -> None:
    async def steps(shop: Workshop) -> None:
        free = threading.Event()

        async def blocks() -> bool:
            return free.wait(30)

        call = asyncio.ensure_future(shop.run(blocks()))
        for _ in range(100):
            await asyncio.sleep(0)
        free.set()
        assert await call

    run(steps)


def test_a_closed_workshop_refuses_and_closing_twice_is_fine() -> None:
    async def steps(shop: Workshop) -> None:
        shop.close()
        with pytest.raises(EyesError) as refused:
            await shop.run(asyncio.sleep(0))
        assert refused.value.code.name == "SERVE_STOPPING"

    run(steps)
