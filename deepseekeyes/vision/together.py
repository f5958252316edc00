"""Several coroutines at once; the first that fails ends the others and is raised as it came."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable
from typing import Any


async def together(work: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Run all to their end. Whatever ends this call, none of them is left running.

    Raises:
        BaseException: the first failure, bare, so that doors see the same types as without concurrency.
    """
    import asyncio

    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION) if tasks else (set(), set())
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
