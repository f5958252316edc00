"""Bring any decoded picture to upright 8-bit RGB or RGBA, on purpose and on record."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

CEILINGS = (255, 1023, 4095)
"""Integer pictures whose largest value fits one of these depths are scaled from that depth, so they stay visible."""


def upright(image: Image.Image, orientation: int) -> Image.Image:
    """Undo an EXIF orientation (1..8; anything else counts as 1)."""
    from PIL import Image

    turn = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_270,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_90,
    }.get(orientation)
    return image if turn is None else image.transpose(turn)


def eight_bit(image: Image.Image, *, bits: int | None, adobe: bool, ycck: bool) -> tuple[Image.Image, tuple[str, ...]]:
    """Convert a loaded picture to RGB, or RGBA where something is transparent.

    Args:
        image: loaded pixels in any of Pillow's modes.
        bits: bits a channel in the file, as its header said; 16-bit colour reaches us already cut to its high byte.
        adobe: whether a JPEG carries Adobe's marker, whose writers store four-channel values inverted.
        ycck: whether that marker says the channels were stored as YCCK.

    Returns:
        The picture, and the name of every lossy step.
    """
    mode = image.mode
    if mode.startswith("I"):
        grey, step = _integer(image)
        return grey.convert("RGB"), (step,)
    if mode == "F":
        return _real(image).convert("RGB"), ("float->8",)
    if mode == "CMYK":
        return _cmyk(image, adobe=adobe), ("YCCK->RGB" if ycck else "CMYK->RGB",)
    steps = ("16->8",) if bits == 16 else ()
    if mode in ("LAB", "HSV"):
        return image.convert("RGB"), (*steps, f"{mode}->RGB")
    return _opaque_if_possible(image), steps


def _opaque_if_possible(image: Image.Image) -> Image.Image:
    if image.mode in ("La", "RGBa"):
        image = image.convert(image.mode.upper())
    if image.mode in ("LA", "PA", "RGBA") or "transparency" in image.info:
        clear = image.convert("RGBA")
        lowest = clear.getchannel("A").getextrema()[0]
        return clear if lowest != 255 else clear.convert("RGB")
    return image.convert("RGB")


def _integer(image: Image.Image) -> tuple[Image.Image, str]:
    """Grey integers of 16 or 32 bits; the high byte of the depth in use, the same for both byte orders."""
    wide = image.convert("I")
    low, high = (int(edge) for edge in wide.getextrema())  # type: ignore[arg-type]  # one band: two numbers
    if low < 0 or high > 65_535:
        span = max(1, high - low)
        return _linear(wide, 255 / span, -low * 255 / span), "32->8"
    ceiling = next((depth for depth in CEILINGS if high <= depth), 65_535)
    step = "16->8" if ceiling == 65_535 else f"16->8 from 0-{ceiling}"
    return _linear(wide, 256 / (ceiling + 1), 0.0), step


def _real(image: Image.Image) -> Image.Image:
    low, high = (float(edge) for edge in image.getextrema())  # type: ignore[arg-type]  # one band: two numbers
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    scale = 255 / (high - low) if high > low else 1.0
    return _linear(image, scale, -low * scale)


def _linear(image: Image.Image, scale: float, offset: float) -> Image.Image:
    return image.point(lambda value: value * scale + offset).convert("L")


def _cmyk(image: Image.Image, *, adobe: bool) -> Image.Image:
    """Pillow inverts every four-channel JPEG; only Adobe's writers store them inverted."""
    from PIL import ImageChops

    is_jpeg = getattr(image, "format", None) in ("JPEG", "MPO")
    return (ImageChops.invert(image) if is_jpeg and not adobe else image).convert("RGB")


def pixel_sha256(image: Image.Image) -> str:
    """SHA-256 over mode, size and raw pixels, so that two files of one picture share it."""
    digest = hashlib.sha256(f"{image.mode} {image.width}x{image.height}\n".encode())
    digest.update(image.tobytes())
    return digest.hexdigest()
