"""What a picture file says about itself before it is decoded: size, frames, depth, whether its end is there.

Standard library only. Every walk is linear in the bytes given and never trusts a length field beyond them.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"

MOST_PARTS = 200_000
"""Chunks, segments, blocks or boxes looked at in one file; no honest file comes near, and the rest is not walked."""

MOST_BLOCKS = 1_000_000
"""Data blocks of a GIF, which hold at most 255 bytes each."""


class Header(NamedTuple):
    """Facts of a header; None is "the header does not say cheaply".

    Attributes:
        width: pixels of the canvas as stored, before any EXIF orientation.
        height: as `width`.
        frames: declared or counted frames (pages of a TIFF).
        bits: bits a channel.
        complete: False when the file's own structure shows that its end is missing.
        sound: False when a checksum of the file does not match.
        metadata: whether it carries EXIF, XMP, text or comments.
    """

    width: int | None = None
    height: int | None = None
    frames: int | None = 1
    bits: int | None = None
    complete: bool | None = None
    sound: bool = True
    metadata: bool = False


def png(data: bytes) -> Header:
    """PNG and APNG (W3C PNG, third edition)."""
    if len(data) < 33 or data[12:16] != b"IHDR":
        return Header(complete=False)
    width, height, bits = struct.unpack_from(">IIB", data, 16)
    frames, first_is_frame, pixels_seen, complete, sound, metadata = 1, False, False, False, True, False
    for kind, start, length in _png_chunks(data):
        if kind == b"acTL" and not pixels_seen and length >= 4:
            frames = int.from_bytes(data[start : start + 4], "big")
        elif kind == b"fcTL" and not pixels_seen:
            first_is_frame = True
        elif kind == b"IDAT" and not pixels_seen:
            pixels_seen = True
            frames += 0 if frames == 1 or first_is_frame else 1
        metadata = metadata or kind in (b"eXIf", b"tEXt", b"zTXt", b"iTXt")
        if kind[:1].isupper():
            stored = data[start + length : start + length + 4]
            sound = sound and zlib.crc32(data[start - 4 : start + length]).to_bytes(4, "big") == stored
        if kind == b"IEND":
            complete = True
            break
    return Header(width, height, max(1, frames), bits, complete, sound, metadata)


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    position = len(PNG_SIGNATURE)
    for _ in range(MOST_PARTS):
        length = int.from_bytes(data[position : position + 4], "big")
        if position + 12 + length > len(data):
            return
        yield data[position + 4 : position + 8], position + 8, length
        position += 12 + length


def jpeg(data: bytes) -> Header:
    """JPEG: the frame header (ITU T.81, B.2.2) and whether an end marker follows the scan."""
    width = height = bits = None
    metadata = False
    position = 2
    for _ in range(MOST_PARTS):
        if position + 4 > len(data):
            break
        if data[position] != 0xFF or data[position + 1] in (0x00, 0xFF):
            position = data.find(b"\xff", position + 1) % (len(data) + 1)
            continue
        marker = data[position + 1]
        if marker == 0x01 or 0xD0 <= marker <= 0xD8:
            position += 2
            continue
        if marker in (0xD9, 0xDA):
            break
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC) and position + 9 <= len(data):
            bits, height, width = struct.unpack_from(">BHH", data, position + 4)
        metadata = metadata or marker in (0xE1, 0xED, 0xFE)
        position += 2 + int.from_bytes(data[position + 2 : position + 4], "big")
    complete = data.rfind(b"\xff\xd9", min(position, len(data))) >= 0
    return Header(width, height, 1, bits, complete, metadata=metadata)


def gif(data: bytes) -> Header:
    """GIF: canvas (widened by frames that reach beyond it, as decoders do) and counted frames."""
    if len(data) < 13:
        return Header(complete=False)
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    position = 13 + _table_bytes(flags)
    frames, complete, comments = 0, False, False
    steps = _Steps(MOST_BLOCKS)
    while position < len(data) and steps.left > 0:
        steps.left -= 1
        block = data[position]
        if block == 0x3B:
            complete = True
            break
        if block == 0x21:
            comments = comments or data[position + 1 : position + 2] == b"\xfe"
            position = _skip_blocks(data, position + 2, steps)
        elif block == 0x2C and position + 10 <= len(data):
            left, top, frame_width, frame_height, flags = struct.unpack_from("<HHHHB", data, position + 1)
            width, height = max(width, left + frame_width), max(height, top + frame_height)
            frames += 1
            position = _skip_blocks(data, position + 11 + _table_bytes(flags), steps)
        else:
            break
    return Header(width, height, max(1, frames), 8, complete, metadata=comments)


class _Steps:
    """How many parts may still be looked at."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


