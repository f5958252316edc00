"""Say what bytes are by looking at them; names and declared types are never asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from deepseekeyes.imaging import headers
from deepseekeyes.imaging.headers import Header

Kind = Literal["image", "named", "text", "utf16", "empty", "unknown"]

HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1"})
AVIF_BRANDS = frozenset({b"avif", b"avis"})
BMP_HEADER_SIZES = frozenset({12, 16, 40, 52, 56, 64, 108, 124})

PLUGINS: Mapping[str, str] = {
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/gif": "GIF",
    "image/webp": "WEBP",
    "image/bmp": "BMP",
    "image/tiff": "TIFF",
    "image/avif": "AVIF",
}
"""Media types that can be decoded, and the decoder of each."""

_HEADERS: Mapping[str, Callable[[bytes], Header]] = {
    "image/png": headers.png,
    "image/jpeg": headers.jpeg,
    "image/gif": headers.gif,
    "image/webp": headers.webp,
    "image/bmp": headers.bmp,
    "image/tiff": headers.tiff,
    "image/avif": headers.avif,
}

_NAMED: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "application/pdf"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
    (b"8BPS", "image/vnd.adobe.photoshop"),
    (b"\xff\x0a", "image/jxl"),
    (b"\x00\x00\x00\x0cJXL ", "image/jxl"),
    (b"\x00\x00\x00\x0cjP  ", "image/jp2"),
    (b"\xff\x4f\xff\x51", "image/jp2"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\x1aE\xdf\xa3", "video/webm"),
)

_NETPBM = re.compile(rb"P[1-6]\s+(?:#[^\n]*\n\s*)*\d+\s+(?:#[^\n]*\n\s*)*\d+\s|P7\n(?:#[^\n]*\n)*WIDTH \d")


class Sniffed(NamedTuple):
    """What bytes are.

    Attributes:
        kind: `image` can be decoded; `named` is a format that is recognised and not decoded; `text` is UTF-8.
        media_type: of the content, e.g. `image/png`, `image/svg+xml`, `text/plain`.
        header: what an image's header says; None for everything else.
    """

    kind: Kind
    media_type: str
    header: Header | None = None


def sniff(data: bytes) -> Sniffed:
    """Tell what `data` is from its content alone, without a decoder.

    Args:
        data: the whole input; an image's header is measured from it.
    """
    if not data:
        return Sniffed("empty", "application/octet-stream")
    media_type = _image_type(data)
    if media_type is not None:
        return Sniffed("image", media_type, _HEADERS[media_type](data))
    named = _container_type(data) or next((name for magic, name in _NAMED if data.startswith(magic)), None)
    if named is None and _NETPBM.match(data):
        named = "image/x-portable-anymap"
    if named is not None:
        return Sniffed("named", named)
    if _is_utf16(data):
        return Sniffed("utf16", "text/plain;charset=utf-16")
    text = _text_type(data)
    return Sniffed("unknown", "application/octet-stream") if text is None else text


def _image_type(data: bytes) -> str | None:
    if data.startswith(headers.PNG_SIGNATURE) or (1 < len(data) < 8 and headers.PNG_SIGNATURE.startswith(data)):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff") or data == b"\xff\xd8":
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    if data.startswith((b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+")):
        return "image/tiff"
    if data.startswith(b"BM") and int.from_bytes(data[14:18], "little") in BMP_HEADER_SIZES:
        return "image/bmp"
    return "image/avif" if _brands(data) & AVIF_BRANDS else None


def _brands(data: bytes) -> frozenset[bytes]:
    if data[4:8] != b"ftyp":
        return frozenset()
    end = min(max(16, int.from_bytes(data[:4], "big")), len(data), 512)
    return frozenset({data[8:12], *(data[at : at + 4] for at in range(16, end - 3, 4))})


def _container_type(data: bytes) -> str | None:
    brands = _brands(data)
    if not brands:
        return None
    return "image/heic" if brands & HEIC_BRANDS else "video/mp4"


def _is_utf16(data: bytes) -> bool:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    head = data[:400]
    half = len(head) // 2
    return half >= 4 and (head[1::2].count(0) == half or head[0::2].count(0) >= half) and head.count(0) <= half + 1


def _text_type(data: bytes) -> Sniffed | None:
    head = data[:4096]
    for cut in range(4):
        try:
            text = head[: len(head) - cut].decode()
            break
        except UnicodeDecodeError:
            continue
    else:
        return None
    if any(ord(character) < 32 and character not in "\t\n\r\f\x1b" for character in text):
        return None
    return Sniffed("text", _markup_type(text.lstrip("\ufeff").lstrip().lower()))


def _markup_type(text: str) -> str:
    if text.startswith("<"):
        if "<svg" in text:
            return "image/svg+xml"
        return "text/html" if "<html" in text or text.startswith("<!doctype html") else "application/xml"
    return "application/json" if text.startswith(("{", "[")) else "text/plain"
