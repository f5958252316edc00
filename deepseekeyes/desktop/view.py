"""What one observation saw, as plain values: the session document keeps it, the public document is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from deepseekeyes.core.geometry import Box

PRIVATE = ("identity", "handle", "box")
"""Keys of rows that stay inside."""


@dataclass(frozen=True, slots=True)
class View:
    """One observation.

    Attributes:
        scope: `desktop` or `window`.
        captured: ref of the window that was looked at; None for the desktop.
        lost: what was to be looked at and has gone; then there are no pixels.
        screen: where the screenshot lies in the virtual desktop: x, y, and in pixels of its own
            width and height, scale.
        cursor: in pixels of the screenshot; may lie outside.
        active: ref of the window that has the keyboard.
        windows, elements: rows of the public document with `identity` or `handle` (and `box`, the bounds in the virtual
            desktop) added.
        listed: every window's identity to its ref, also of those that were cut from the list.
        quality, walk: see `semantics`.
        popups: identities of menus and popups that belong to the captured window.
        reached: capture method, and whether something covered it.
        delivered: whether the caller was shown the pixels.
    """

    scope: str
    system: str
    backend: str
    display: str
    captured: str | None = None
    lost: str | None = None
    screen: Mapping[str, Any] = field(default_factory=dict)
    monitors: tuple[Mapping[str, Any], ...] = ()
    cursor: tuple[float, float] | None = None
    active: str | None = None
    windows: tuple[Mapping[str, Any], ...] = ()
    windows_total: int = 0
    elements: tuple[Mapping[str, Any], ...] = ()
    elements_total: int = 0
    walk: Mapping[str, Any] = field(default_factory=dict)
    popups: tuple[str, ...] = ()
    reached: Mapping[str, Any] = field(default_factory=dict)
    timings: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    delivered: bool = False

    def window(self, ref: str | None) -> Mapping[str, Any] | None:
        """The row of a window."""
        return next((row for row in self.windows if row["ref"] == ref), None) if ref is not None else None

    def element(self, ref: str) -> Mapping[str, Any] | None:
        """The row of an element."""
        return next((row for row in self.elements if row["ref"] == ref), None)

    def owner(self, element: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The window an element lies in."""
        return self.window(element["window"])

    def place(self, x: float, y: float) -> tuple[float, float]:
        """A pixel of the screenshot as a point of the virtual desktop."""
        screen = self.screen
        return screen["x"] + x / screen["scale"], screen["y"] + y / screen["scale"]

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """A point of the virtual desktop as a pixel of the screenshot."""
        screen = self.screen
        return (x - screen["x"]) * screen["scale"], (y - screen["y"]) * screen["scale"]

    def to_json(self) -> dict[str, Any]:
        """For the session document, without what the elements hold; `from_json` reads it."""
        held = {one.name: getattr(self, one.name) for one in fields(self)}
        return {**held, "elements": [{**row, "value": None} for row in self.elements]}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> View:
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in stored.items()
        }
        return cls(**values)


def public(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as the public document carries it."""
    return {key: value for key, value in row.items() if key not in PRIVATE}


def box_of(row: Mapping[str, Any]) -> Box | None:
    """Bounds of a row in the virtual desktop."""
    found = row.get("box")
    return Box(*found) if found is not None else None
