"""Progress of a call on its way from the thread of the operations to the client."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from contextlib import suppress

Step = tuple[float, float | None, str]
Send = Callable[[float, float | None, str | None], Awaitable[None]]

THINNED_S = 0.1
SILENT_S = 5.0
WORKING = "working"


class Pulse:
    """Sends at most ten steps a second, each greater than the one before; after silence, a sign of life.

    A sign of life lies between the last step and the next whole one, so that it never gets ahead of a count.

    Args:
        send: sends one step to the client; does nothing when the client did not ask for progress.
        silent_s: seconds without a step after which the client hears that the call is still running.
    """

    def __init__(self, send: Send, *, silent_s: float = SILENT_S) -> None:
        self._send_step = send
        self._silent_s = silent_s
        self._loop = asyncio.get_running_loop()
        self._latest: Step | None = None
        self._highest = -1.0
        self._total: float | None = None
        self._beats = 0
        self._stirred = asyncio.Event()
        self._closing = False
        self._sender = asyncio.ensure_future(self._follow())

    def report(self, done: float, total: float | None, label: str) -> None:
        """Take a step, from any thread."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._take, (float(done), total, label))

    async def close(self) -> None:
        """Send what is still due; nothing is sent after the answer."""
        self._closing = True
        self._stirred.set()
        await self._sender

    def _take(self, step: Step) -> None:
        self._latest = step
        self._stirred.set()

    async def _follow(self) -> None:
        while not self._closing:
            try:
                await asyncio.wait_for(self._stirred.wait(), self._silent_s)
            except TimeoutError:
                self._beat()
            self._stirred.clear()
            await self._send()
            if not self._closing:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stirred.wait(), THINNED_S)

    def _beat(self) -> None:
        self._beats += 1
        start = max(0.0, math.floor(self._highest))
        self._latest = (start + 1 - 1 / (1 + self._beats), self._total, WORKING)

    async def _send(self) -> None:
        step, self._latest = self._latest, None
        if step is not None and step[0] > self._highest:
            self._highest, self._total = step[0], step[1]
            with suppress(Exception):
                await self._send_step(step[0], step[1], step[2] or None)
