"""Start asyncio only when an operation is about to wait for something.

Operations are coroutines, but many of them never wait (a cached reading, a listing). Importing and starting asyncio
costs tens of milliseconds, so the command line drives a coroutine by hand until it says that it needs a loop.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Coroutine, Generator
from typing import Any, TypeVar

T = TypeVar("T")


class _LoopNeeded:
    """Yields once; a running asyncio task takes the bare yield as `sleep(0)`, `run` takes it as a request."""

    def __await__(self) -> Generator[None, None, None]:
        yield


async def loop_needed() -> None:
    """Say that from here on the operation waits for real. Costs nothing where a loop already runs."""
    asyncio = sys.modules.get("asyncio")
    if asyncio is not None and asyncio._get_running_loop() is not None:  # noqa: SLF001
        return
    await _LoopNeeded()


class _Resumed:
    def __init__(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        self._coroutine = coroutine

    def __await__(self) -> Generator[Any, Any, Any]:
        return (yield from self._coroutine.__await__())


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, with asyncio only when it awaits `loop_needed()`.

    Args:
        coroutine: must await `loop_needed()` before it awaits anything that needs a running loop.

    Raises:
        KeyboardInterrupt: on SIGINT, and on SIGTERM while it waits; what the coroutine has to undo is undone before.
    """
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    import asyncio

    terminated: list[bool] = []

    async def finish(rest: Awaitable[T]) -> T:
        _cancel_on_sigterm(terminated)
        return await rest

    try:
        return asyncio.run(finish(_Resumed(coroutine)))
    except asyncio.CancelledError:
        if terminated:
            raise KeyboardInterrupt from None
        raise


def _cancel_on_sigterm(terminated: list[bool]) -> None:
    """Let the first SIGTERM end the running task as an interrupt would; a second one ends the process."""
    import asyncio
    import signal
    from contextlib import suppress

    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def end() -> None:
        terminated.append(True)
        loop.remove_signal_handler(signal.SIGTERM)
        if task is not None:
            task.cancel()

    with suppress(NotImplementedError, RuntimeError, ValueError):  # no such signals here, or not the main thread
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            loop.add_signal_handler(signal.SIGTERM, end)
