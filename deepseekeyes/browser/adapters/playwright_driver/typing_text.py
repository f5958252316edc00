"""Text into fields by real key events, read back before anybody hears that it worked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from deepseekeyes.automation.named import check_origin
from deepseekeyes.automation.surface import Target
from deepseekeyes.browser import codes
from deepseekeyes.browser.ports import Doing
from deepseekeyes.core.errors import EyesError

if TYPE_CHECKING:
    from deepseekeyes.browser.adapters.playwright_driver.surface import PlaywrightSurface

BY_KEYS = 200
FILLED = frozenset({"date", "time", "datetime-local", "month", "week", "color", "range"})
TICK_S = 0.06


async def type_(surface: PlaywrightSurface, doing: Doing, target: Target) -> Mapping[str, Any]:
    """Focus, clear, type, read back, and press Enter when asked to."""
    registry, number = target.handle
    state = await surface.bounded(registry.call("state", number)) or {}
    _fits(state)
    if doing.more.get("only_at"):
        name, origins = doing.more["only_at"]
        check_origin(name, origins, registry.frame.url)
    if doing.secret:
        await surface.bounded(registry.call("guard", number))
    before = await _read(surface, target)
    surface.findings["before"] = before
    append = bool(doing.more.get("append"))
    if state.get("type") in FILLED:
        element = await registry.element(number)
        assert element is not None
        try:
            await surface.bounded(element.fill(doing.value))
        finally:
            await element.dispose()
    else:
        await focused(surface, target, click=True)
        await _enter(surface, doing.value, append=append)
    await asyncio.sleep(TICK_S)
    surface.findings["expected"] = same_shape((before or "") + doing.value if append else doing.value)
    found = await surface.unless_gone(registry.call("read", number))
    if found is not None:
        surface.findings["value"] = same_shape(found["value"])
    if doing.more.get("submit"):
        await surface.bounded(surface.page().page.keyboard.press("Enter"))
    return {"submitted": bool(doing.more.get("submit")), "protected": bool(state.get("protected")) or doing.secret}


async def focused(surface: PlaywrightSurface, target: Target, *, click: bool = False) -> None:
    """Give a control the focus, by a click where the hit test found a point.

    Raises:
        EyesError: BROWSER_FOCUS_LOST when something else keeps the focus; no key was sent.
    """
    registry, number = target.handle
    if await surface.bounded(registry.call("activeWithin", number)):
        return
    point = surface.findings.get("point")
    if click and point is not None:
        await surface.bounded(surface.page().page.mouse.click(*point, delay=10))
    if not await surface.bounded(registry.call("activeWithin", number)):
        await surface.bounded(registry.call("focus", number))
    if not await surface.bounded(registry.call("activeWithin", number)):
        raise EyesError(codes.BROWSER_FOCUS_LOST, "The control does not take the focus; nothing was typed.")


async def _enter(surface: PlaywrightSurface, text: str, *, append: bool) -> None:
    keyboard = surface.page().page.keyboard
    await surface.bounded(keyboard.press("ControlOrMeta+End" if append else "ControlOrMeta+a"))
    if not text:
        if not append:
            await surface.bounded(keyboard.press("Delete"))
        return
    if len(text) <= BY_KEYS and not any(letter in text for letter in "\n\t\r"):
        await surface.bounded(keyboard.type(text))
    else:
        await surface.bounded(keyboard.insert_text(text))


async def _read(surface: PlaywrightSurface, target: Target) -> str | None:
    registry, number = target.handle
    found = await surface.bounded(registry.call("read", number))
    return None if found is None else found["value"]


def _fits(state: Mapping[str, Any]) -> None:
    if state.get("editable"):
        return
    if state.get("tag") == "select":
        instead = "Choose an option: deepseekeyes browser select"
    elif state.get("type") in ("checkbox", "radio"):
        instead = "Set it: deepseekeyes browser check"
    elif state.get("type") == "file":
        instead = "Give files: deepseekeyes browser upload"
    else:
        instead = "Choose a control that is editable."
    raise EyesError(
        codes.BROWSER_WRONG_KIND, "The control takes no text.", details={"dispatched": "no"}, instead=instead
    )


def same_shape(text: str | None) -> str | None:
    """Text as two editors agree on it: one kind of line end and blank, no blank line at the end."""
    if text is None:
        return None
    return text.replace("\r\n", "\n").replace("\u00a0", " ").rstrip("\n")
