"""What is refused at intake, by which code, before anything is decoded."""

from __future__ import annotations

import struct
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from deepseekeyes.core.errors import EyesError
from deepseekeyes.imaging.decode import decode
from deepseekeyes.imaging.settings import IntakeLimits

FORMATS = ["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "AVIF"]


def code_of(data: bytes, limits: IntakeLimits, **options) -> str:
    with pytest.raises(EyesError) as caught:
        decode(data, limits, **options)
    assert caught.value.kind == "input"
    assert caught.value.hint
    assert "{" not in caught.value.hint
    return caught.value.code.name


def png_header(width: int, height: int) -> bytes:
    body = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = len(body).to_bytes(4, "big") + b"IHDR" + body + zlib.crc32(b"IHDR" + body).to_bytes(4, "big")
    return b"\x89PNG\r\n\x1a\n" + chunk


def animation(encoded, form: str, colours=("red", "lime", "blue", "black")) -> bytes:
    frames = [Image.new("RGB", (40, 20), colour) for colour in colours]
    options = {"lossless": True} if form == "WEBP" else {}
    return encoded(frames[0], form, save_all=True, append_images=frames[1:], **options)


@pytest.mark.parametrize(
    ("setting", "value", "code"),
    [
        ("max_bytes", 50, "IMAGE_TOO_MANY_BYTES"),
        ("max_side", 47, "IMAGE_SIDE_TOO_LONG"),
        ("max_pixels", 48 * 32 - 1, "IMAGE_TOO_MANY_PIXELS"),
        ("min_side", 33, "IMAGE_TOO_SMALL"),
    ],
)
@pytest.mark.parametrize("form", FORMATS)
def test_every_limit_names_itself_and_its_setting(encoded, quarters, form, setting, value, code):
    with pytest.raises(EyesError) as caught:
        decode(encoded(quarters, form), IntakeLimits(**{setting: value}))

    assert caught.value.code.name == code
    assert caught.value.details == {"limit": {"name": setting, "value": value, "setting": f"vision.limits.{setting}"}}
    assert f"vision.limits.{setting}" in caught.value.hint


@pytest.mark.parametrize(
    ("setting", "value"), [("max_side", 48), ("max_pixels", 48 * 32), ("min_side", 32), ("max_frames", 1)]
)
def test_a_picture_exactly_at_a_limit_is_accepted(encoded, quarters, setting, value):
    assert decode(encoded(quarters), IntakeLimits(**{setting: value})).image.size == (48, 32)


@pytest.mark.parametrize("form", ["GIF", "PNG", "WEBP", "TIFF"])
def test_too_many_frames_are_refused(encoded, form):
    assert code_of(animation(encoded, form), IntakeLimits(max_frames=3)) == "IMAGE_TOO_MANY_FRAMES"


def test_declared_frames_are_refused_before_decoding(encoded, limits):
    body = b"acTL" + struct.pack(">II", 2**31, 0)
    head = png_header(8, 8)

    assert (
        code_of(head + (8).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big"), limits)
        == "IMAGE_TOO_MANY_FRAMES"
    )


@pytest.mark.parametrize(
    "data",
    [
        png_header(60_000, 60_000),
        b"GIF89a" + struct.pack("<HHBBB", 65_535, 65_535, 0, 0, 0) + b"\x3b",
        b"BM" + bytes(12) + struct.pack("<IiiHH", 40, 2**31 - 1, -(2**31), 1, 24) + bytes(24),
    ],
)
def test_a_bomb_is_refused_by_its_header(data, limits):
    assert code_of(data, limits) == "IMAGE_BOMB"


@pytest.mark.parametrize(
    "data",
    [png_header(0, 10), png_header(10, 0), b"BM" + bytes(12) + struct.pack("<IiiHH", 40, 0, 5, 1, 24) + bytes(24)],
)
def test_a_size_of_zero_has_its_own_code(data, limits):
    assert code_of(data, limits) == "IMAGE_ZERO_SIZE"


@pytest.mark.parametrize("size", [(1, 1), (3, 100), (100, 3)])
def test_a_tracking_pixel_has_its_own_code(encoded, limits, size):
    assert code_of(encoded(Image.new("RGB", size)), limits) == "IMAGE_TOO_SMALL"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "IMAGE_EMPTY"),
        (b"\x00\x01\x02\x03\x04\x05\x06\x07", "IMAGE_UNKNOWN"),
        (b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "IMAGE_HEIC"),
        (b"<svg/>", "IMAGE_SVG"),
        (b"%PDF-1.4", "IMAGE_PDF"),
        (b"8BPS\x00\x01", "IMAGE_FORMAT_UNSUPPORTED"),
        (b"hello", "INPUT_NOT_IMAGE"),
        (b"{}", "INPUT_NOT_IMAGE"),
        (b"<html>", "INPUT_NOT_IMAGE"),
        (b"<a/>", "INPUT_NOT_IMAGE"),
        (b"PK\x03\x04", "INPUT_NOT_IMAGE"),
        (b"\x1f\x8b\x08", "INPUT_NOT_IMAGE"),
        (b"\x1aE\xdf\xa3", "INPUT_NOT_IMAGE"),
        (b"\x00\x00\x00\x18ftypisom\x00\x00\x00\x00isommp42", "INPUT_NOT_IMAGE"),
        ("a.png".encode("utf-16"), "INPUT_UTF16"),
    ],
)
def test_v05_v07_what_is_no_picture_is_named(data, code, limits):
    assert code_of(data, limits) == code


