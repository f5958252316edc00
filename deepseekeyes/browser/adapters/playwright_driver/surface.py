"""A live browser as a surface on which gestures are carried out under guard."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from deepseekeyes.automation.surface import Check, Gesture, Identity, Seen, Snapshot, StateCodes, Target
from deepseekeyes.browser import codes
from deepseekeyes.browser.adapters.playwright_driver import launch as starting
from deepseekeyes.browser.adapters.playwright_driver.checks import checks_of
from deepseekeyes.browser.adapters.playwright_driver.downloads import Downloads
from deepseekeyes.browser.adapters.playwright_driver.gestures import GESTURES
from deepseekeyes.browser.adapters.playwright_driver.hiding import hide
from deepseekeyes.browser.adapters.playwright_driver.hit import reached
from deepseekeyes.browser.adapters.playwright_driver.navigation import Navigation
from deepseekeyes.browser.adapters.playwright_driver.pages import OpenPage, Pages, page_row
from deepseekeyes.browser.adapters.playwright_driver.picturing import whole
from deepseekeyes.browser.adapters.playwright_driver.registry import (
    LISTEN,
    FrameView,
    Registries,
    Registry,
    settle_offsets,
)
from deepseekeyes.browser.adapters.playwright_driver.settling import begun, settled
from deepseekeyes.browser.adapters.playwright_driver.snapshots import blocked, inside, options, snapshot
from deepseekeyes.browser.adapters.playwright_driver.viewing import without
from deepseekeyes.browser.adapters.playwright_driver.waiting import DialogOpenedError, Patience, went
from deepseekeyes.browser.locate import only
from deepseekeyes.browser.outgoing import Outgoing, resolver_rules
from deepseekeyes.browser.ports import Doing, Launch, PageView, Subtree
from deepseekeyes.contracts.automation import Delta, Marker
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.secrets import known_values

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Playwright

T = TypeVar("T")

TAKES = 3
CLOSE_S = 5.0
STATE_CODES = StateCodes(codes.BROWSER_STATE_MISSING, codes.BROWSER_STATE_STALE, codes.BROWSER_TARGET_CHANGED)


class PlaywrightSurface:
    """One browser with one private context.

    Args:
        launch: how it was started.
    """

    kind: Literal["browser"] = "browser"
    codes = STATE_CODES

    def __init__(self, launch: Launch) -> None:
        self.settings = launch.settings
        self.run = launch.run
        self.policy = launch.policy
        self.registries = Registries()
        self._downloads = Downloads.of(launch.downloads, launch.settings.max_download_bytes)
        self.pages = Pages(self._downloads, self.registries.forget, launch.settings.max_pages)
        self.navigation = Navigation(Outgoing(launch.policy, launch.resolve), self._addresses)
        self.findings: dict[str, Any] = {}
        self._launch = launch
        self._driver: Playwright | None = None
        self._browser: Browser | None = None
        self._context: BrowserContext | None = None
        self._program: dict[str, Any] = {}
        self._last: tuple[Snapshot | None, str | None, int] = (None, None, 0)
        self._view: FrameView | None = None
        self._patience = Patience(self.pages.dialog_opened, launch.settings.timeout_ms / 1000)

    @property
    def launched(self) -> Mapping[str, Any]:
        return self._program

    @property
    def usable(self) -> bool:
        return self._browser is not None and self._browser.is_connected() and self._lives()

    def _lives(self) -> bool:
        active = self.pages.active
        return active is not None and not active.crashed

    def page_rows(self) -> Sequence[Mapping[str, Any]]:
        active = self.pages.active
        return [page_row(one, active.id if active is not None else "") for one in self.pages.all]

    def _addresses(self) -> Sequence[str]:
        return [one.page.url for one in self.pages.all]

    async def start(self) -> None:
        """Start the browser with one empty page.

        Raises:
            EyesError: BROWSER_EXTRA_MISSING, BROWSER_LAUNCH_FAILED.
        """
        launch = self._launch
        unseen = starting.headless(launch.headless, self.settings, launch.environment)
        if not unseen and not starting.has_display(launch.environment):
            sentence = "There is no display that could show a window; open without --headed."
            raise EyesError(codes.BROWSER_LAUNCH_FAILED, sentence, details={"dispatched": "no"})
        self._driver, self._browser, found = await starting.start(
            self.settings, headless=unseen, downloads=self._downloads.folder, rules=resolver_rules(launch.policy)
        )
        self._program = {"program": found.label, "version": self._browser.version, "headless": unseen}
        await self.navigation.attach(self._browser)
        self._context = await self._browser.new_context(
            viewport={"width": self.settings.viewport.width, "height": self.settings.viewport.height},
            locale=self.settings.locale,
            accept_downloads=True,
            device_scale_factor=1,
        )
        self._context.set_default_timeout(self.settings.timeout_ms)
        await self._context.add_init_script(f"({LISTEN})()")
        self.pages.attach(self._context)
        await self.pages.first(await self._context.new_page())

    async def close(self) -> None:
        """End the browser; never raises."""
        self._patience.end()
        with suppress(Exception):
            if self._browser is not None:
                await asyncio.wait_for(self._browser.close(), CLOSE_S)
        with suppress(Exception):
            if self._driver is not None:
                await asyncio.wait_for(self._driver.stop(), CLOSE_S)
        self._browser = self._driver = None
        self._downloads.end()

    def page(self) -> OpenPage:
        """The active page.

        Raises:
            EyesError: BROWSER_PAGE_CLOSED when there is none.
        """
        alive = self._browser is not None and self._browser.is_connected()
        found = self.pages.active if alive else None
        if found is None:
            sentence = "Every page was closed." if alive else "The browser has ended."
            raise EyesError(codes.BROWSER_PAGE_CLOSED, sentence, details={"dispatched": "no"})
        if found.crashed:
            raise EyesError(
                codes.BROWSER_PAGE_CLOSED,
                f"Page {found.id} has crashed; opening an address starts a new browser.",
                details={"dispatched": "no"},
            )
        return found

    async def bounded(self, work: Coroutine[Any, Any, T], *, timeout_s: float | None = None) -> T:
        """See `Patience.bounded`."""
        return await self._patience.bounded(work, timeout_s=timeout_s)

    async def unless_gone(self, work: Coroutine[Any, Any, T]) -> T | None:
        """See `Patience.unless_gone`."""
        return await self._patience.unless_gone(work)

    async def observe(self, gesture: Gesture | None) -> Snapshot:
        """Look at the active page, with pixels."""
        del gesture
        return await self._observed(pixels_too=True)

    async def glance(self) -> Snapshot:
        """Look without pixels."""
        return await self._observed(pixels_too=False)

    async def _observed(self, *, pixels_too: bool) -> Snapshot:
        self._patience.begin()
        await self.pages.settled()
        for left in range(TAKES, 0, -1):
            active = self.page()
            if active.dialog is not None:
                return blocked(self, active)
            generation = active.generation
            try:
                view = await self.bounded(self.registries.look(active.page, options(self)))
                settle_offsets(view)
                await self.bounded(hide(view, known_values()))
                data = await self.bounded(whole(self, active)) if pixels_too else None
                after = await self.bounded(self.registries.after(view)) if pixels_too else None
            except DialogOpenedError:
                continue
            except EyesError as failed:
                if left == 1 or (active.generation == generation and not went(failed)):
                    raise
                await asyncio.sleep(0)
                continue
            same = after is None or after.same
            if active.generation == generation and (same or left == 1):
                masks = after.masks if after is not None else ()
                found = snapshot(self, active, view, data, restless=not same, masks=masks)
                if after is not None:
                    self._last, self._view = (found, after.mark if same else None, generation), view
                return found
        active = self.page()
        if active.dialog is not None:
            return blocked(self, active)
        raise EyesError(codes.BROWSER_TIMEOUT, "The page kept navigating.", setting="browser.timeout_ms")

    async def unchanged(self, seen: Seen) -> bool:
        """Whether documents, fields, scroll, pages and downloads are those of the newest look."""
        found, mark, generation = self._last
        active = self.pages.active
        facts = seen.snapshot.facts
        if found is not seen.snapshot or mark is None or active is None or active.dialog is not None:
            return False
        around = ([one.id for one in self.pages.all], len(self.pages.downloads), active.id, active.generation)
        if around != (facts["pages"], facts["downloads"], facts["page"], generation) or self._view is None:
            return False
        try:
            return mark == (await self.bounded(self.registries.after(self._view))).mark
        except (DialogOpenedError, EyesError):
            return False

    async def resolve(self, gesture: Gesture, seen: Seen | None) -> Target:
        """The node of a ref, or the one match of a locator; refused while a dialog is open."""
        doing: Doing = gesture.request
        self._patience.begin()
        self.findings = {"activeBefore": self.pages.active_id, "refused": self.navigation.count}
        if gesture.needs != "nothing":
            self._unchanged_page(seen)
        active = self.pages.active
        if active is not None and active.dialog is not None and gesture.action not in ("dialog", "pages", "close"):
            raise EyesError(
                codes.BROWSER_DIALOG_OPEN,
                f"A dialog is open: {without(active.dialog.message, known_values())[:200]}",
                details={"dispatched": "no"},
            )
        if seen is None or (doing.ref is None and doing.locator is None):
            return Target()
        self.findings["end"] = self._named(seen, doing.end_ref, doing.end_locator)
        control = self._named(seen, doing.ref, doing.locator)
        return Target() if control is None else Target(control, handle=self.hold(control))

    def _unchanged_page(self, seen: Seen | None) -> None:
        active = self.page()
        if seen is not None and seen.snapshot.scope != active.id:
            raise EyesError(
                codes.BROWSER_PAGE_CLOSED,
                f"Page {seen.snapshot.scope} is not the active one any more; {active.id} is.",
                details={"dispatched": "no"},
            )

    def _named(self, seen: Seen, ref: str | None, locator: Any) -> Any:
        if ref is not None:
            control = seen.snapshot.control(ref)
            if control is None:
                raise EyesError(
                    codes.BROWSER_REF_UNKNOWN, f"The newest state has no {ref[:20]}.", details={"dispatched": "no"}
                )
            return control
        if locator is None:
            return None
        body: PageView = seen.snapshot.body
        return only(seen.snapshot.elements, locator, unread=body.elements_total - len(body.elements))

    def hold(self, control: Any) -> tuple[Registry | None, int]:
        """Registry and number of a control's node."""
        document, _, number = (self.run.refs.identity(control.ref) or ":0").partition(":")
        return self.registries.find(document), int(number)

    async def identity(self, target: Target) -> Identity | None:
        """Role and name of the live node."""
        from playwright.async_api import Error

        registry, number = target.handle
        if registry is None:
            return None
        try:
            found = await self.bounded(_quiet(registry.call("identity", number), Error))
        except DialogOpenedError:
            raise EyesError(codes.BROWSER_DIALOG_OPEN, "A dialog opened.", details={"dispatched": "no"}) from None
        if found is None:
            return None
        name = without(str(found["name"]), known_values())
        return Identity(str(found["role"]), name, registry.document)

    async def reach(self, gesture: Gesture, target: Target) -> Marker | None:
        """Hit test, with what covers the target in the refusal."""
        if target.control is None:
            return None
        try:
            return await self.bounded(reached(self, gesture, target))
        except DialogOpenedError:
            raise EyesError(codes.BROWSER_DIALOG_OPEN, "A dialog opened.", details={"dispatched": "no"}) from None

    async def act(self, gesture: Gesture, target: Target) -> Mapping[str, Any]:
        """Send real input events."""
        self._patience.begin()
        try:
            await begun(self)
            return await GESTURES[gesture.action](self, gesture.request, target)
        except DialogOpenedError:
            return {"dialogOpened": True}

    async def settle(self, gesture: Gesture) -> None:
        """Wait for navigation that began, then for quiet, both bounded."""
        if gesture.mutates:
            with suppress(DialogOpenedError, EyesError):
                await settled(self, gesture)

    async def checks(
        self, gesture: Gesture, target: Target, before: Seen | None, after: Seen, delta: Delta
    ) -> Sequence[Check]:
        """What speaks for the effect."""
        self._patience.begin()
        return await checks_of(self, gesture, target, before, after, delta)

    async def pause(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)

    async def subtree(self, ref: str) -> Subtree:
        """Refs and text inside an element, through the frames in it."""
        with suppress(EyesError, DialogOpenedError):
            found = await self.bounded(inside(self, ref))
            if found is not None:
                return found
        raise EyesError(codes.BROWSER_REF_UNKNOWN, f"{ref[:20]} is not there any more.")


async def _quiet(work: Coroutine[Any, Any, T], error: type[Exception]) -> T | None:
    try:
        return await work
    except error:
        return None


async def start(launch: Launch) -> PlaywrightSurface:
    """Start a browser.

    Raises:
        EyesError: BROWSER_EXTRA_MISSING, BROWSER_LAUNCH_FAILED.
    """
    made = PlaywrightSurface(launch)
    try:
        await made.start()
    except BaseException:
        await made.close()
        raise
    return made
