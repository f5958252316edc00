"""Where the pixels of a rendition come from and go to: pure arithmetic, no pixels touched."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import OVERSHOOT, Affine
from deepseekeyes.imaging import codes

if TYPE_CHECKING:
    from deepseekeyes.contracts.evidence import Region

DEFAULT_MIN_SIDE = 28
"""Used where a route declares no minimum: pictures below one patch of common vision encoders crash their servers."""


class RouteLimits(Protocol):
    """The part of a route's limits that decides a rendition; sizes in pixels and bytes, None is "no limit known"."""

    @property
    def formats(self) -> tuple[str, ...]: ...
    @property
    def max_side(self) -> int | None: ...
    @property
    def min_side(self) -> int | None: ...
    @property
    def max_pixels(self) -> int | None: ...
    @property
    def max_bytes(self) -> int | None: ...


class RenditionSpec(NamedTuple):
    """What a route needs.

    Attributes:
        formats: media types it decodes, preferred first; one of PNG, JPEG and WebP must be among them.
        max_side: longest side in pixels.
        max_pixels: width times height.
        max_bytes: encoded bytes of one picture.
        min_side: shortest side in pixels; smaller pictures are padded, never stretched.
        multiple_of: both sides are padded to a multiple of this.
        background: `#rrggbb` under transparent pixels; None chooses by contrast.
        stored: write PNG without compression: quick to write and the same bytes everywhere, for a reader in process.
        keep_metadata: whether an untouched original may go out with its EXIF, XMP or text.
        enlarge_to: a region is scaled up until its long side has this many pixels.
        enlarge_factor: and never by more than this.
        tile_side: cut into tiles of at most this side instead of shrinking; None sends one picture.
        tile_overlap: pixels shared by neighbouring tiles, less than `tile_side`; half of a tile at most is shared.
        max_tiles: tiles in all; a larger picture is shrunk until it fits.
    """

    formats: tuple[str, ...] = ("image/png", "image/jpeg", "image/webp")
    max_side: int | None = None
    max_pixels: int | None = None
    max_bytes: int | None = None
    min_side: int = 1
    multiple_of: int = 1
    background: str | None = None
    stored: bool = False
    keep_metadata: bool = False
    enlarge_to: int = 1024
    enlarge_factor: float = 4.0
    tile_side: int | None = None
    tile_overlap: int = 64
    max_tiles: int = 16

    @classmethod
    def for_route(cls, limits: RouteLimits, **more: Any) -> RenditionSpec:
        """The spec that a route's declared limits ask for; `more` sets further fields."""
        return cls(
            formats=tuple(limits.formats),
            max_side=limits.max_side,
            max_pixels=limits.max_pixels,
            max_bytes=limits.max_bytes,
            min_side=limits.min_side if limits.min_side is not None else DEFAULT_MIN_SIDE,
            **more,
        )

    def key(self) -> dict[str, Any]:
        """Every field as JSON values, for a cache key."""
        return {**self._asdict(), "formats": list(self.formats)}


class Layout(NamedTuple):
    """A rendition before it has pixels.

    Attributes:
        crop: `(left, top, right, bottom)` in pixels of the upright source.
        content: size of the scaled crop.
        canvas: size of the whole rendition; larger than `content` when padded.
        place: where the content starts on the canvas.
    """

    crop: tuple[int, int, int, int]
    content: tuple[int, int]
    canvas: tuple[int, int]
    place: tuple[int, int]

    @property
    def affine(self) -> Affine:
        left, top, right, bottom = self.crop
        scale_x, scale_y = self.content[0] / (right - left), self.content[1] / (bottom - top)
        return Affine(scale_x, scale_y, self.place[0] - left * scale_x, self.place[1] - top * scale_y)

    @property
    def padded(self) -> bool:
        return self.canvas != self.content

    def untouched(self, width: int, height: int) -> bool:
        """Whether the rendition is the source itself, pixel for pixel."""
        return self.crop == (0, 0, width, height) and self.content == self.canvas == (width, height)


def crop_of(region: Region | None, width: int, height: int) -> tuple[int, int, int, int]:
    """The whole pixels that a region touches, as `(left, top, right, bottom)`; None is the whole picture.

    Raises:
        EyesError: `REGION_INVALID` when the region reaches beyond the picture.
    """
    if region is None:
        return 0, 0, width, height
    if region.x + region.width > 1 + OVERSHOOT or region.y + region.height > 1 + OVERSHOOT:
        raise EyesError(codes.REGION_INVALID, "The region reaches beyond the picture.")
    slack = 1e-6
    left = min(width - 1, math.floor(region.x * width + slack))
    top = min(height - 1, math.floor(region.y * height + slack))
    right = min(width, max(left + 1, math.ceil((region.x + region.width) * width - slack)))
    bottom = min(height, max(top + 1, math.ceil((region.y + region.height) * height - slack)))
    return left, top, right, bottom