def test_v05_a_broken_heic_is_refused_like_a_whole_one(limits):
    whole = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(200)

    assert {code_of(whole[:cut], limits) for cut in (12, 16, 24, 100)} == {"IMAGE_HEIC"}


def test_v21_a_png_cut_anywhere_has_one_code(encoded, quarters, limits):
    data = encoded(quarters)

    assert {code_of(data[:cut], limits) for cut in range(2, len(data))} == {"IMAGE_TRUNCATED"}


@pytest.mark.parametrize("form", ["JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF"])
def test_v21_a_cut_picture_of_any_format_never_leaks_a_decoder_error(encoded, form):
    data = encoded(Image.effect_mandelbrot((64, 64), (-2, -1.5, 1, 1.5), 50).convert("RGB"), form)
    codes = {
        "IMAGE_TRUNCATED",
        "IMAGE_CORRUPT",
        "IMAGE_UNKNOWN",
        "INPUT_NOT_IMAGE",
        "IMAGE_ZERO_SIZE",
        "IMAGE_TOO_SMALL",
    }

    for cut in range(1, int(len(data) * 0.8), max(1, len(data) // 60)):
        assert code_of(data[:cut], IntakeLimits(min_side=1)) in codes


@pytest.mark.parametrize("form", ["JPEG", "WEBP", "GIF", "PNG"])
def test_half_a_picture_is_truncated(encoded, limits, form):
    data = encoded(Image.effect_mandelbrot((64, 64), (-2, -1.5, 1, 1.5), 50).convert("RGB"), form)

    assert code_of(data[: len(data) // 2], limits) == "IMAGE_TRUNCATED"


def test_a_changed_byte_in_png_data_is_corrupt(encoded, quarters, limits):
    data = bytearray(encoded(quarters))
    data[data.index(b"IDAT") + 8] ^= 0x55

    assert code_of(bytes(data), limits) == "IMAGE_CORRUPT"


@settings(deadline=None)
@given(st.data())
def test_no_damage_raises_anything_but_a_coded_error(data):
    limits = IntakeLimits(max_pixels=100_000, max_frames=50, min_side=1)
    form = data.draw(st.sampled_from(FORMATS))
    raw = bytearray(SAMPLES[form])
    for _ in range(data.draw(st.integers(1, 6))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))

    try:
        decoded = decode(bytes(raw), limits)
    except EyesError as error:
        assert error.kind == "input"  # noqa: PT017  # either outcome is legal, a third is not
    else:
        assert decoded.image.mode in ("RGB", "RGBA")


def _samples() -> dict[str, bytes]:
    from io import BytesIO

    made: dict[str, bytes] = {}
    image = Image.new("RGB", (24, 16), "white")
    ImageDraw.Draw(image).ellipse((3, 3, 20, 12), fill="purple")
    for form in FORMATS:
        out = BytesIO()
        image.save(out, form)
        made[form] = out.getvalue()
    return made


SAMPLES = _samples()
