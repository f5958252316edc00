"""The live nodes of every frame: one registry a document, held by a handle that pages cannot reach."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
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

    async def number(self, element: ElementHandle) -> int:
        """The number of a node that the driver holds; the hold is given up, or the node could never go."""
        try:
            return int(await self.handle.evaluate("(r, e) => r.number(e)", element))
        finally:
            await element.dispose()

    async def element(self, number: int) -> ElementHandle | None:
        """A hold on a node itself, to be given up after use; None when it is no longer part of its document."""
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


@dataclass(frozen=True, slots=True)
class Afterwards:
    """What has become of a look.

    Attributes:
        same: whether nothing changed since.
        masks: where protected fields are now, in the page's viewport.
        mark: equal marks, equal looks; None when it cannot be told.
    """

    same: bool
    masks: tuple[Box, ...]
    mark: str | None


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
        return await self._made(frame)

    async def _made(self, frame: Frame) -> Registry:
        handle = await frame.evaluate_handle(walker())
        self._count += 1
        made = Registry(f"d{self._count}", frame, handle)
        self._by_frame[frame] = made
        return made

    async def look(self, page: Page, options: Mapping[str, Any]) -> FrameView:
        """Every frame of a page, nested as they are; a frame that does not answer in time has no data."""
        return await self._look(page.main_frame, "main", options, 0)

    async def busy(self, page: Page) -> tuple[tuple[str, int, int], ...]:
        """Documents with their numbers of changes and of animations that will end, in a form that can be compared."""
        from playwright.async_api import Error

        async def one(frame: Frame) -> tuple[str, int, int]:
            kept = self._by_frame.get(frame)
            if kept is None:
                return (frame.url, -1, 0)
            try:
                changes, moving = await asyncio.wait_for(kept.call("busy"), FRAME_S)
            except (Error, TimeoutError):
                return (kept.document, -2, 0)
            return (kept.document, int(changes), int(moving))

        return tuple(await asyncio.gather(*(one(frame) for frame in page.frames)))

    async def after(self, view: FrameView) -> Afterwards:
        """What has become of the frames of a look since."""
        from playwright.async_api import Error

        async def one(frame: FrameView) -> Afterwards:
            if frame.registry is None or frame.data is None:
                return Afterwards(True, (), None)
            try:
                found = await asyncio.wait_for(frame.registry.call("after"), FRAME_S)
            except (Error, TimeoutError):
                return Afterwards(False, (), None)
            x, y = frame.offset
            masks = tuple(Box(left + x, top + y, width, height) for left, top, width, height in found["masks"])
            mark = found["print"] and f"{frame.registry.document}:{found['print']}"
            return Afterwards(found["changes"] == frame.data["changes"], masks, mark)

        each = await asyncio.gather(*(one(frame) for frame in view.all()))
        marks = [one.mark for one in each]
        return Afterwards(
            all(one.same for one in each),
            tuple(mask for one in each for mask in one.masks),
            None if None in marks else " ".join(map(str, marks)),
        )

    async def _look(self, frame: Frame, path: str, options: Mapping[str, Any], depth: int) -> FrameView:
        from playwright.async_api import Error

        registry: Registry | None = None
        data: Mapping[str, Any] | None = None
        try:
            async with asyncio.timeout(FRAME_S if depth else None):
                registry, data = await self._collected(frame, options)
        except (Error, TimeoutError):
            if depth == 0:
                raise
        view = FrameView(frame, path, registry, data)
        if registry is None or data is None:
            return view
        places = {int(row["n"]): row for row in data["frames"]}
        found = await asyncio.gather(*(self._placed(child, registry) for child in frame.child_frames))
        inside = sorted(((number, child) for number, child in found if number in places), key=lambda one: one[0])
        inside.sort(key=lambda one: int(places[one[0]]["at"]))
        view.children = list(
            await asyncio.gather(
                *(
                    self._look(child, f"{path}/{index}", options, depth + 1)
                    if depth < DEEPEST
                    else _unseen(child, f"{path}/{index}")
                    for index, (_, child) in enumerate(inside, 1)
                )
            )
        )
        for one, (number, _) in zip(view.children, inside, strict=True):
            one.host, one.at = number, int(places[number]["at"])
            one.offset = (float(places[number]["x"]), float(places[number]["y"]))
        return view

    async def _collected(self, frame: Frame, options: Mapping[str, Any]) -> tuple[Registry, dict[str, Any] | None]:
        from playwright.async_api import Error

        kept = self._by_frame.get(frame)
        if kept is not None:
            try:
                return kept, await kept.collect(options)
            except Error:
                self.forget(frame)
        made = await self._made(frame)
        return made, await made.collect(options)

    async def _placed(self, child: Frame, parent: Registry) -> tuple[int, Frame]:
        """Number of a frame's element in the parent document; 0 when it has none there."""
        from playwright.async_api import Error

        try:
            return await parent.number(await child.frame_element()), child
        except Error:
            return 0, child


async def _unseen(frame: Frame, path: str) -> FrameView:
    """A frame that lies too deep to be looked into."""
    return FrameView(frame, path, None, None)


def settle_offsets(view: FrameView, x: float = 0.0, y: float = 0.0) -> None:
    """Turn every frame's offset in its parent into its offset in the page."""
    view.offset = (view.offset[0] + x, view.offset[1] + y)
    for child in view.children:
        settle_offsets(child, *view.offset)
