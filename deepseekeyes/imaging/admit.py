"""Refuse what is not a picture we read, and what would cost too much, before any decoder sees it."""

from __future__ import annotations

from collections.abc import Mapping

from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.imaging import codes
from deepseekeyes.imaging.settings import IntakeLimits
from deepseekeyes.imaging.sniff import Sniffed, sniff

BOMB_PIXELS_PER_BYTE = 1_000
"""A picture over the pixel limit that unpacks to more than this many pixels a byte is called a bomb."""

_NAMED: Mapping[str, tuple[Code, str]] = {
    "image/heic": (codes.IMAGE_HEIC, "This is a HEIC picture, which is not decoded here."),
    "image/svg+xml": (codes.IMAGE_SVG, "This is an SVG drawing: it has shapes, not pixels."),
    "application/pdf": (codes.IMAGE_PDF, "This is a PDF document, not a picture."),
    "image/x-portable-anymap": (
        codes.IMAGE_FORMAT_UNSUPPORTED,
        "This is a Netpbm picture (PBM, PGM, PPM or PAM), which is not decoded here.",
    ),
    "image/x-icon": (codes.IMAGE_FORMAT_UNSUPPORTED, "This is an ICO icon, which is not decoded here."),
    "image/vnd.adobe.photoshop": (
        codes.IMAGE_FORMAT_UNSUPPORTED,
        "This is a Photoshop file, which is not read here.",
    ),
    "image/jxl": (codes.IMAGE_FORMAT_UNSUPPORTED, "This is a JPEG XL picture, which is not decoded here."),
    "image/jp2": (codes.IMAGE_FORMAT_UNSUPPORTED, "This is a JPEG 2000 picture, which is not decoded here."),
    "application/zip": (codes.INPUT_NOT_IMAGE, "This is a ZIP archive, not a picture."),
    "application/gzip": (codes.INPUT_NOT_IMAGE, "This is a gzip archive, not a picture."),
    "video/webm": (codes.INPUT_NOT_IMAGE, "This is a video, not a picture."),
    "video/mp4": (codes.INPUT_NOT_IMAGE, "This is a video or another ISO media file, not a picture."),
    "text/html": (codes.INPUT_NOT_IMAGE, "This is an HTML page, not a picture."),
    "application/xml": (codes.INPUT_NOT_IMAGE, "This is an XML document, not a picture."),
    "application/json": (codes.INPUT_NOT_IMAGE, "This is JSON text, not a picture."),
    "text/plain": (codes.INPUT_NOT_IMAGE, "This is text, not a picture."),
    "text/plain;charset=utf-16": (codes.INPUT_UTF16, "This is UTF-16 text, not a picture."),
}


def admit(data: bytes, limits: IntakeLimits) -> Sniffed:
    """Check everything about an input that can be known without decoding it.

    Args:
        data: the whole input as it came.
        limits: the bounds to hold it to.

    Returns:
        What it is; always of kind `image`.

    Raises:
        EyesError: `IMAGE_TOO_MANY_BYTES`, `IMAGE_EMPTY`, `IMAGE_UNKNOWN`, `INPUT_NOT_IMAGE`, `INPUT_UTF16`,
            `IMAGE_HEIC`, `IMAGE_SVG`, `IMAGE_PDF`, `IMAGE_FORMAT_UNSUPPORTED`, `IMAGE_TRUNCATED`, `IMAGE_CORRUPT`,
            `IMAGE_TOO_MANY_FRAMES` and those of `admit_size`.
    """
    check_bytes(len(data), limits)
    found = sniff(data)
    if found.kind == "empty":
        raise EyesError(codes.IMAGE_EMPTY, "The input holds no bytes.")
    if found.kind == "unknown":
        raise EyesError(codes.IMAGE_UNKNOWN, "The bytes are of no format known here.")
    if found.header is None:
        code, message = _NAMED[found.media_type]
        raise EyesError(code, message)
    header = found.header
    if header.width is not None and header.height is not None:
        admit_size(header.width, header.height, limits, encoded=len(data))
    elif header.complete is False:
        raise truncated(found.media_type)
    if header.frames is not None:
        admit_frames(header.frames, limits)
    if header.complete is False and found.media_type in ("image/png", "image/webp"):
        raise truncated(found.media_type)
    if not header.sound:
        raise EyesError(codes.IMAGE_CORRUPT, "A checksum inside the PNG file does not match its content.")
    return found


def check_bytes(count: int, limits: IntakeLimits) -> None:
    """Raise `IMAGE_TOO_MANY_BYTES` when an input of `count` bytes is over the limit."""
    if count > limits.max_bytes:
        raise EyesError(
            codes.IMAGE_TOO_MANY_BYTES,
            f"The input is larger than {limits.max_bytes} bytes.",
            details=limits.exceeded("max_bytes"),
            limit="max_bytes",
        )


def admit_size(width: int, height: int, limits: IntakeLimits, *, encoded: int) -> None:
    """Check a declared size in pixels.

    Raises:
        EyesError: `IMAGE_ZERO_SIZE`, `IMAGE_BOMB`, `IMAGE_TOO_MANY_PIXELS`, `IMAGE_SIDE_TOO_LONG`, `IMAGE_TOO_SMALL`.
    """
    size = f"{width}x{height}"
    if width < 1 or height < 1:
        raise EyesError(codes.IMAGE_ZERO_SIZE, f"The picture declares a size of {size} pixels.")
    if width * height > limits.max_pixels:
        bomb = width * height > BOMB_PIXELS_PER_BYTE * encoded
        raise EyesError(
            codes.IMAGE_BOMB if bomb else codes.IMAGE_TOO_MANY_PIXELS,
            f"The picture declares {size} pixels in {encoded} bytes; at most {limits.max_pixels} pixels are decoded.",
            details=limits.exceeded("max_pixels"),
            limit="max_pixels",
        )
    if max(width, height) > limits.max_side:
        raise EyesError(
            codes.IMAGE_SIDE_TOO_LONG,
            f"The picture is {size} pixels; a side may have at most {limits.max_side}.",
            details=limits.exceeded("max_side"),
            limit="max_side",
        )
    if min(width, height) < limits.min_side:
        raise EyesError(
            codes.IMAGE_TOO_SMALL,
            f"The picture is {size} pixels; a side needs at least {limits.min_side}.",
            details=limits.exceeded("min_side"),
            limit="min_side",
        )


def admit_frames(frames: int, limits: IntakeLimits) -> None:
    """Raise `IMAGE_TOO_MANY_FRAMES` when a file declares more frames than allowed."""
    if frames > limits.max_frames:
        raise EyesError(
            codes.IMAGE_TOO_MANY_FRAMES,
            f"The file declares {frames} frames; at most {limits.max_frames} are accepted.",
            details=limits.exceeded("max_frames"),
            limit="max_frames",
        )


def truncated(media_type: str) -> EyesError:
    """The error for a picture whose end is missing."""
    return EyesError(codes.IMAGE_TRUNCATED, f"The {media_type} picture ends before its data does.")
