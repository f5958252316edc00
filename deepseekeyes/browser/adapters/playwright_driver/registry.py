"""The live nodes of every frame: one registry a document, held by a handle that pages cannot reach."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from deepseekeyes.core.geometry import Box

if TYPE_CHECKING:
    from playwright.async_api import ElementHandle, Frame, JSHandle, Page

DEEPEST = 16
FRAME_S = 3.0
LISTEN = """() => {
  const heard = new WeakSet(), add = EventTarget.prototype.addEventListener;
  Object.defineProperty(window, Symbol.for('deepseekeyes.heard'), {value: heard});
  EventTarget.prototype.addEventListener = function addEventListener(type, ...rest) {
    const pointer = type === 'click' || type === 'mousedown' || type === 'pointerdown';
    if (pointer && this instanceof Element) heard.add(this);
    return add.call(this, type, ...rest);
  };
}"""
CARET = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { caret-color: transparent !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""


@cache
def walker() -> str:
    """The script that makes a registry."""
    return files(__package__).joinpath("walker.js").read_text(encoding="utf-8")


@dataclass(slots=True)
class Registry:
    """The nodes of one document.

    Attributes:
        document: unique over the session; another document, another id.
    """

    document: str
    frame: Frame
    handle: JSHandle

    async def call(self, method: str, *given: Any) -> Any:
        """Run one of the walker's functions and return its value.

        Raises:
            playwright Error: the document has gone.
        """
        return await self.handle.evaluate("(r, [name, given]) => r[name](...given)", [method, list(given)])

    async def collect(self, options: Mapping[str, Any]) -> dict[str, Any] | None:
        """What the document shows; it travels as one text, which is several times faster than as an object."""
        found = await self.handle.evaluate("(r, given) => JSON.stringify(r.collect(given))", dict(options))
        seen: Any = json.loads(found)
        if seen is None or (isinstance(seen, dict) and isinstance(seen.get("elements"), list)):
            return seen
        # The page has bent JSON.
        bent: dict[str, Any] | None = await self.call("collect", dict(options))
        return bent

    async def element(self, number: int) -> ElementHandle | None:
        """A hold on a node itself; None when it is no longer part of its document."""
        found = await self.handle.evaluate_handle("(r, n) => r.node(n)", number)
        return found.as_element()


@dataclass(slots=True)
class FrameView:
    """What one frame showed.

    Attributes:
        path: `main`, `main/1`, `main/1/2`, by order in the page.
        offset: of the frame's viewport in the page's, CSS pixels.
        host: number of the frame's element in the parent document.
        at: how many elements of the parent stand before this frame.
    """

    frame: Frame
    path: str
    registry: Registry | None
    data: Mapping[str, Any] | None
    offset: tuple[float, float] = (0.0, 0.0)
    host: int | None = None
    at: int = 0
    children: list[FrameView] = field(default_factory=list)
    clip: tuple[float, float, float, float] | None = None

    def all(self) -> list[FrameView]:
        """This frame and everything in it, parents first."""
        return [self, *(one for child in self.children for one in child.all())]


class Registries:
    """Makes, keeps and finds registries."""

    def __init__(self) -> None:
        self._by_frame: dict[Frame, Registry] = {}
        self._count = 0

    def forget(self, frame: Frame) -> None:
        """A frame shows another document, or is gone."""
        self._by_frame.pop(frame, None)

    def find(self, document: str) -> Registry | None:
        """The registry of a document that still lives."""
        return next((one for one in self._by_frame.values() if one.document == document), None)

    async def of(self, frame: Frame) -> Registry:
        """The registry of the document that a frame shows now."""
        from playwright.async_api import Error

        kept = self._by_frame.get(frame)
        if kept is not None:
            try:
                await kept.call("changes")
            except Error:
                self.forget(frame)
            else:
                return kept
        handle = await frame.evaluate_handle(walker())
        with suppress(Error):
            await frame.evaluate(CARET)
        self._count += 1
        made = Registry(f"d{self._count}", frame, handle)
        self._by_frame[frame] = made
        return made

    async def look(self, page: Page, options: Mapping[str, Any]) -> FrameView:
        """Every frame of a page, nested as they are; a frame that does not answer in time has no data."""
        return await self._look(page.main_frame, "main", options, 0)

    async def changes(self, page: Page) -> tuple[tuple[str, int], ...]:
        """Documents and their numbers of changes, in a form that can be compared."""
        from playwright.async_api import Error

        async def one(frame: Frame) -> tuple[str, int]:
            kept = self._by_frame.get(frame)
            if kept is None:
                return (frame.url, -1)
            try:
                return (kept.document, int(await asyncio.wait_for(kept.call("changes"), FRAME_S)))
            except (Error, TimeoutError):
                return (kept.document, -2)

        return tuple([await one(frame) for frame in page.frames])

    async def masks(self, view: FrameView) -> tuple[Box, ...]:
        """Where the protected fields of a look are now, in the page's viewport."""
        from playwright.async_api import Error

        found: list[Box] = []
        for frame in view.all():
            if frame.registry is None or frame.data is None or not frame.data["masks"]:
                continue
            with suppress(Error):
                for x, y, width, height in await frame.registry.call("masks"):
                    found.append(Box(x + frame.offset[0], y + frame.offset[1], width, height))
        return tuple(found)

    async def _look(self, frame: Frame, path: str, options: Mapping[str, Any], depth: int) -> FrameView:
        from playwright.async_api import Error

        registry: Registry | None = None
        data: Mapping[str, Any] | None = None
        try:
            async with asyncio.timeout(FRAME_S if depth else None):
                registry = await self.of(frame)
                data = await registry.collect(options)
        except (Error, TimeoutError):
            if depth == 0:
                raise
            registry = None
        view = FrameView(frame, path, registry, data)
        if registry is None or data is None or depth >= DEEPEST:
            return view
        places = {int(row["n"]): row for row in data["frames"]}
        index = 0
        async for child, number in self._children(frame, registry):
            place = places.get(number)
            if place is None:
                continue
            index += 1
            found = await self._look(child, f"{path}/{index}", options, depth + 1)
            found.host, found.at = number, int(place["at"])
            found.offset = (float(place["x"]), float(place["y"]))
            view.children.append(found)
        view.children.sort(key=lambda one: one.at)
        return view

    async def _children(self, frame: Frame, registry: Registry) -> AsyncIterator[tuple[Frame, int]]:
        from playwright.async_api import Error

        for child in frame.child_frames:
            try:
                element = await child.frame_element()
                yield child, int(await registry.handle.evaluate("(r, e) => r.number(e)", element))
            except Error:
                continue


def settle_offsets(view: FrameView, x: float = 0.0, y: float = 0.0) -> None:
    """Turn every frame's offset in its parent into its offset in the page."""
    view.offset = (view.offset[0] + x, view.offset[1] + y)
    for child in view.children:
        settle_offsets(child, *view.offset)
