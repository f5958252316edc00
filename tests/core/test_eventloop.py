"""A loop only where something waits."""

from __future__ import annotations

import asyncio
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
