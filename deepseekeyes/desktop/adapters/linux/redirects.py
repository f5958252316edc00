"""Windows that draw into their own memory, so that their pixels can be read while something covers them.

Composite redirection copies what the screen showed there first, a neighbour's pixels included, and asks the program to
draw what was hidden. Only the damage it then reports tells that it did; until then the picture counts as covered.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from deepseekeyes.desktop.adapters.linux.connection import Connection
from deepseekeyes.desktop.adapters.linux.pixels import read_drawable

if TYPE_CHECKING:
    from PIL import Image

MOST_REDIRECTED = 8
REPAINT_S = 0.5
QUIET_S = 0.03
AUTOMATIC = 0


@dataclass(slots=True)
class _Redirected:
    """A window of ours to read; `trusted` once its own pixels are known to be there."""

    trusted: bool
    damage: int | None
    since: float


@dataclass(slots=True)
class Redirects:
    """The windows that are redirected on one connection; they return to the screen when it closes."""

    connection: Connection
    _held: OrderedDict[int, _Redirected] = field(default_factory=OrderedDict)

    @property
    def possible(self) -> bool:
        """Whether the server can."""
        return self.connection.has("composite")

    def read(self, xid: int, width: int, height: int, *, hidden: bool) -> tuple[Image.Image, bool]:
        """The client area of a window, and whether all of it is known to be the window's own.

        Args:
            hidden: something lay over a part of it, or a part lay off the screen.

        Raises:
            XError: the window went away or is not mapped.
        """
        window = self.connection.window(xid)
        held = self._redirect(xid, window, hidden=hidden)
        if not held.trusted:
            self._await_repaint(held)
        return self._content(window, width, height), held.trusted

    def _redirect(self, xid: int, window: Any, *, hidden: bool) -> _Redirected:
        from Xlib import X

        for event in self.connection.take(X.UnmapNotify):
            self._release(int(event.window.id))
        held = self._held.get(xid)
        if held is not None:
            self._held.move_to_end(xid)
            return held
        while len(self._held) >= MOST_REDIRECTED:
            self._release(next(iter(self._held)))
        trusted = not hidden or self._composited()
        damage = self._damage(window) if not trusted else None
        window.composite_redirect_window(AUTOMATIC)
        self.connection.sync()
        held = self._held[xid] = _Redirected(trusted, damage, time.monotonic())
        return held

    def _release(self, xid: int) -> None:
        """Back to the screen: unmapped, gone, or one too many; what is mapped again starts over."""
        held = self._held.pop(xid, None)
        if held is None:
            return
        if held.damage is not None:
            self.connection.display.damage_destroy(held.damage)
        self.connection.window(xid).composite_unredirect_window(AUTOMATIC)

    def _composited(self) -> bool:
        """Whether a compositor keeps every window's pixels anyway."""
        number = self.connection.display.get_default_screen()
        owner = self.connection.display.get_selection_owner(self.connection.atom(f"_NET_WM_CM_S{number}"))
        return bool(owner)

    def _damage(self, window: Any) -> int | None:
        if not self.connection.has("damage"):
            return None
        from Xlib.ext import damage

        return int(window.damage_create(damage.DamageReportRawRectangles))

    def _await_repaint(self, held: _Redirected) -> None:
        """Until the program has drawn and then been quiet, bounded."""
        if held.damage is None:
            return
        kind = int(self.connection.display.extension_event.DamageNotify)
        end = max(held.since + REPAINT_S, time.monotonic() + QUIET_S)
        last: float | None = None
        while (now := time.monotonic()) < end:
            drawn = [event for event in self.connection.take(kind) if int(event.damage) == held.damage]
            last = now if drawn else last
            if last is not None and now - last >= QUIET_S:
                break
            time.sleep(0.004)
        if last is not None:
            held.trusted = True
            self.connection.display.damage_destroy(held.damage)
            held.damage = None

    def _content(self, window: Any, width: int, height: int) -> Image.Image:
        pixmap = window.composite_name_window_pixmap()
        try:
            border = int(window.get_geometry().border_width)
            return read_drawable(pixmap, border, border, width, height)
        finally:
            pixmap.free()
