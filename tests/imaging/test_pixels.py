"""Depth and colour models: 8-bit RGB in the end, every lossy step on record."""

from __future__ import annotations

import struct
import zlib

import pytest
from PIL import Image, ImageChops

from deepseekeyes.imaging.decode import decode


def close(pixel: object, wanted: tuple[int, int, int], tolerance: int = 40) -> bool:
    return all(abs(a - b) <= tolerance for a, b in zip(pixel, wanted, strict=True))  # type: ignore[call-overload]


def spectrogram(mode: str) -> Image.Image:
    image = Image.new(mode, (256, 8))
    for x in range(256):
        for y in range(8):
            image.putpixel((x, y), x * 257)
    return image


def test_v09_sixteen_bits_scale_alike_in_both_byte_orders(encoded, limits):
    little = decode(encoded(spectrogram("I;16"), "TIFF"), limits)
    big = decode(encoded(spectrogram("I;16B"), "TIFF"), limits)
    png = decode(encoded(spectrogram("I;16"), "PNG"), limits)

    assert [little.image.getpixel((x, 3)) for x in range(256)] == [(x, x, x) for x in range(256)]
    assert {decoded.source.converted for decoded in (little, big, png)} == {("16->8",)}
    assert len({decoded.source.pixel_sha256 for decoded in (little, big, png)}) == 1


def test_sixteen_bit_colour_is_on_record_and_scales_like_grey(limits):
    rows = b"".join(b"\x00" + struct.pack(">HHH", value, value, value) * 4 for value in (0, 0x1234, 0x80FF, 0xFFFF))
    body = struct.pack(">IIBBBBB", 4, 4, 16, 2, 0, 0, 0)

    def chunk(kind: bytes, content: bytes) -> bytes:
        return len(content).to_bytes(4, "big") + kind + content + zlib.crc32(kind + content).to_bytes(4, "big")

    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", body) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")

    decoded = decode(data, limits)

    assert decoded.source.converted == ("16->8",)
    assert [decoded.image.getpixel((0, y))[0] for y in range(4)] == [0, 0x12, 0x80, 0xFF]


@pytest.mark.parametrize(("highest", "ceiling"), [(255, 255), (900, 1023), (4095, 4095)])
def test_a_dark_sensor_picture_is_scaled_from_the_depth_in_use(encoded, limits, highest, ceiling):
    image = Image.new("I;16", (8, 8))
    image.putpixel((0, 0), highest)

    decoded = decode(encoded(image, "PNG"), limits)

    assert decoded.source.converted == (f"16->8 from 0-{ceiling}",)
    assert decoded.image.getpixel((0, 0))[0] == highest * 256 // (ceiling + 1)


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-3.0, 900.0)])
def test_floating_point_pixels_stay_visible(encoded, limits, low, high):
    image = Image.new("F", (8, 8), low)
    image.paste(high, (0, 0, 4, 8))

    decoded = decode(encoded(image, "TIFF"), limits)

    assert decoded.source.converted == ("float->8",)
    assert (decoded.image.getpixel((0, 0)), decoded.image.getpixel((7, 7))) == ((255, 255, 255), (0, 0, 0))


def test_32_bit_integers_are_spread_over_their_range(encoded, limits):
    image = Image.new("I", (8, 8), -70_000)
    image.paste(70_000, (0, 0, 4, 8))

    decoded = decode(encoded(image, "TIFF"), limits)

    assert decoded.source.converted == ("32->8",)
    assert (decoded.image.getpixel((0, 0)), decoded.image.getpixel((7, 7))) == ((255, 255, 255), (0, 0, 0))


RED_INK = (0, 255, 255, 0)


BLACK_INK = (0, 0, 0, 255)


def without_adobe(data: bytes) -> bytes:
    start = data.index(b"\xff\xee")
    return data[:start] + data[start + 2 + int.from_bytes(data[start + 2 : start + 4], "big") :]


@pytest.mark.parametrize(
    ("ink", "seen"), [(RED_INK, (255, 0, 0)), (BLACK_INK, (0, 0, 0)), ((0, 0, 0, 0), (255, 255, 255))]
)
def test_v11_cmyk_keeps_its_colours_with_and_without_the_adobe_marker(encoded, limits, ink, seen):
    patch = Image.new("CMYK", (32, 32), ink)
    marked = encoded(patch, "JPEG", quality=95)
    plain = without_adobe(encoded(ImageChops.invert(patch), "JPEG", quality=95))

    for data in (marked, plain):
        decoded = decode(data, limits)
        assert close(decoded.image.getpixel((16, 16)), seen, 12)
        assert (decoded.source.mode, decoded.source.converted) == ("CMYK", ("CMYK->RGB",))


def test_v11_ycck_is_told_apart_by_its_transform(encoded, limits):
    plain = encoded(Image.new("CMYK", (32, 32), RED_INK), "JPEG", quality=95)
    start = plain.index(b"\xff\xee")
    transform = start + 2 + 2 + 11
    ycck = plain[:transform] + b"\x02" + plain[transform + 1 :]

    assert decode(ycck, limits).source.converted == ("YCCK->RGB",)


def test_a_cmyk_tiff_is_not_inverted(encoded, limits):
    decoded = decode(encoded(Image.new("CMYK", (16, 16), RED_INK), "TIFF"), limits)

    assert decoded.image.getpixel((3, 3)) == (255, 0, 0)


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "PA", "RGBA", "LAB", "YCbCr", "RGBX"])
def test_every_mode_ends_as_rgb_or_rgba(encoded, limits, mode):
    form = "PNG" if mode in ("1", "L", "P", "LA", "RGBA") else "TIFF"
    image = (
        Image.new("RGBA", (16, 16), (255, 255, 255, 255)).convert(mode) if mode != "LAB" else Image.new("LAB", (16, 16))
    )

    decoded = decode(encoded(image, form), limits)

    assert decoded.image.mode == "RGB"


def test_palette_transparency_becomes_alpha(encoded, limits):
    image = Image.new("P", (8, 8), 0)
    image.putpalette([10, 20, 30, 200, 100, 50])
    image.paste(1, (4, 0, 8, 8))

    decoded = decode(encoded(image, "PNG", transparency=0), limits)

    assert decoded.image.getpixel((0, 0))[3] == 0
    assert decoded.image.getpixel((7, 7)) == (200, 100, 50, 255)


@pytest.mark.parametrize(("mode", "clear"), [("L", 255), ("RGB", (255, 255, 255))])
def test_a_transparent_colour_without_alpha_channel_becomes_alpha(encoded, limits, mode, clear):
    image = Image.new(mode, (8, 8), clear)
    image.paste(0, (0, 0, 4, 8))

    decoded = decode(encoded(image, "PNG", transparency=clear), limits)

    assert [decoded.image.getpixel(at)[3] for at in ((0, 0), (7, 7))] == [255, 0]
