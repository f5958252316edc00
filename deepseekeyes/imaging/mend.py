"""PNG files whose pixels are sound and whose notes are not: browsers show them, Pillow refuses them."""

from __future__ import annotations

from zlib import crc32

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Chunks that change no pixel as it is decoded here; tRNS and the frames of an animation do and stay as they are.
NOTES = frozenset({b"iCCP", b"eXIf", b"tEXt", b"zTXt", b"iTXt", b"pHYs", b"gAMA", b"cHRM", b"sRGB", b"tIME", b"bKGD"})


def mended(data: bytes) -> bytes:
    """The file without the notes whose checksum is wrong; the same object when there are none, or no PNG.

    The result is for the decoder only: the source keeps its own bytes and hash.
    """
    if not data.startswith(SIGNATURE):
        return data
    kept: list[bytes] = []
    start = at = len(SIGNATURE)
    while at + 12 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4])
        kind = data[at + 4 : at + 8]
        if end > len(data) or kind == b"IEND":
            break
        if kind in NOTES and crc32(data[at + 4 : end - 4]) != int.from_bytes(data[end - 4 : end]):
            kept.append(data[start:at])
            start = end
        at = end
    return b"".join((SIGNATURE, *kept, data[start:])) if kept else data
