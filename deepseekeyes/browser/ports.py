"""What a live browser must offer, and the values that pass between it and the operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from deepseekeyes.automation.choosing import Locator
from deepseekeyes.automation.run import Run
from deepseekeyes.automation.surface import Snapshot, Surface
from deepseekeyes.browser.outgoing import Resolve
from deepseekeyes.browser.settings import BrowserSettings
from deepseekeyes.browser.urls import Policy


@dataclass(frozen=True, slots=True)
class Doing:
    """What a gesture needs to be carried out; never logged.

    Attributes:
        ref, locator: the control; one of them, or neither.
        end_ref, end_locator: where a drag ends.
        value: text, key, option or address.
        secret: whether `value` is secret from here on.
        more: the rest, by name.
    """

    ref: str | None = None
    locator: Locator | None = None
    end_ref: str | None = None
    end_locator: Locator | None = None
    value: str = field(default="", repr=False)
    secret: bool = False
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PageView:
    """What one observation saw of the browser, as JSON-like rows in the shape of the public document.

    Attributes:
        page: id of the active page.
        blocked: whether a dialog kept the page from being looked at.
        parents: ref of every element to its frame's ref, for subtrees.
    """

    page: str
    url: str
    title: str
    viewport: Mapping[str, Any]
    scroll: Mapping[str, Any]
    text: str
    text_omitted: int
    elements: tuple[Mapping[str, Any], ...]
    elements_total: int
    frames: tuple[Mapping[str, Any], ...]
    pages: tuple[Mapping[str, Any], ...]
    dialog: Mapping[str, Any] | None
    downloads: tuple[Mapping[str, Any], ...]
    diagnostics: Mapping[str, Any]
    warnings: tuple[str, ...] = ()
    blocked: bool = False


@dataclass(frozen=True, slots=True)
class Launch:
    """How a session's browser is started."""

    settings: BrowserSettings
    policy: Policy
    headless: bool | None
    run: Run
    downloads: Path | None
    environment: Mapping[str, str]
    resolve: Resolve


@dataclass(frozen=True, slots=True)
class Subtree:
    """Refs of the elements inside an element, itself included, and the text in it."""

    refs: frozenset[str]
    text: str


class Live(Surface, Protocol):
    """A browser that runs: a `Surface` with the few things that are no gestures."""

    @property
    def launched(self) -> Mapping[str, Any]:
        """Which program runs, with its name and version."""
        ...

    @property
    def policy(self) -> Policy:
        """Where its pages may be."""
        ...

    @property
    def usable(self) -> bool:
        """Whether the browser runs and has a page."""
        ...

    def page_rows(self) -> Sequence[Mapping[str, Any]]:
        """The pages, as documents carry them."""
        ...

    async def glance(self) -> Snapshot:
        """Look without pixels and without a place in the run, for waiting."""
        ...

    async def subtree(self, ref: str) -> Subtree:
        """What lies inside an element of the newest observation."""
        ...

    async def close(self) -> None:
        """End the browser; never raises."""
        ...


class Starts(Protocol):
    """Starts a browser."""

    async def __call__(self, launch: Launch) -> Live: ...
