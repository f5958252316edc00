"""Renditions: what a route needs of a picture, derived from the original and never put in its place."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from deepseekeyes.contracts.evidence import Region, Rendition, Tile
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Affine
from deepseekeyes.imaging import codes
from deepseekeyes.imaging.decode import Decoded
from deepseekeyes.imaging.encode import Encoded, Encoding, encode, encodings
from deepseekeyes.imaging.layout import Layout, RenditionSpec, crop_of, lay_out, origins, tile_limit

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["Encoded", "Rendered", "RenditionSpec", "affine_of", "render", "reproduces"]

LOSSY = frozenset({"image/jpeg", "image/avif"})
LOSSLESS_FORMATS = ("image/png", "image/webp")
SHRINK_STEPS = 8
COLOUR = re.compile(r"#[0-9a-f]{6}")
MOST_PIXELS = 178_000_000
"""A recorded rendition larger than this is not drawn again: no limits of ours ever asked for one."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendition with its pixels.

    Attributes:
        rendition: what the evidence record says about it.
        pictures: what to send: one picture, or the tiles in reading order.
        affine: from pixels of the upright source to pixels of the rendition; a box on a tile is moved by the tile's
            `x`, `y` first.
    """

    rendition: Rendition
    pictures: tuple[Encoded, ...]
    affine: Affine


def render(decoded: Decoded, spec: RenditionSpec, region: Region | None = None) -> Rendered:
    """Derive what a route needs.

    The original goes out byte for byte when the route takes it as it is. Otherwise the picture is cropped to the
    region, scaled, flattened and padded, and written as PNG, or as JPEG where the original was lossy already or PNG
    would be too large.

    Raises:
        EyesError: `RENDITION_IMPOSSIBLE` when no encoding within the limits exists, `REGION_INVALID`.
    """
    source = decoded.source
    layout = lay_out(source.width, source.height, spec, region)
    if _may_pass(decoded, spec, layout):
        original = Encoded(decoded.data, source.media_type, source.width, source.height, source.sha256)
        return _described((original,), layout, None)
    longest = None
    for _ in range(SHRINK_STEPS):
        layout = lay_out(source.width, source.height, spec, region, longest)
        image, background = _drawn(decoded.image, layout, spec.background)
        smallest = 0
        for encoding in _choices(decoded, spec, region):
            pictures = tuple(_pieces(image, layout, spec, encoding))
            smallest = max(len(picture.data) for picture in pictures)
            if spec.max_bytes is None or smallest <= spec.max_bytes:
                return _described(pictures, layout, background)
        longest = math.floor(max(layout.content) * min(0.9, math.sqrt((spec.max_bytes or smallest) / smallest)))
        if longest < 1:
            break
    raise EyesError(
        codes.RENDITION_IMPOSSIBLE,
        f"No encoding of this picture stays within {spec.max_bytes} bytes.",
        details={"limit": {"name": "max_bytes", "value": spec.max_bytes or 0, "setting": None}},
    )


def affine_of(rendition: Rendition) -> Affine:
    """The map recorded in a rendition, from upright source pixels to rendition pixels."""
    return Affine(*rendition.scale, *rendition.offset)


def reproduces(decoded: Decoded, rendition: Rendition, region: Region | None = None) -> bool:
    """Whether a recorded rendition can be derived again from the original, down to its hash.

    Args:
        decoded: the original, decoded with the recorded frame.
        rendition: what the record says was sent.
        region: the record's region.
    """
    source = decoded.source
    if rendition.sha256 == source.sha256:
        same_size = (rendition.width, rendition.height) == (source.width, source.height)
        return same_size and affine_of(rendition) == Affine() and rendition.media_type == source.media_type
    layout = _recorded_layout(rendition, crop_of(region, source.width, source.height))
    if layout is None:
        return False
    image, _ = _drawn(decoded.image, layout, rendition.background)
    tried = (*encodings(rendition.media_type, stored=False), *encodings(rendition.media_type, stored=True))
    return any(_same(image, rendition, encoding) for encoding in dict.fromkeys(tried))


def _may_pass(decoded: Decoded, spec: RenditionSpec, layout: Layout) -> bool:
    source = decoded.source
    return (
        source.media_type in spec.formats
        and layout.untouched(source.width, source.height)
        and source.frames == 1
        and source.orientation == 1
        and not source.converted
        and decoded.image.mode == "RGB"
        and (spec.max_bytes is None or source.bytes <= spec.max_bytes)
        and (spec.keep_metadata or not decoded.metadata)
        and (spec.tile_side is None or max(layout.canvas) <= tile_limit(spec))
    )


def _choices(decoded: Decoded, spec: RenditionSpec, region: Region | None) -> Iterator[Encoding]:
    lossless = next((name for name in spec.formats if name in LOSSLESS_FORMATS), None)
    jpeg = "image/jpeg" in spec.formats
    if lossless is None and not jpeg:
        raise EyesError(codes.RENDITION_IMPOSSIBLE, "The route takes none of PNG, JPEG and WebP.")
    prefers_jpeg = jpeg and decoded.source.media_type in LOSSY and region is None and not spec.stored
    if lossless is not None and not prefers_jpeg:
        yield from encodings(lossless, stored=spec.stored)
    if jpeg:
        yield from encodings("image/jpeg", stored=False)


def _drawn(source: Image.Image, layout: Layout, background: str | None) -> tuple[Image.Image, str | None]:
    from PIL import Image

    from deepseekeyes.imaging.flatten import flattened

    image = source.crop(layout.crop) if layout.crop != (0, 0, *source.size) else source
    image, colour = flattened(image, background)
    if image.size != layout.content:
        image = image.resize(layout.content, Image.Resampling.LANCZOS)
    if layout.padded:
        colour = colour or background or _margin_colour(image)
        canvas = Image.new("RGB", layout.canvas, colour)
        canvas.paste(image, layout.place)
        image = canvas
    return image, colour


def _margin_colour(image: Image.Image) -> str:
    """The colour most corners share, so that padding continues the picture instead of framing it."""
    right, bottom = image.width - 1, image.height - 1
    corners = [image.getpixel(corner) for corner in ((0, 0), (right, 0), (0, bottom), (right, bottom))]
    red, green, blue = max(corners, key=corners.count)  # type: ignore[misc]  # an RGB pixel is three numbers
    return f"#{red:02x}{green:02x}{blue:02x}"


def _pieces(image: Image.Image, layout: Layout, spec: RenditionSpec, encoding: Encoding) -> Iterator[Encoded]:
    if spec.tile_side is None or max(layout.canvas) <= tile_limit(spec):
        yield encode(image, encoding)
        return
    side = tile_limit(spec)
    for y in origins(image.height, side, spec.tile_overlap):
        for x in origins(image.width, side, spec.tile_overlap):
            piece = image.crop((x, y, min(x + side, image.width), min(y + side, image.height)))
            yield encode(piece, encoding, x, y)


def _described(pictures: tuple[Encoded, ...], layout: Layout, background: str | None) -> Rendered:
    affine = layout.affine
    tiles = tuple(
        Tile(sha256=piece.sha256, x=piece.x, y=piece.y, width=piece.width, height=piece.height) for piece in pictures
    )
    rendition = Rendition(
        sha256=_digest([piece.sha256 for piece in pictures]),
        media_type=pictures[0].media_type,
        bytes=sum(len(piece.data) for piece in pictures),
        width=layout.canvas[0],
        height=layout.canvas[1],
        scale=(affine.scale_x, affine.scale_y),
        offset=(affine.offset_x + 0.0, affine.offset_y + 0.0),
        background=background,
        tiles=tiles if len(tiles) > 1 else (),
    )
    return Rendered(rendition, pictures, affine)


def _digest(hashes: list[str]) -> str:
    """A lone picture's own hash; for tiles the hash over their hashes, one a line."""
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("\n".join(hashes).encode()).hexdigest()


