"""Every document request of the whole browser passes here first: pages, frames, popups, and each redirect."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from deepseekeyes.browser.urls import Policy, shown

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession

KEPT = 50


class Navigation:
    """Lets document requests through or stops them before anything is sent.

    Attributes:
        refused: the latest refusals, as rows of an observation.
    """

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.refused: deque[dict[str, Any]] = deque(maxlen=KEPT)
        self.count = 0
        self._session: CDPSession | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def attach(self, browser: Browser) -> None:
        """Begin; nothing has been opened yet."""
        self._session = await browser.new_browser_cdp_session()
        self._session.on("Fetch.requestPaused", self._paused)
        await self._session.send(
            "Fetch.enable", {"patterns": [{"urlPattern": "*", "resourceType": "Document", "requestStage": "Request"}]}
        )

    def _paused(self, event: dict[str, Any]) -> None:
        task = asyncio.ensure_future(self._answer(event))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, event: dict[str, Any]) -> None:
        from playwright.async_api import Error

        assert self._session is not None
        url = str(event["request"]["url"])
        refusal = self.policy.refusal(url)
        with suppress(Error):
            if refusal is None:
                await self._session.send("Fetch.continueRequest", {"requestId": event["requestId"]})
                return
            self.count += 1
            self.refused.append(
                {
                    "url": shown(url),
                    "reason": refusal[0],
                    "fix": refusal[1],
                    "redirected": event.get("redirectedRequestId") is not None,
                }
            )
            await self._session.send(
                "Fetch.failRequest", {"requestId": event["requestId"], "errorReason": "BlockedByClient"}
            )
