"""A screenshot within a host's limits: encoded again without loss, and cut into tiles where that is not enough."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.codes import DESKTOP_SCREENSHOT_LIMIT

if TYPE_CHECKING:
    from PIL import Image

KEPT: Final = ("icc_profile", "dpi")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a host takes: bytes, side and pixels of one picture, pictures of one message, bytes of all of them."""

    bytes: int = 4_750_000
    side: int = 2_000
    pixels: int = 40_000_000
    tiles: int = 20
    total: int = 104_857_600


@dataclass(frozen=True, slots=True)
class Tile:
    """One part of a screenshot, at `x`, `y` of it; index from 1."""

    index: int
    x: int
    y: int
    width: int
    height: int
    sha256: str
    data: bytes = field(repr=False)


def tiles(data: bytes, limits: Limits) -> tuple[Tile, ...]:
    """The whole picture as one tile, or halves of halves until every part fits.

    The longer side is halved, the width when both are equal; the first half is the smaller one. Nothing is scaled, and
    side and pixels are looked at before anything is encoded. Text and time chunks are left out.

    Raises:
        EyesError: DESKTOP_SCREENSHOT_LIMIT when one pixel does not fit, or tiles or bytes are too many in all.
    """
    from PIL import Image

    with Image.open(io.BytesIO(data)) as picture:
        picture.load()
        kept: dict[str, Any] = {name: picture.info[name] for name in KEPT if name in picture.info}
        parts = _parts(picture, 0, 0, limits, kept)
        found: list[Tile] = []
        total = 0
        for x, y, width, height, encoded in parts:
            total += len(encoded)
            found.append(Tile(len(found) + 1, x, y, width, height, hashlib.sha256(encoded).hexdigest(), encoded))
            if len(found) > limits.tiles:
                raise _beyond("screenshot_tiles", limits.tiles, "more pictures than one message takes")
            if total > limits.total:
                raise _beyond("screenshot_total_bytes", limits.total, "more bytes than one message takes")
    return tuple(found)


def _parts(
    picture: Image.Image, x: int, y: int, limits: Limits, kept: dict[str, Any]
) -> Iterator[tuple[int, int, int, int, bytes]]:
    width, height = picture.size
    encoded: bytes | None = None
    if width <= limits.side and height <= limits.side and width * height <= limits.pixels:
        encoded = _encoded(picture, kept)
    if encoded is not None and len(encoded) <= limits.bytes:
        yield x, y, width, height, encoded
        return
    if width == height == 1:
        raise _beyond("screenshot_bytes", limits.bytes, "pixels that are too large")
    if width >= height:
        half = width // 2
        yield from _parts(picture.crop((0, 0, half, height)), x, y, limits, kept)
        yield from _parts(picture.crop((half, 0, width, height)), x + half, y, limits, kept)
    else:
        half = height // 2
        yield from _parts(picture.crop((0, 0, width, half)), x, y, limits, kept)
        yield from _parts(picture.crop((0, half, width, height)), x, y + half, limits, kept)


def _encoded(picture: Image.Image, kept: dict[str, Any]) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=9, **kept)
    return out.getvalue()


def _beyond(name: str, value: int, what: str) -> EyesError:
    setting = f"desktop.{name}"
    return EyesError(
        DESKTOP_SCREENSHOT_LIMIT,
        f"The screenshot has {what}.",
        details={"limit": {"name": name, "value": value, "setting": setting}},
        setting=setting,
    )
