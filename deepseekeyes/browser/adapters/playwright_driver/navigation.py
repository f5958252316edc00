"""Every request of the whole browser passes here first: pages, frames, popups, their parts, workers, each redirect."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from deepseekeyes.browser.outgoing import Outgoing
from deepseekeyes.browser.urls import Refusal, shown

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession

KEPT = 50


class Navigation:
    """Lets requests through or stops them before anything is sent.

    Args:
        outgoing: judges them.
        opened: addresses of the open pages, for requests that do not say where they come from.

    Attributes:
        refused: the latest refusals, as rows of an observation.
        count: how many pages and frames were refused; `last` is the latest of them.
    """

    def __init__(self, outgoing: Outgoing, opened: Callable[[], Sequence[str]]) -> None:
        self.refused: deque[dict[str, Any]] = deque(maxlen=KEPT)
        self.count = 0
        self.last: Refusal = ("", "")
        self._outgoing = outgoing
        self._opened = opened
        self._session: CDPSession | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def attach(self, browser: Browser) -> None:
        """Begin; nothing has been opened yet."""
        pattern = {"urlPattern": "*", "requestStage": "Request"}
        if self._outgoing.policy.parts == "any":
            pattern["resourceType"] = "Document"
        self._session = await browser.new_browser_cdp_session()
        self._session.on("Fetch.requestPaused", self._paused)
        await self._session.send("Fetch.enable", {"patterns": [pattern]})

    def _paused(self, event: dict[str, Any]) -> None:
        task = asyncio.ensure_future(self._answer(event))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, event: dict[str, Any]) -> None:
        from playwright.async_api import Error

        assert self._session is not None
        kind, url = str(event["resourceType"]), str(event["request"]["url"])
        refusal = await self._judged(kind, url, event["request"].get("headers", {}))
        with suppress(Error):
            if refusal is None:
                await self._session.send("Fetch.continueRequest", {"requestId": event["requestId"]})
                return
            if kind == "Document":
                self.count, self.last = self.count + 1, refusal
            self.refused.append(
                {
                    "url": shown(url),
                    "kind": kind.lower(),
                    "reason": refusal[0],
                    "fix": refusal[1],
                    "redirected": event.get("redirectedRequestId") is not None,
                }
            )
            await self._session.send(
                "Fetch.failRequest", {"requestId": event["requestId"], "errorReason": "BlockedByClient"}
            )

    async def _judged(self, kind: str, url: str, headers: dict[str, str]) -> Refusal | None:
        if kind == "Document":
            return await self._outgoing.page(url)
        told = headers.get("Origin") or headers.get("Referer")
        return await self._outgoing.part(url, [told] if told else self._opened())