def _table_bytes(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _skip_blocks(data: bytes, position: int, steps: _Steps) -> int:
    while position < len(data) and data[position] and steps.left > 0:
        position += data[position] + 1
        steps.left -= 1
    return position + 1


def webp(data: bytes) -> Header:
    """WebP (RFC 9649): canvas, animation frames, and whether all declared bytes are there."""
    complete = 8 + int.from_bytes(data[4:8], "little") <= len(data)
    width = height = None
    frames, metadata, position = 0, False, 12
    for _ in range(MOST_PARTS):
        if position + 8 > len(data):
            break
        kind, body = data[position : position + 4], position + 8
        if width is None:
            width, height = _webp_size(kind, data[body : body + 10])
        frames += kind == b"ANMF"
        metadata = metadata or kind in (b"EXIF", b"XMP ")
        length = int.from_bytes(data[position + 4 : position + 8], "little")
        position = body + length + (length & 1)
    return Header(width, height, max(1, frames), 8, complete, metadata=metadata)


def _webp_size(kind: bytes, body: bytes) -> tuple[int | None, int | None]:
    if len(body) < 10:
        return None, None
    if kind == b"VP8X":
        return int.from_bytes(body[4:7], "little") + 1, int.from_bytes(body[7:10], "little") + 1
    if kind == b"VP8L":
        packed = int.from_bytes(body[1:5], "little")
        return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", body, 6)
        return width & 0x3FFF, height & 0x3FFF
    return None, None


def bmp(data: bytes) -> Header:
    """BMP: OS/2 and Windows headers; a top-down picture has a negative height."""
    if len(data) < 26:
        return Header(complete=False)
    if int.from_bytes(data[14:18], "little") == 12:
        width, height = struct.unpack_from("<HH", data, 18)
        return Header(width, height, 1, 8)
    width, height = struct.unpack_from("<ii", data, 18)
    return Header(abs(width), abs(height), 1, 8)


def tiff(data: bytes) -> Header:
    """TIFF 6.0: size and depth of the first page, pages counted along the chain. BigTIFF is left to the decoder."""
    order = "<" if data[:2] == b"II" else ">"
    if len(data) < 8 or struct.unpack_from(order + "H", data, 2)[0] != 42:
        return Header(frames=None)
    seen: set[int] = set()
    first: dict[int, int] = {}
    (offset,) = struct.unpack_from(order + "I", data, 4)
    while offset and offset not in seen and len(seen) <= MOST_PARTS:
        if offset + 2 > len(data):
            return Header(first.get(256), first.get(257), max(1, len(seen)), first.get(258), complete=False)
        (count,) = struct.unpack_from(order + "H", data, offset)
        if not seen:
            first = _tiff_tags(data, order, offset, count)
        seen.add(offset)
        after = offset + 2 + 12 * count
        offset = struct.unpack_from(order + "I", data, after)[0] if after + 4 <= len(data) else 0
    complete = None if first else False
    return Header(first.get(256), first.get(257), max(1, len(seen)), first.get(258), complete, metadata=True)


def _tiff_tags(data: bytes, order: str, offset: int, count: int) -> dict[int, int]:
    found: dict[int, int] = {}
    for index in range(count):
        at = offset + 2 + 12 * index
        if at + 12 > len(data):
            break
        tag, kind, items = struct.unpack_from(order + "HHI", data, at)
        if tag not in (256, 257, 258) or kind not in (3, 4):
            continue
        form = order + ("H" if kind == 3 else "I")
        place = at + 8 if struct.calcsize(form) * items <= 4 else struct.unpack_from(order + "I", data, at + 8)[0]
        if place + struct.calcsize(form) <= len(data):
            (found[tag],) = struct.unpack_from(form, data, place)
    return found


def avif(data: bytes) -> Header:
    """AVIF: the largest `ispe` item property (ISO/IEC 23008-12); sequences are left to the decoder."""
    best = (0, 0)
    inside = [(0, len(data))]
    complete = True
    steps = _Steps(MOST_PARTS)
    while inside:
        position, end = inside.pop()
        while position + 8 <= end and steps.left > 0:
            steps.left -= 1
            length, kind = int.from_bytes(data[position : position + 4], "big"), data[position + 4 : position + 8]
            head = 8
            if length == 1:
                length, head = int.from_bytes(data[position + 8 : position + 16], "big"), 16
            stop = end if length == 0 else position + length
            complete = complete and stop <= len(data)
            if length and length < head:
                break
            if kind == b"ispe" and position + head + 12 <= len(data):
                size = struct.unpack_from(">II", data, position + head + 4)
                best = max(best, (size[0], size[1]), key=lambda pair: pair[0] * pair[1])
            elif kind in (b"meta", b"iprp", b"ipco"):
                inside.append((position + head + (4 if kind == b"meta" else 0), min(stop, end)))
            position = stop
    return Header(best[0] or None, best[1] or None, None, None, complete, metadata=True)
