"""The monitors of an X server and how large programs draw on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.connection import Connection
from deepseekeyes.desktop.ports import Monitor

USUAL_DPI = 96.0


def monitors(connection: Connection, environment: Mapping[str, str]) -> tuple[Monitor, ...]:
    """The monitors, the primary one first; the whole screen when the server knows none.

    X11's space starts at the top left of the virtual desktop. What a RandR layout says is kept as it is, signs too.
    """
    scale = ui_scale(connection, environment)
    rows = _rows(connection)
    if not rows:
        return (Monitor(1, "screen", connection.area(), scale, primary=True),)
    return ordered(rows, scale)


def ordered(rows: Sequence[tuple[str, Box, bool]], scale: float) -> tuple[Monitor, ...]:
    """Name, bounds and primacy as monitors: the primary first, then from left to right and top to bottom."""
    inside = [row for row in rows if row[1].width > 0 and row[1].height > 0]
    inside.sort(key=lambda row: (not row[2], row[1].x, row[1].y, row[0]))
    made = [Monitor(index, name, box, scale, main) for index, (name, box, main) in enumerate(inside, 1)]
    if made and not any(one.primary for one in made):
        made[0] = replace(made[0], primary=True)
    return tuple(made)


def _rows(connection: Connection) -> list[tuple[str, Box, bool]]:
    from Xlib.error import XError

    if not connection.has("randr"):
        return []
    try:
        told = connection.root.xrandr_get_monitors()
    except XError:
        return []
    return [_row(connection, one) for one in told.monitors]


def _row(connection: Connection, one: Any) -> tuple[str, Box, bool]:
    box = Box(_signed(one.x), _signed(one.y), int(one.width_in_pixels), int(one.height_in_pixels))
    return connection.atom_name(int(one.name)), box, bool(one.primary)


def _signed(value: int) -> int:
    """A 16-bit coordinate: RandR's are signed, python-xlib reads them unsigned."""
    return int(value) - 0x10000 if value > 0x7FFF else int(value)


def ui_scale(connection: Connection, environment: Mapping[str, str]) -> float:
    """How much larger than usual programs draw: the toolkit's own variable, else the display's Xft.dpi."""
    for name in ("GDK_SCALE", "QT_SCALE_FACTOR"):
        told = _number(environment.get(name))
        if told is not None and 0.5 <= told <= 8:
            return told
    dpi = _number(resource(connection.text(connection.root, "RESOURCE_MANAGER") or "", "Xft.dpi"))
    if dpi is not None and 48 <= dpi <= 768:
        return round(dpi / USUAL_DPI, 4)
    return 1.0


def resource(database: str, name: str) -> str | None:
    """A line of the X resource database, as `xrdb -query` prints it."""
    for line in database.splitlines():
        key, found, value = line.partition(":")
        if found and key.strip() == name:
            return value.strip()
    return None


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None


def on_a_monitor(point: tuple[float, float], known: Sequence[Monitor]) -> bool:
    """Whether a point lies on a monitor; left and top edges belong to it, right and bottom ones do not."""
    x, y = point
    return any(one.bounds.x <= x < one.bounds.right and one.bounds.y <= y < one.bounds.bottom for one in known)