def _recorded_layout(rendition: Rendition, crop: tuple[int, int, int, int]) -> Layout | None:
    """The layout a record describes, or None when its numbers cannot have come from `lay_out`."""
    affine, canvas = affine_of(rendition), (rendition.width, rendition.height)
    content = round((crop[2] - crop[0]) * affine.scale_x), round((crop[3] - crop[1]) * affine.scale_y)
    place = round(affine.offset_x + crop[0] * affine.scale_x), round(affine.offset_y + crop[1] * affine.scale_y)
    inside = all(
        content[axis] > 0 and place[axis] >= 0 and place[axis] + content[axis] <= canvas[axis] for axis in (0, 1)
    )
    pieces_inside = all(
        0 <= tile.x <= tile.x + tile.width <= canvas[0] and 0 <= tile.y <= tile.y + tile.height <= canvas[1]
        for tile in rendition.tiles
    )
    colour_known = rendition.background is None or COLOUR.fullmatch(rendition.background) is not None
    legal = inside and pieces_inside and colour_known and canvas[0] * canvas[1] <= MOST_PIXELS
    return Layout(crop, content, canvas, place) if legal else None


def _same(image: Image.Image, rendition: Rendition, encoding: Encoding) -> bool:
    if not rendition.tiles:
        return encode(image, encoding).sha256 == rendition.sha256
    for tile in rendition.tiles:
        piece = image.crop((tile.x, tile.y, tile.x + tile.width, tile.y + tile.height))
        if encode(piece, encoding).sha256 != tile.sha256:
            return False
    return _digest([tile.sha256 for tile in rendition.tiles]) == rendition.sha256
