"""What each gesture sends to the page. Each returns facts for the log, without any text that was typed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from deepseekeyes.automation.surface import Target
from deepseekeyes.browser import codes
from deepseekeyes.browser.adapters.playwright_driver import typing_text
from deepseekeyes.browser.adapters.playwright_driver.hit import point_of
from deepseekeyes.browser.adapters.playwright_driver.moving import back, dialog, forward, open_, pages, reload
from deepseekeyes.browser.adapters.playwright_driver.picturing import around
from deepseekeyes.browser.ports import Doing
from deepseekeyes.core.errors import EyesError

if TYPE_CHECKING:
    from deepseekeyes.browser.adapters.playwright_driver.surface import PlaywrightSurface

Facts = Mapping[str, Any]
DRAG_STEPS = 12
HOLD_S = 0.05
PRESS_MS = 10


async def click(surface: PlaywrightSurface, doing: Doing, target: Target) -> Facts:
    """Press and release at the point that the hit test found."""
    point = _point(surface, doing)
    mouse = surface.page().page.mouse
    count = int(doing.more.get("count", 1))
    await surface.bounded(mouse.move(*point))
    surface.findings["hovered"] = await around(surface)
    await surface.bounded(
        mouse.click(*point, button=doing.more.get("button", "left"), click_count=count, delay=PRESS_MS)
    )
    del target
    return {"point": _rounded(point)}


async def hover(surface: PlaywrightSurface, doing: Doing, target: Target) -> Facts:
    """Move the pointer onto the control."""
    point = _point(surface, doing)
    await surface.bounded(surface.page().page.mouse.move(*point, steps=4))
    del target
    return {"point": _rounded(point)}


async def drag(surface: PlaywrightSurface, doing: Doing, target: Target) -> Facts:
    """Press on one control, move in steps, release on another or at an offset."""
    start = _point(surface, doing)
    mouse = surface.page().page.mouse
    end = await _end(surface, doing, start)
    await surface.bounded(mouse.move(*start))
    await surface.bounded(mouse.down())
    await surface.bounded(mouse.move(*end, steps=DRAG_STEPS))
    await surface.bounded(mouse.move(*end))
    await asyncio.sleep(HOLD_S)
    await surface.bounded(mouse.up())
    del target
    return {"point": _rounded(start), "end": _rounded(end)}


async def scroll(surface: PlaywrightSurface, doing: Doing, target: Target) -> Facts:
    """Turn the wheel over a control, or over the middle of the page."""
    page = surface.page().page
    size = page.viewport_size or {"width": 2, "height": 2}
    point = surface.findings.get("point") or (size["width"] / 2, size["height"] / 2)
    surface.findings["scrollBefore"] = await _scroll_of(target)
    await surface.bounded(page.mouse.move(*point))
    await surface.bounded(page.mouse.wheel(doing.more.get("delta_x", 0), doing.more.get("delta_y", 600)))
    await asyncio.sleep(HOLD_S * 3)
    return {"point": _rounded(point), "deltaX": doing.more.get("delta_x", 0), "deltaY": doing.more.get("delta_y", 600)}


async def press(surface: PlaywrightSurface, doing: Doing, target: Target) -> Facts:
    """One key or chord, to a control or to whatever has the focus."""
    from playwright.async_api import Error

    if target.control is not None:
        await typing_text.focused(surface, target)
    keyboard = surface.page().page.keyboard
    try:
        await surface.bounded(keyboard.press(doing.value))
    except EyesError as failed:
        if isinstance(failed.__cause__, Error) and "Unknown key" in str(failed.__cause__):
            failed.details["dispatched"] = "no"
        raise
    return {"key": doing.value}


async def select(surface: PlaywrightSurface, doing: Doing, target: Target) -> Facts:
    """Choose options of a native select by what they are called."""
    registry, number = target.handle
    state = await surface.bounded(registry.call("state", number)) or {}
    if state.get("tag") != "select":
        raise EyesError(
            codes.BROWSER_WRONG_KIND,
            "This is no native select.",
            details={"dispatched": "no"},
            instead="Click it, observe, then click the option.",
        )
    element = await registry.element(number)
    assert element is not None
    try:
        names: list[list[str]] = await element.evaluate("e => [...e.options].map(o => [o.label.trim(), o.value])")
        wanted = [str(one) for one in doing.more.get("options", (doing.value,))]
        chosen = [_option(names, one) for one in wanted]
        await surface.bounded(element.select_option(index=chosen))
    finally:
        await element.dispose()
    surface.findings["expected"] = ", ".join(" ".join(names[index][0].split()) for index in sorted(chosen))
    found = await surface.unless_gone(registry.call("read", number))
    if found is not None:
        surface.findings["value"] = found["value"]
    return {"selected": [names[index][0] for index in chosen]}


async def check(surface: PlaywrightSurface, doing: Doing, target: Target) -> Facts:
    """Click only when the control is not in the wanted state already."""
    registry, number = target.handle
    wanted = bool(doing.more["checked"])
    state = await surface.bounded(registry.call("state", number)) or {}
    surface.findings["checkedBefore"] = state.get("checked")
    if "checked" not in state:
        raise EyesError(
            codes.BROWSER_WRONG_KIND,
            "This control has no checked state.",
            details={"dispatched": "no"},
            instead="Click it instead.",
        )
    if state["checked"] == wanted:
        return {"already": True}
    point = _point(surface, doing)
    await surface.bounded(surface.page().page.mouse.click(*point, delay=PRESS_MS))
    return {"already": False, "point": _rounded(point)}


async def upload(surface: PlaywrightSurface, doing: Doing, target: Target) -> Facts:
    """Hand files to a file field, or to the chooser that a control opens."""
    registry, number = target.handle
    page, paths = surface.page().page, list(doing.more["files"])
    state = await surface.bounded(registry.call("state", number)) or {}
    if state.get("type") == "file":
        element = await registry.element(number)
        assert element is not None
        try:
            await surface.bounded(element.set_input_files(paths))
        finally:
            await element.dispose()
        found = await surface.unless_gone(registry.call("state", number))
        if found is not None:
            surface.findings["files"] = found.get("files")
        return {"files": len(paths)}
    point = await surface.bounded(point_of(surface, registry, number, target.control))  # type: ignore[arg-type]

    async def chosen() -> None:
        async with page.expect_file_chooser(timeout=5_000) as waiting:
            await page.mouse.click(*point, delay=PRESS_MS)
        await (await waiting.value).set_files(paths)

    await surface.bounded(chosen())
    return {"files": len(paths), "chooser": True}


async def _end(surface: PlaywrightSurface, doing: Doing, start: tuple[float, float]) -> tuple[float, float]:
    control = surface.findings.get("end")
    if control is None:
        return (start[0] + float(doing.more.get("delta_x", 0)), start[1] + float(doing.more.get("delta_y", 0)))
    registry, number = surface.hold(control)
    if registry is None:
        raise EyesError(codes.BROWSER_TARGET_CHANGED, "The end of the drag is gone.", details={"dispatched": "no"})
    try:
        return await surface.bounded(point_of(surface, registry, number, control))
    except EyesError as refused:
        refused.details["dispatched"] = "no"
        raise


async def _scroll_of(target: Target) -> Any:
    if target.control is None:
        return None
    registry, number = target.handle
    return (await registry.call("state", number) or {}).get("scroll")


def _point(surface: PlaywrightSurface, doing: Doing) -> tuple[float, float]:
    found = surface.findings.get("point") or doing.more.get("point")
    if found is None:
        raise EyesError(codes.BROWSER_TARGET_REQUIRED, "No control was named.", details={"dispatched": "no"})
    return (float(found[0]), float(found[1]))


def _option(names: list[list[str]], wanted: str) -> int:
    labels, values = [row[0] for row in names], [row[1] for row in names]
    for found in (labels, values):
        if wanted in found:
            return found.index(wanted)
    folded = [label.casefold() for label in labels]
    if wanted.casefold() in folded:
        return folded.index(wanted.casefold())
    choices = ", ".join(row[0][:40] for row in names[:20])
    raise EyesError(
        codes.BROWSER_OPTION_UNKNOWN,
        f"There is no option {wanted[:40]!r}.",
        details={"dispatched": "no", "candidates": [row[0][:80] for row in names[:20]]},
        choices=choices,
    )


def _rounded(point: tuple[float, float]) -> list[float]:
    return [round(point[0], 2), round(point[1], 2)]


GESTURES: Mapping[str, Callable[[PlaywrightSurface, Doing, Target], Awaitable[Facts]]] = {
    "open": open_,
    "click": click,
    "double_click": click,
    "hover": hover,
    "drag": drag,
    "scroll": scroll,
    "type": typing_text.type_,
    "press": press,
    "select": select,
    "check": check,
    "uncheck": check,
    "upload": upload,
    "dialog": dialog,
    "pages": pages,
    "back": back,
    "forward": forward,
    "reload": reload,
}