def lay_out(
    width: int, height: int, spec: RenditionSpec, region: Region | None = None, longest: int | None = None
) -> Layout:
    """The largest rendition of a picture, or of a region of it, that keeps every limit.

    Args:
        width: upright source, pixels.
        height: upright source, pixels.
        spec: what the route needs.
        region: the part to show, normalised; it is enlarged when small.
        longest: a further bound on the content's long side, in pixels.

    Raises:
        EyesError: `RENDITION_IMPOSSIBLE` when the limits contradict each other or tiles would never get on,
            `REGION_INVALID`.
    """
    _check_tiles(spec)
    crop = crop_of(region, width, height)
    size = crop[2] - crop[0], crop[3] - crop[1]
    long_side = max(size)
    upper = long_side if region is None else _enlarged(long_side, spec)
    upper = upper if longest is None else min(upper, longest)

    def canvas_at(side: int) -> tuple[int, int]:
        content = _content(size, side)
        return _padded(content[0], spec), _padded(content[1], spec)

    best = _largest(upper, lambda side: _fits(canvas_at(side), spec))
    if best is None:
        raise EyesError(
            codes.RENDITION_IMPOSSIBLE,
            f"A picture of {size[0]}x{size[1]} pixels cannot be made to fit the limits of this route.",
        )
    content, canvas = _content(size, best), canvas_at(best)
    return Layout(crop, content, canvas, ((canvas[0] - content[0]) // 2, (canvas[1] - content[1]) // 2))


def _check_tiles(spec: RenditionSpec) -> None:
    if spec.tile_side is None:
        return
    side = tile_limit(spec)
    if side < 1 or spec.max_tiles < 1:
        raise EyesError(codes.RENDITION_IMPOSSIBLE, f"Tiles of {side} pixels, {spec.max_tiles} at most, show nothing.")
    if not 0 <= spec.tile_overlap < spec.tile_side:
        raise EyesError(
            codes.RENDITION_IMPOSSIBLE,
            f"Tiles of {spec.tile_side} pixels cannot share {spec.tile_overlap} pixels with the next one.",
            details={"limit": {"name": "tile_overlap", "value": spec.tile_side - 1, "setting": None}},
        )


def _enlarged(long_side: int, spec: RenditionSpec) -> int:
    return max(long_side, min(spec.enlarge_to, math.floor(long_side * spec.enlarge_factor)))


def _content(size: tuple[int, int], long_side: int) -> tuple[int, int]:
    factor = long_side / max(size)
    return max(1, round(size[0] * factor)), max(1, round(size[1] * factor))


def _padded(side: int, spec: RenditionSpec) -> int:
    return math.ceil(max(side, spec.min_side) / spec.multiple_of) * spec.multiple_of


def _fits(canvas: tuple[int, int], spec: RenditionSpec) -> bool:
    if spec.tile_side is not None and max(canvas) > tile_limit(spec):
        columns, rows = (len(origins(side, tile_limit(spec), spec.tile_overlap)) for side in canvas)
        return columns * rows <= spec.max_tiles
    side_fits = spec.max_side is None or max(canvas) <= spec.max_side
    return side_fits and (spec.max_pixels is None or canvas[0] * canvas[1] <= spec.max_pixels)


def _largest(upper: int, fits: Callable[[int], bool]) -> int | None:
    """The largest integer in `1..upper` that fits, when everything below a fitting one fits too."""
    if fits(upper):
        return upper
    low, high = 0, upper
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low or None


def tile_limit(spec: RenditionSpec) -> int:
    """The side of a tile in pixels, which keeps the route's limits for one picture too."""
    sides = [spec.tile_side, spec.max_side, None if spec.max_pixels is None else math.isqrt(spec.max_pixels)]
    return min(side for side in sides if side is not None)


def origins(length: int, side: int, overlap: int) -> tuple[int, ...]:
    """Where tiles of `side` pixels start along `length` pixels: evenly spread, sharing at least `overlap` pixels."""
    if length <= side:
        return (0,)
    step = max(1, side - max(0, min(overlap, side // 2)))
    count = math.ceil((length - side) / step) + 1
    return tuple(round(index * (length - side) / (count - 1)) for index in range(count))
