"""Questions to several managed servers at once: one that is slow delays nobody, and what it answers late is noted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any


class Asking:
    """Asks each server the same thing, and never twice while it still thinks.

    Args:
        ask: one operation of one server; its failure is None, never raised.
        patience_s: how long all are waited for, seconds.
    """

    def __init__(self, ask: Callable[[str, str], Awaitable[Any]], patience_s: float) -> None:
        self._ask = ask
        self._patience_s = patience_s
        self._running: dict[tuple[str, str], asyncio.Task[Any]] = {}
        self._news = False

    async def each(self, operation: str, servers: Iterable[str]) -> list[Any]:
        """What the servers that answer in time answer, in their order; the others go on thinking."""
        asked = [self._asked(operation, server) for server in servers]
        if asked:
            await asyncio.wait(asked, timeout=self._patience_s)
        for task in asked:
            if not task.done():
                task.add_done_callback(self._late)
        answers = [task.result() for task in asked if task.done() and not task.cancelled()]
        return [answer for answer in answers if answer is not None]

    def news(self) -> bool:
        """Whether somebody has answered late, with something to list, since this was asked last."""
        news, self._news = self._news, False
        return news

    def _asked(self, operation: str, server: str) -> asyncio.Task[Any]:
        running = self._running.get((operation, server))
        if running is None or running.done():
            running = self._running[operation, server] = asyncio.ensure_future(self._ask(operation, server))
        return running

    def _late(self, task: asyncio.Task[Any]) -> None:
        if task.cancelled() or task.exception() is not None:
            return
        answer: Any = task.result()
        self._news = self._news or bool(answer is not None and answer.items)
