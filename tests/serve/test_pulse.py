"""Progress on its way to the client."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from deepseekeyes.serve.pulse import Pulse

Told = list[tuple[float, float | None, str | None]]


def sent(steps: list[tuple[float, float | None, str]], *, silent_s: float = 60, beats: int = 0) -> Told:
    """What a client hears of steps that a call reports from another thread, or of `beats` silences."""

    async def whole() -> Told:
        told: Told = []
        heard = asyncio.Event()

        async def send(*step: Any) -> None:
            told.append(step)
            if len(told) >= beats:
                heard.set()

        pulse = Pulse(send, silent_s=silent_s)
        for step in steps:
            thread = threading.Thread(target=pulse.report, args=step)
            thread.start()
            thread.join()
        if beats:
            await asyncio.wait_for(heard.wait(), 30)
        await asyncio.sleep(0)
        await pulse.close()
        return told

    return asyncio.run(whole())


def test_the_last_step_arrives_before_the_answer() -> None:
    assert sent([(1, 3, "reading"), (2, 3, "reading"), (3, 3, "")])[-1] == (3.0, 3, None)


def test_progress_only_grows() -> None:
    told = sent([(3, 3, "a"), (1, 3, "b"), (3, 3, "c")])
    assert [step[0] for step in told] in ([3.0], [])
    values = [step[0] for step in sent([], silent_s=0.001, beats=4)]
    assert values == sorted(set(values))


def test_a_silent_call_gives_signs_of_life_that_stay_below_the_next_step() -> None:
    told = sent([], silent_s=0.001, beats=3)
    assert {step[2] for step in told} == {"working"}
    assert all(0 < step[0] < 1 for step in told)


def test_a_client_that_is_gone_is_no_failure() -> None:
    async def whole() -> None:
        async def send(*step: Any) -> None:
            raise ConnectionError

        pulse = Pulse(send)
        pulse.report(1, None, "x")
        await asyncio.sleep(0)
        await pulse.close()

    asyncio.run(whole())
