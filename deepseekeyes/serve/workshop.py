"""A thread with a loop of its own in which the operations run, so that the protocol answers pings while they work."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from deepseekeyes.core.errors import EyesError
from deepseekeyes.serve.codes import SERVE_BUSY, SERVE_STOPPING

T = TypeVar("T")

STOP_S = 2.0


class Workshop:
    """Runs coroutines of callers in one loop, a few at a time.

    Args:
        at_once: coroutines that run at the same time.
        waiting: coroutines that may wait for their turn; one more is refused.
    """

    def __init__(self, *, at_once: int, waiting: int) -> None:
        self.at_once = at_once
        self.waiting = waiting
        self._loop = asyncio.new_event_loop()
        self._turns = asyncio.Semaphore(at_once)
        self._held = 0
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="operations", daemon=True)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether anything runs or waits."""
        return self._held > 0

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run one coroutine; cancelling the caller cancels it.

        Raises:
            EyesError: SERVE_BUSY when too many wait, SERVE_STOPPING after `close`.
        """
        if self._held >= self.at_once + self.waiting:
            work.close()
            raise EyesError(
                SERVE_BUSY,
                f"{self.at_once} calls run and {self.waiting} wait already.",
                details={
                    "dispatched": "no",
                    "limit": {"name": "calls_waiting", "value": self.waiting, "setting": "serve.calls_waiting"},
                },
            )
        self._held += 1
        try:
            return await self.aside(self._in_turn(work))
        finally:
            self._held -= 1
            self._discard(work)

    async def aside(self, work: Coroutine[Any, Any, T]) -> T:
        """Run one coroutine at once, whatever else runs: for what takes no time of its own."""
        if self._closed:
            work.close()
            raise EyesError(SERVE_STOPPING, "The server is stopping.", details={"dispatched": "no"})
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def close(self) -> None:
        """Cancel what runs and end the thread; a step that cannot be interrupted is left behind."""
        if self._closed:
            return
        self._closed = True
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._stop)
        self._thread.join(STOP_S)

    def _discard(self, work: Coroutine[Any, Any, Any]) -> None:
        """Close work that never began, in the thread where it would begin."""

        def discard() -> None:
            if inspect.getcoroutinestate(work) == inspect.CORO_CREATED:
                work.close()

        if self._closed:
            # The thread may be past its last callback; nothing begins there any more.
            discard()
            return
        try:
            self._loop.call_soon_threadsafe(discard)
        except RuntimeError:
            discard()

    async def _in_turn(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            await self._turns.acquire()
        except BaseException:
            work.close()
            raise
        try:
            return await work
        finally:
            self._turns.release()

    def _stop(self) -> None:
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.call_soon(self._loop.stop)

    def _work(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            left = asyncio.all_tasks(self._loop)
            for task in left:
                task.cancel()
            if left:
                self._loop.run_until_complete(asyncio.wait(left, timeout=STOP_S / 2))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        finally:
            with suppress(RuntimeError):
                self._loop.close()
