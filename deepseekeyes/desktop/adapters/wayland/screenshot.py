"""Pixels of the whole screen, through the Screenshot portal."""

from __future__ import annotations

import io
import os
import stat
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.wayland.portal import SCREENSHOT, Portal
from deepseekeyes.desktop.codes import DESKTOP_COORDINATE_OUT_OF_BOUNDS, DESKTOP_SCREENSHOT_MISSING
from deepseekeyes.desktop.ports import Grab

MOST_BYTES = 256_000_000
MOST_PIXELS = 200_000_000
CLOCK_S = 2.0
"""How much older than the request a picture may seem."""
WHAT = "A picture of the screen"
SAME_SCALE = 0.01


@dataclass(slots=True)
class Screenshot:
    """Takes pictures; one per desktop."""

    portal: Portal

    def take(self, layout: Box, region: Box | None) -> Grab:
        """What the screen shows, whole or in part.

        Args:
            layout: what all monitors cover, so that pixels get places.

        Raises:
            EyesError: as `Portal.request`; DESKTOP_SCREENSHOT_MISSING for what is no picture of the whole screen;
                DESKTOP_COORDINATE_OUT_OF_BOUNDS.
        """
        self.portal.require("Screenshot")
        started = time.time()
        options = {"modal": ("b", False), "interactive": ("b", False)}
        told = self.portal.request(SCREENSHOT, "Screenshot", "sa{sv}", ("",), options, what=WHAT)
        return _grab(_taken(str(told.get("uri", "")), started), layout, region)


def _missing(why: str) -> EyesError:
    return EyesError(DESKTOP_SCREENSHOT_MISSING, f"The desktop gave no picture: {why}.", details={"dispatched": "no"})


def _taken(uri: str, started: float) -> bytes:
    """The bytes of a file the portal wrote for us, which is then removed; nothing else is read or removed."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        raise _missing("it is not a file")
    place = unquote(parts.path)
    try:
        number = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as gone:
        raise _missing("its file cannot be read") from gone
    with os.fdopen(number, "rb") as file:
        seen = os.fstat(number)
        if not stat.S_ISREG(seen.st_mode) or seen.st_uid != os.geteuid() or seen.st_mtime < started - CLOCK_S:
            raise _missing("its file is not one that was written for this")
        data = file.read(MOST_BYTES + 1)
        _remove(place, seen)
    if len(data) > MOST_BYTES:
        raise _missing(f"it has more than {MOST_BYTES} bytes")
    return data


def _remove(place: str, seen: os.stat_result) -> None:
    try:
        now = os.lstat(place)
        if (now.st_dev, now.st_ino) == (seen.st_dev, seen.st_ino):
            Path(place).unlink()
    except OSError:
        return


def _grab(data: bytes, layout: Box, region: Box | None) -> Grab:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise _missing(f"it has more than {MOST_PIXELS} pixels")
            picture = opened.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, Image.DecompressionBombWarning) as broken:
        raise _missing("it cannot be decoded") from broken
    if not picture.getbbox():
        raise _missing("it is black all over")
    scale = picture.width / layout.width
    if abs(picture.height / layout.height - scale) > SAME_SCALE * scale:
        size = f"{picture.width}x{picture.height}"
        raise _missing(f"its {size} pixels do not fit the monitors, {layout.width:g}x{layout.height:g}")
    if region is None:
        return Grab(picture.tobytes(), picture.width, picture.height, (layout.x, layout.y), scale)
    cut = region.intersection(layout)
    if cut is None:
        raise EyesError(
            DESKTOP_COORDINATE_OUT_OF_BOUNDS, "The region lies outside the screen.", details={"dispatched": "no"}
        )
    left, top = round((cut.x - layout.x) * scale), round((cut.y - layout.y) * scale)
    right = min(max(round((cut.right - layout.x) * scale), left + 1), picture.width)
    bottom = min(max(round((cut.bottom - layout.y) * scale), top + 1), picture.height)
    part = picture.crop((left, top, right, bottom))
    origin = (layout.x + left / scale, layout.y + top / scale)
    return Grab(part.tobytes(), part.width, part.height, origin, scale, "region")
