"""Where a pointer would really land: through scrolling, frames, shadow roots and whatever lies on top."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from deepseekeyes.automation.delta import box_row
from deepseekeyes.automation.surface import Control, Gesture, Target
from deepseekeyes.browser import codes
from deepseekeyes.browser.adapters.playwright_driver.registry import Registry
from deepseekeyes.contracts.automation import Marker
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box

if TYPE_CHECKING:
    from playwright.async_api import Frame

    from deepseekeyes.browser.adapters.playwright_driver.surface import PlaywrightSurface

STEADY_S = 0.02
TRIES = 60


async def reached(surface: PlaywrightSurface, gesture: Gesture, target: Target) -> Marker | None:
    """Bring the target into view, see that it stands still and is what a pointer would meet.

    The point is left in the surface's findings, in CSS pixels of the page's viewport.

    Raises:
        EyesError: BROWSER_TARGET_CHANGED, BROWSER_TARGET_MOVING, BROWSER_TARGET_COVERED, BROWSER_TARGET_DISABLED.
    """
    control = target.control
    assert control is not None
    registry, number = target.handle
    if gesture.action != "hover":
        await _enabled(registry, number, control)
    surface.findings["point"], surface.findings["box"] = await placed(surface, registry, number, control)
    return _marker(control)


async def point_of(
    surface: PlaywrightSurface, registry: Registry, number: int, control: Control
) -> tuple[float, float]:
    """A point of the page's viewport at which a pointer meets the node."""
    return (await placed(surface, registry, number, control))[0]


async def placed(
    surface: PlaywrightSurface, registry: Registry, number: int, control: Control
) -> tuple[tuple[float, float], Box]:
    """Such a point, and the node's box in the page's viewport."""
    for owner, host in reversed(await _chain(surface, registry.frame)):
        await owner.call("scrolled", host)
    found = await _arrived(registry, number, control)
    if found["point"] is None:
        raise _covered(control, found["cover"])
    left, top = found["point"]
    x, y = left, top
    for owner, host in await _chain(surface, registry.frame):
        offset = await owner.call("frameAt", host)
        if offset is None:
            raise _gone(control)
        x, y = x + offset[0], y + offset[1]
        cover = await owner.call("hitsFrame", host, x, y)
        if cover is not None:
            raise _covered(control, cover)
    box = found["box"]
    return (x, y), Box(box[0] + x - left, box[1] + y - top, box[2], box[3])


async def _chain(surface: PlaywrightSurface, frame: Frame) -> list[tuple[Registry, int]]:
    """The frame elements around a frame, innermost first, with the registries they belong to."""
    found: list[tuple[Registry, int]] = []
    while (parent := frame.parent_frame) is not None:
        owner = await surface.registries.of(parent)
        found.append((owner, await owner.number(await frame.frame_element())))
        frame = parent
    return found


async def _arrived(registry: Registry, number: int, control: Control) -> Mapping[str, Any]:
    """What a pointer would meet at a control that was brought into view and stands still."""
    near = await registry.call("approach", number)
    if near is None:
        raise _gone(control)
    box = near["box"]
    for _ in range(TRIES):
        await asyncio.sleep(STEADY_S)
        found: Mapping[str, Any] | None = await registry.call("arrive", number, box)
        if found is None:
            raise _gone(control)
        if "moved" not in found:
            return found
        box = found["moved"]
    raise EyesError(
        codes.BROWSER_TARGET_MOVING, f"The {_called(control)} does not stand still.", details={"dispatched": "no"}
    )


async def _enabled(registry: Registry, number: int, control: Control) -> None:
    near = await registry.call("approach", number)
    if near is not None and not near["enabled"]:
        raise EyesError(
            codes.BROWSER_TARGET_DISABLED, f"The {_called(control)} is disabled.", details={"dispatched": "no"}
        )


def _marker(control: Control) -> Marker | None:
    box = control.box
    if box is None or box.x + box.width / 2 < 0 or box.y + box.height / 2 < 0:
        return None
    return Marker(x=round(box.x + box.width / 2, 2), y=round(box.y + box.height / 2, 2), box=box_row(box))


def _covered(control: Control, cover: Mapping[str, Any] | None) -> EyesError:
    if cover is None:
        return EyesError(
            codes.BROWSER_TARGET_COVERED,
            f"No point of the {_called(control)} can be reached by a pointer.",
            details={"dispatched": "no"},
        )
    what = f'{cover["role"] or cover["tag"]} "{cover["name"]}"' if cover.get("name") else f"{cover['tag']} element"
    if cover.get("mark"):
        what += f" (#{cover['mark']})"
    return EyesError(
        codes.BROWSER_TARGET_COVERED,
        f"The {_called(control)} is covered by the {what}.",
        details={"dispatched": "no", "candidates": [what]},
    )


def _gone(control: Control) -> EyesError:
    return EyesError(codes.BROWSER_TARGET_CHANGED, f"The {_called(control)} is gone.", details={"dispatched": "no"})


def _called(control: Control) -> str:
    return f'{control.role} "{control.name[:80]}"' if control.name else control.role
