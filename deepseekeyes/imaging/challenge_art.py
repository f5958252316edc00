"""Draws the pictures of the probe: coloured cells, lettering, labelled marks, an empty sheet.

Every function returns a PNG of 8-bit RGB rows with filter 0 and one IDAT, so the pixels can be read back by hand.
Lengths are pixels, colours are `(red, green, blue)` 0..255. Pillow is imported only where letters are drawn.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

RGB = tuple[int, int, int]

SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of lettering: `size` is the em in pixels, `x` and `y` the left end and the top of the line."""

    text: str
    size: int
    x: int
    y: int
    ink: RGB = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Mark:
    """A filled rectangle `(x, y, width, height)` with its label centred inside; `size` is the label's em."""

    label: str
    box: tuple[int, int, int, int]
    fill: RGB
    size: int
    ink: RGB = (255, 255, 255)


def encode(width: int, height: int, pixels: bytes) -> bytes:
    """A PNG of packed RGB rows (`width * height * 3` bytes), not interlaced.

    Raises:
        ValueError: the pixels do not have that size.
    """
    stride = width * 3
    if len(pixels) != stride * height:
        raise ValueError(f"{width}x{height} RGB pixels need {stride * height} bytes, not {len(pixels)}")
    rows = b"".join(b"\0" + pixels[start : start + stride] for start in range(0, len(pixels), stride))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows, 9)) + _chunk(b"IEND", b"")


def cells(colours: Sequence[RGB], *, per_row: int, side: int) -> bytes:
    """Square cells of one colour each, left to right and top to bottom."""
    pixels = b"".join(
        b"".join(bytes(colour) * side for colour in colours[start : start + per_row]) * side
        for start in range(0, len(colours), per_row)
    )
    return encode(per_row * side, len(colours) // per_row * side, pixels)


def sheet(width: int, height: int, colour: RGB) -> bytes:
    """An empty picture of one colour."""
    return encode(width, height, bytes(colour) * (width * height))


def lettering(width: int, height: int, paper: RGB, lines: Sequence[Line]) -> bytes:
    """Lines of text on plain paper, in Pillow's own typeface."""
    return _painted(width, height, paper, (), lines)


def marked(width: int, height: int, paper: RGB, marks: Sequence[Mark]) -> bytes:
    """Labelled rectangles on plain paper."""
    return _painted(width, height, paper, marks, ())


def encoded_as(png: bytes, media_type: str) -> bytes:
    """The same picture for an endpoint that takes no PNG: lossless WebP, JPEG of the best quality, or GIF."""
    from io import BytesIO

    from PIL import Image

    out = BytesIO()
    with Image.open(BytesIO(png)) as image:
        image.save(out, media_type.removeprefix("image/").upper(), quality=95, lossless=True, subsampling=0)
    return out.getvalue()


def _painted(width: int, height: int, paper: RGB, marks: Sequence[Mark], lines: Sequence[Line]) -> bytes:
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (width, height), paper)
    draw = ImageDraw.Draw(image)
    for mark in marks:
        x, y, across, down = mark.box
        draw.rectangle((x, y, x + across - 1, y + down - 1), fill=mark.fill)
        centre = (x + across / 2, y + down / 2)
        draw.text(centre, mark.label, fill=mark.ink, font=ImageFont.load_default(mark.size), anchor="mm")
    for line in lines:
        draw.text((line.x, line.y), line.text, fill=line.ink, font=ImageFont.load_default(line.size))
    return encode(width, height, image.tobytes())


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
