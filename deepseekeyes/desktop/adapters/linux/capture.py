"""Pixels of windows, regions and the whole virtual desktop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.connection import Connection
from deepseekeyes.desktop.adapters.linux.pixels import read_drawable, whole
from deepseekeyes.desktop.adapters.linux.redirects import Redirects
from deepseekeyes.desktop.adapters.linux.windows import Listed
from deepseekeyes.desktop.codes import (
    DESKTOP_COORDINATE_OUT_OF_BOUNDS,
    DESKTOP_SCREENSHOT_MISSING,
    DESKTOP_WINDOW_GONE,
    DESKTOP_WINDOW_NOT_VIEWABLE,
)
from deepseekeyes.desktop.ports import CaptureMethod, Grab

if TYPE_CHECKING:
    from PIL import Image

POPUPS = {"menu", "popup", "tooltip"}
MOST_PIXELS = 1 << 26
"""Of a window whose own pixels are read: 8192 x 8192; a program may make its window 250 times as large."""


class Capture:
    """Reads pixels; one per connection."""

    def __init__(self, connection: Connection, environment: Mapping[str, str]) -> None:
        self.connection = connection
        self.redirects = Redirects(connection)
        self._under_wayland = bool(environment.get("WAYLAND_DISPLAY"))
        self._mss: Any = None
        self._mss_area: Box | None = None
        self._without_mss = False

    def screen(self, region: Box | None) -> Grab:
        """What the screen shows, whole or in part; a region is cut at the screen's edges.

        Raises:
            EyesError: DESKTOP_COORDINATE_OUT_OF_BOUNDS, DESKTOP_SCREENSHOT_MISSING.
        """
        area = self.connection.area()
        box = area if region is None else region.intersection(area)
        if box is None:
            raise EyesError(
                DESKTOP_COORDINATE_OUT_OF_BOUNDS, "The region lies outside the screen.", details={"dispatched": "no"}
            )
        x, y, width, height = whole(box)
        picture = self._root(x, y, width, height)
        if region is None and self._under_wayland and not picture.getbbox():
            raise EyesError(DESKTOP_SCREENSHOT_MISSING, "The X11 side of this Wayland session shows nothing.")
        return Grab(picture.tobytes(), width, height, (x, y), method="screen" if region is None else "region")

    def window(self, one: Listed, listed: Sequence[Listed]) -> Grab:
        """A window's own pixels with its popups over them.

        Raises:
            EyesError: DESKTOP_WINDOW_NOT_VIEWABLE, DESKTOP_WINDOW_GONE; DESKTOP_SCREENSHOT_MISSING when it is huge.
        """
        from Xlib.error import XError

        if not one.window.viewable or one.window.minimised:
            raise EyesError(
                DESKTOP_WINDOW_NOT_VIEWABLE,
                f'The window "{one.window.title}" is minimised or hidden.',
                details={"dispatched": "no"},
            )
        if one.window.client.width * one.window.client.height > MOST_PIXELS:
            raise EyesError(
                DESKTOP_SCREENSHOT_MISSING,
                f'The window "{one.window.title}" has more than {MOST_PIXELS} pixels.',
                details={"dispatched": "no"},
            )
        try:
            picture, covered, method = self._own(one, listed)
        except XError as gone:
            raise EyesError(
                DESKTOP_WINDOW_GONE, f'The window "{one.window.title}" closed.', details={"dispatched": "no"}
            ) from gone
        popups = self._popups(picture, one, listed)
        client = one.window.client
        return Grab(
            picture.tobytes(),
            picture.width,
            picture.height,
            (client.x, client.y),
            method=method,
            covered=covered,
            popups=popups,
        )

    def close(self) -> None:
        """Let go of the capture library's own connection."""
        if self._mss is not None:
            self._mss.close()
            self._mss = None

    def _own(self, one: Listed, listed: Sequence[Listed]) -> tuple[Image.Image, bool, CaptureMethod]:
        client = one.window.client
        hidden = self._hidden(one, listed)
        if self.redirects.possible:
            picture, trusted = self.redirects.read(one.xid, int(client.width), int(client.height), hidden=hidden)
            return picture, not trusted, "window"
        return self._from_screen(client), hidden, "region"

    def _hidden(self, one: Listed, listed: Sequence[Listed]) -> bool:
        """Whether anything lies over a part of the window, or a part lies off the screen."""
        client = one.window.client
        if client.intersection(self.connection.area()) != client:
            return True
        return any(
            other.window.z < one.window.z and other.window.viewable and other.window.bounds.intersection(client)
            for other in listed
            if other.top != one.top and not self._popup_of(other, one)
        )

    def _popup_of(self, other: Listed, one: Listed) -> bool:
        mine = other.window.pid is not None and other.window.pid == one.window.pid
        return other.override and mine and other.window.kind in POPUPS

    def _popups(self, picture: Image.Image, one: Listed, listed: Sequence[Listed]) -> tuple[str, ...]:
        """Paint the program's open menus over its window, back to front."""
        client = one.window.client
        shown: list[str] = []
        for other in sorted(listed, key=lambda entry: -entry.window.z):
            if other.window.z >= one.window.z or not self._popup_of(other, one):
                continue
            if other.window.bounds.intersection(client) is None:
                continue
            if self._paint(picture, client, other, listed):
                shown.append(other.window.identity)
        return tuple(shown)

    def _paint(self, picture: Image.Image, client: Box, popup: Listed, listed: Sequence[Listed]) -> bool:
        from Xlib.error import XError

        box = popup.window.client
        try:
            if self._hidden(popup, listed) and self.redirects.possible:
                piece, _ = self.redirects.read(popup.xid, int(box.width), int(box.height), hidden=True)
            else:
                piece = self._from_screen(box)
        except XError:
            return False
        picture.paste(piece, (int(box.x - client.x), int(box.y - client.y)))
        return True

    def _from_screen(self, box: Box) -> Image.Image:
        """A box of the screen; what lies off it stays black."""
        from PIL import Image

        picture = Image.new("RGB", (int(box.width), int(box.height)))
        seen = box.intersection(self.connection.area())
        if seen is not None:
            x, y, width, height = whole(seen)
            picture.paste(self._root(x, y, width, height), (int(x - box.x), int(y - box.y)))
        return picture

    def _root(self, x: int, y: int, width: int, height: int) -> Image.Image:
        """A rectangle of the screen: by mss over shared memory, else by the plain protocol."""
        from PIL import Image

        grabber = self._grabber()
        if grabber is not None:
            shot = grabber.grab({"left": x, "top": y, "width": width, "height": height})
            return Image.frombytes("RGB", (width, height), bytes(shot.raw), "raw", "BGRX")
        return read_drawable(self.connection.root, x, y, width, height)

    def _grabber(self) -> Any:
        """The library, opened anew when the screen has another size: it measures what it shares once."""
        area = self.connection.area()
        if area != self._mss_area:
            self.close()
        if self._mss is None and not self._without_mss:
            try:
                import mss

                self._mss, self._mss_area = mss.MSS(display=self.connection.name), area
            except Exception:  # noqa: BLE001 without the library, or where it finds no way, the protocol itself serves
                self._without_mss = True
        return self._mss
