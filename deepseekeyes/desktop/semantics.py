"""How much an accessibility tree tells, and whether a caller should go by it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

Quality = Literal["available", "sparse", "empty", "disabled"]

FRAMES: Final = frozenset({"window", "frame", "dialog", "group", "title_bar", "title_bar_button"})
"""Roles that are there in every window, however little it tells."""


def quality(*, readable: bool, elements: Sequence[Mapping[str, Any]]) -> Quality:
    """How much a tree tells.

    Args:
        readable: whether trees can be read here at all.
        elements: rows with `role`, `name`, `value`, `actions`, `editable` and `container`.

    Returns:
        `sparse` for trees in which nothing but containers, frames and title bars can be told apart.
    """
    if not readable:
        return "disabled"
    if not elements:
        return "empty"
    return "available" if any(map(telling, elements)) else "sparse"


def telling(row: Mapping[str, Any]) -> bool:
    """Whether an element is content: it has a name or a value, or something can be done with it."""
    if row.get("container") or row["role"] in FRAMES:
        return False
    return bool(row.get("name") or row.get("value") or row.get("actions") or row.get("editable"))


def status(
    *, readable: bool, reason: str | None, elements: Sequence[Mapping[str, Any]], total: int, walk: Mapping[str, Any]
) -> dict[str, Any]:
    """The public account of a tree.

    Args:
        reason: why trees cannot be read.
        total: elements that were seen, also those that are not shown.
        walk: `status`, `reason`, `leftOut`, `elapsedMs` of the walk; empty when there was none.
    """
    found = quality(readable=readable, elements=elements)
    return {
        "enabled": readable,
        "quality": found,
        "elementCount": total,
        "actionableCount": sum(1 for row in elements if row.get("editable") or row.get("actions")),
        "contentElementCount": sum(1 for row in elements if telling(row)),
        "truncated": bool(walk.get("leftOut")) or walk.get("status") in ("partial", "timeout"),
        "limitReason": walk.get("reason") or (reason if not readable else None),
        "elapsedMs": walk.get("elapsedMs", 0),
        "preferredTargeting": "element-ref" if found == "available" else "screenshot-coordinates",
    }
