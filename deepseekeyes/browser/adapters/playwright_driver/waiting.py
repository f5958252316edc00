"""Waiting for a page without ever hanging on it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from deepseekeyes.browser import codes
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.redact import surface

T = TypeVar("T")


def went(failed: EyesError) -> bool:
    """Whether the document went while it was read; the next one is announced a little later."""
    return "context was destroyed" in failed.message


class DialogOpenedError(Exception):
    """A dialog keeps the page from going on."""


class Patience:
    """Bounds every wait.

    Args:
        dialog_opened: is set while a dialog is open.
        timeout_s: of one wait, and of all waits since `begin`.
    """

    def __init__(self, dialog_opened: asyncio.Event, timeout_s: float) -> None:
        self._dialog_opened = dialog_opened
        self.timeout_s = timeout_s
        self._pending: set[asyncio.Task[Any]] = set()
        self._until: float | None = None

    def begin(self) -> None:
        """Start a part of a gesture; its waits together take no longer than one may."""
        self._until = asyncio.get_running_loop().time() + self.timeout_s

    def end(self) -> None:
        """Give up what still goes on in the background."""
        for task in self._pending:
            task.cancel()

    async def bounded(self, work: Coroutine[Any, Any, T], *, timeout_s: float | None = None) -> T:
        """Wait for something a page does, but not longer than it takes a dialog to open, or than the timeout.

        Raises:
            DialogOpenedError: the work goes on in the background until the dialog is answered.
            EyesError: BROWSER_TIMEOUT, BROWSER_FAILED.
        """
        from playwright.async_api import Error
        from playwright.async_api import TimeoutError as DriverTimeout

        task = asyncio.ensure_future(work)
        opened = asyncio.ensure_future(self._dialog_opened.wait())
        limit = timeout_s if timeout_s is not None else self.timeout_s
        try:
            patience = min(limit, self._left_s()) + 1.0
            await asyncio.wait({task, opened}, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
        except DriverTimeout:
            raise self._late(limit) from None
        except Error as failed:
            raise EyesError(codes.BROWSER_FAILED, _sentence(failed)) from failed
        finally:
            opened.cancel()
        self._leave(task)
        if self._dialog_opened.is_set():
            raise DialogOpenedError
        task.cancel()
        raise self._late(limit)

    def _left_s(self) -> float:
        if self._until is None:
            return self.timeout_s
        return max(0.0, self._until - asyncio.get_running_loop().time())

    async def unless_gone(self, work: Coroutine[Any, Any, T]) -> T | None:
        """As `bounded`; None when the document went away meanwhile.

        Raises:
            DialogOpenedError, EyesError: as `bounded`.
        """
        try:
            return await self.bounded(work)
        except EyesError as failed:
            if went(failed):
                return None
            raise

    def _leave(self, task: asyncio.Task[Any]) -> None:
        self._pending.add(task)
        task.add_done_callback(self._pending.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())

    def _late(self, limit: float) -> EyesError:
        return EyesError(
            codes.BROWSER_TIMEOUT,
            f"The page did not answer within {limit:g} s.",
            details={"limit": {"name": "timeout_ms", "value": round(limit * 1000), "setting": "browser.timeout_ms"}},
            setting="browser.timeout_ms",
        )


def _sentence(failed: Exception) -> str:
    first = str(failed).strip().partition("\n")[0]
    return f"The browser refused: {surface(first, 200)}"
