"""A loop only where something waits."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys

import pytest

from deepseekeyes.core.eventloop import loop_needed, run


async def plain(value: int) -> int:
    return value + 1


async def waiting(value: int) -> int:
    await loop_needed()
    await asyncio.sleep(0)
    first, second = await asyncio.gather(plain(value), asyncio.to_thread(lambda: value))
    return first + second


async def twice(value: int) -> int:
    await loop_needed()
    await asyncio.sleep(0)
    await loop_needed()
    return await waiting(value)


@pytest.mark.parametrize(("coroutine", "result"), [(plain, 2), (waiting, 3), (twice, 3)])
def test_operations_finish_with_and_without_a_loop_of_their_own(coroutine: object, result: int) -> None:
    assert run(coroutine(1)) == result  # type: ignore[operator]
    assert asyncio.run(coroutine(1)) == result  # type: ignore[operator]


def test_exceptions_come_through_before_and_after_the_loop_starts() -> None:
    async def early() -> None:
        raise KeyError("early")

    async def late() -> None:
        await loop_needed()
        await asyncio.sleep(0)
        raise KeyError("late")

    for coroutine, word in ((early, "early"), (late, "late")):
        with pytest.raises(KeyError, match=word):
            run(coroutine())


def test_an_operation_that_never_waits_imports_no_asyncio() -> None:
    program = (
        "import sys\n"
        "from deepseekeyes.core.eventloop import run\n"
        "async def plain(): return 7\n"
        "assert run(plain()) == 7\n"
        "assert 'asyncio' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


WAITER = """
import asyncio, sys
from deepseekeyes.core.eventloop import loop_needed, run
async def waits():
    await loop_needed()
    print("waiting", flush=True)
    try:
        await asyncio.sleep(3600)
    finally:
        print("undone", flush=True)
try:
    run(waits())
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without asking it")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_undoes_what_waits_and_ends_as_an_interrupt(number: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", WAITER], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        process.send_signal(number)
        assert (process.stdout.read(), process.wait(60)) == ("undone\ninterrupted\n", 0)
