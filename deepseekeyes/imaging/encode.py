"""Write pixels as bytes, the same bytes every time."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from deepseekeyes.imaging.headers import PNG_SIGNATURE

if TYPE_CHECKING:
    from PIL import Image

JPEG_QUALITIES = (95, 85, 75, 60)
"""Tried in this order until the bytes fit; colour is never subsampled, since small coloured text would blur."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """Encoded pixels to send; `x`, `y` are the origin in rendition pixels (0, 0 unless it is a tile)."""

    data: bytes
    media_type: str
    width: int
    height: int
    sha256: str
    x: int = 0
    y: int = 0


@dataclass(frozen=True, slots=True)
class Encoding:
    """How to write: a media type, a JPEG quality (0 elsewhere), and whether PNG data is left uncompressed."""

    media_type: str
    quality: int = 0
    stored: bool = False


def encodings(media_type: str, *, stored: bool) -> tuple[Encoding, ...]:
    """The encodings of a media type, the most faithful first."""
    if media_type == "image/jpeg":
        return tuple(Encoding(media_type, quality) for quality in JPEG_QUALITIES)
    return (Encoding(media_type, stored=stored and media_type == "image/png"),)


def encode(image: Image.Image, encoding: Encoding, x: int = 0, y: int = 0) -> Encoded:
    """Encode an RGB picture without any metadata.

    Args:
        image: RGB pixels.
        encoding: PNG, JPEG or lossless WebP.
        x: origin of a tile in rendition pixels.
        y: origin of a tile in rendition pixels.
    """
    data = _stored_png(image) if encoding.stored else _saved(image, encoding)
    return Encoded(data, encoding.media_type, image.width, image.height, hashlib.sha256(data).hexdigest(), x, y)


def _saved(image: Image.Image, encoding: Encoding) -> bytes:
    bare = image.copy()
    bare.info.clear()
    out = BytesIO()
    if encoding.media_type == "image/jpeg":
        bare.save(out, "JPEG", quality=encoding.quality, subsampling=0)
    elif encoding.media_type == "image/webp":
        bare.save(out, "WEBP", lossless=True, quality=60, method=3)
    else:
        bare.save(out, "PNG", compress_level=6)
    return out.getvalue()


def _stored_png(image: Image.Image) -> bytes:
    """PNG with deflate's stored blocks, so that no compressor's version decides the bytes."""
    raw, stride = image.tobytes(), image.width * 3
    rows = b"".join(b"\x00" + raw[start : start + stride] for start in range(0, len(raw), stride))
    header = struct.pack(">IIBBBBB", image.width, image.height, 8, 2, 0, 0, 0)
    return b"".join(
        (PNG_SIGNATURE, _chunk(b"IHDR", header), _chunk(b"IDAT", b"".join(_deflated(rows))), _chunk(b"IEND", b""))
    )


def _deflated(rows: bytes) -> Iterator[bytes]:
    yield b"\x78\x01"
    for start in range(0, len(rows), 65_535):
        block = rows[start : start + 65_535]
        yield struct.pack("<BHH", start + len(block) >= len(rows), len(block), len(block) ^ 0xFFFF)
        yield block
    yield zlib.adler32(rows).to_bytes(4, "big")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")
