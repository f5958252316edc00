"""The pages of a session: which there are, which is active, their dialogs, downloads and complaints."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from deepseekeyes.browser.adapters.playwright_driver.downloads import ROWS, Downloads
from deepseekeyes.browser.urls import shown
from deepseekeyes.core.redact import clip, redact
from deepseekeyes.core.secrets import known_values

if TYPE_CHECKING:
    from playwright.async_api import (
        BrowserContext,
        CDPSession,
        ConsoleMessage,
        Dialog,
        Frame,
        Page,
        Request,
    )

KEPT = 100
ANNOUNCED, ANNOUNCED_S = 100, 0.02
MESSAGE_CHARS = 4_000
AWAITED = frozenset({"document", "script", "stylesheet", "fetch", "xhr"})


@dataclass(slots=True)
class OpenPage:
    """One page.

    Attributes:
        generation: counts documents of the main frame and of all others.
        choosers: how often it asked for files.
        dialogs: how many it opened since it could last be looked at.
        completing: whether somebody asks for the rest of this already.
    """

    id: str
    page: Page
    opener: str | None
    session: CDPSession | None = None
    dialog: Dialog | None = None
    generation: int = 0
    navigations: int = 0
    choosers: int = 0
    dialogs: int = 0
    crashed: bool = False
    completing: bool = False


@dataclass(slots=True)
class Complaints:
    """What pages said on their consoles and what failed, newest last."""

    console: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=KEPT))
    errors: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=KEPT))
    requests: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=KEPT))


class Pages:
    """Keeps the pages of one browser context.

    Args:
        downloads: what becomes of their downloads.
        left: is told of every frame whose document has gone.
        most: pages at once; what a page opens beyond is closed again.
    """

    def __init__(self, downloads: Downloads, left: Callable[[Frame], None], most: int) -> None:
        self._most = most
        self._shut = 0
        self._downloads = downloads
        self._left = left
        self._open: dict[str, OpenPage] = {}
        self._count = 0
        self._tasks: set[asyncio.Task[Any]] = set()
        self._loading: set[Request] = set()
        self.active_id = ""
        self.complaints = Complaints()
        self.dialog_opened = asyncio.Event()
        self.notices: list[str] = []

    def attach(self, context: BrowserContext) -> None:
        """Begin to listen."""
        context.on("page", self._came)
        context.on("console", self._console)
        context.on("weberror", lambda error: self._say(self.complaints.errors, text=str(error.error)))
        context.on("request", self._request)
        context.on("requestfinished", lambda request: self._loading.discard(request))
        context.on("requestfailed", self._request_failed)

    @property
    def downloads(self) -> list[dict[str, Any]]:
        """What was downloaded, oldest first."""
        return self._downloads.rows

    @property
    def all(self) -> tuple[OpenPage, ...]:
        return tuple(self._open.values())

    @property
    def active(self) -> OpenPage | None:
        """The active page; after it was closed another one, which is said in `notices`."""
        found = self._open.get(self.active_id)
        if found is None and self._open:
            found = list(self._open.values())[-1]
            self.notices.append(f"Page {self.active_id} was closed; {found.id} is active now.")
            self.active_id = found.id
        return found

    def find(self, page_id: str) -> OpenPage | None:
        return self._open.get(page_id)

    async def first(self, page: Page) -> OpenPage:
        """Take in the page that the session opened itself."""
        made = await self._complete(self._take(page))
        self.active_id = made.id
        return made

    async def downloading(self, before: int) -> None:
        """Give a download that was announced a moment to be taken in.

        Args:
            before: how many there were.
        """
        for _ in range(ANNOUNCED):
            if len(self.downloads) > before:
                return
            await asyncio.sleep(ANNOUNCED_S)

    async def settled(self) -> None:
        """Give pages and downloads that just began a moment to be taken in."""
        running = {task for task in self._tasks if not task.done()}
        if running:
            await asyncio.wait(running, timeout=1.0)

    def _came(self, page: Page) -> None:
        if len(self._open) < self._most or any(one.page == page for one in self._open.values()):
            self._spawn(self._complete(self._take(page)))
            return
        self._shut += 1
        self._spawn(page.close(run_before_unload=False))

    def said(self) -> list[str]:
        """What is to be told once."""
        told, self.notices = self.notices, []
        if self._shut:
            told.append(
                f"{self._shut} more pages were opened and closed again: {self._most} may be open (browser.max_pages)."
            )
            self._shut = 0
        if self._downloads.unlisted:
            told.append(f"{self._downloads.unlisted} more downloads were cancelled: {ROWS} are listed.")
            self._downloads.unlisted = 0
        return told

    def _take(self, page: Page) -> OpenPage:
        """Take a page in and listen to it before anything can happen on it."""
        found = next((one for one in self._open.values() if one.page == page), None)
        if found is not None:
            return found
        self._count += 1
        made = OpenPage(f"p{self._count}", page, None)
        self._open[made.id] = made
        page.on("dialog", lambda dialog: self._dialog(made, dialog))
        page.on("download", lambda download: self._spawn(self._downloads.take(made.id, download)))
        page.on("filechooser", lambda _: self._chooser(made))
        page.on("framenavigated", lambda frame: self._navigated(made, frame))
        page.on("framedetached", self._left)
        page.on("close", lambda _: self._closed(made))
        page.on("crash", lambda _: self._crashed(made))
        return made

    async def _complete(self, made: OpenPage) -> OpenPage:
        """What has to be asked for."""
        from playwright.async_api import Error

        if made.session is not None or made.completing:
            return made
        made.completing = True
        with suppress(Error):
            opener = await made.page.opener()
            made.opener = next((one.id for one in self._open.values() if one.page == opener), None)
        with suppress(Error):
            made.session = await made.page.context.new_cdp_session(made.page)
        return made

    def _chooser(self, owner: OpenPage) -> None:
        owner.choosers += 1
        self.notices.append("The page asked for files. Hand them over: deepseekeyes browser upload FILE --ref REF")

    def _closed(self, owner: OpenPage) -> None:
        self._open.pop(owner.id, None)
        self.answered(owner)

    def _crashed(self, owner: OpenPage) -> None:
        owner.crashed = True
        self._say(self.complaints.errors, text="The page crashed.")

    def _navigated(self, owner: OpenPage, frame: Frame) -> None:
        owner.generation += 1
        if frame == owner.page.main_frame:
            owner.navigations += 1

    def _dialog(self, owner: OpenPage, dialog: Dialog) -> None:
        owner.dialog = dialog
        owner.dialogs += 1
        self.dialog_opened.set()

    def answered(self, owner: OpenPage) -> None:
        """A dialog was answered."""
        owner.dialog = None
        if not any(one.dialog is not None for one in self._open.values()):
            self.dialog_opened.clear()

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("warning", "error"):
            self._say(self.complaints.console, type=message.type, text=message.text)

    @property
    def loading(self) -> int:
        """How many requests that matter to what a page shows began since `loading_anew` and have not ended."""
        return len(self._loading)

    def loading_anew(self) -> None:
        """Count from here."""
        self._loading.clear()

    def _request(self, request: Request) -> None:
        if request.resource_type in AWAITED:
            self._loading.add(request)

    def _request_failed(self, request: Request) -> None:
        self._loading.discard(request)
        self._say(
            self.complaints.requests, method=request.method, url=shown(request.url), text=request.failure or "failed"
        )

    def _say(self, where: deque[dict[str, Any]], *, text: str, **more: Any) -> None:
        where.append({**more, "text": clip(text, MESSAGE_CHARS * 4)})

    def told(self, where: deque[dict[str, Any]], most: int) -> list[dict[str, Any]]:
        """The latest complaints without secrets; those of a page that floods its console are not all looked through."""
        secrets = known_values()
        return [{**row, "text": clip(redact(str(row["text"]), secrets), MESSAGE_CHARS)} for row in list(where)[-most:]]

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()


def page_row(one: OpenPage, active: str) -> Mapping[str, Any]:
    """A page as documents carry it."""
    return {
        "id": one.id,
        "url": shown(one.page.url),
        "opener": one.opener,
        "active": one.id == active,
        "dialog": one.dialog is not None,
    }
