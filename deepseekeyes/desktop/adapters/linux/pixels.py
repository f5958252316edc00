"""Raw X11 images as packed RGB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.codes import DESKTOP_SCREENSHOT_MISSING

if TYPE_CHECKING:
    from PIL import Image

ALL_PLANES = 0xFFFFFFFF
DEPTHS = {24, 32, 30}


def read_drawable(drawable: Any, x: int, y: int, width: int, height: int) -> Image.Image:
    """A rectangle of a window or pixmap as an RGB picture.

    Raises:
        XError: the rectangle lies outside, or the drawable went away.
        EyesError: DESKTOP_SCREENSHOT_MISSING for pixels in a form we cannot read.
    """
    from PIL import Image
    from Xlib import X

    raw = drawable.get_image(x, y, width, height, X.ZPixmap, ALL_PLANES)
    data = bytes(raw.data) if not isinstance(raw.data, bytes) else raw.data
    if int(raw.depth) not in DEPTHS or len(data) < width * height * 4:
        raise EyesError(DESKTOP_SCREENSHOT_MISSING, f"The display's {raw.depth}-bit pixels cannot be read.")
    if int(raw.depth) == 30:
        return _deep(data, width, height)
    return Image.frombuffer("RGB", (width, height), data, "raw", "BGRX", width * 4, 1)


def _deep(data: bytes, width: int, height: int) -> Image.Image:
    """Ten bits a channel, cut to eight."""
    from array import array

    from PIL import Image

    words = array("I", data[: width * height * 4])
    packed = bytearray(width * height * 3)
    packed[0::3] = bytes((word >> 22) & 0xFF for word in words)
    packed[1::3] = bytes((word >> 12) & 0xFF for word in words)
    packed[2::3] = bytes((word >> 2) & 0xFF for word in words)
    return Image.frombytes("RGB", (width, height), bytes(packed))


def whole(box: Box) -> tuple[int, int, int, int]:
    """A box in whole pixels that holds all of it: x, y, width, height."""
    import math

    left, top = math.floor(box.x), math.floor(box.y)
    return left, top, math.ceil(box.right) - left, math.ceil(box.bottom) - top
