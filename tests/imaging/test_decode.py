"""One intake: limits first, a full decode, upright 8-bit pixels, every lossy step on record."""

from __future__ import annotations

import hashlib
import struct
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw

from deepseekeyes.core.errors import EyesError
from deepseekeyes.imaging.decode import SHEET, decode
from deepseekeyes.imaging.pixels import pixel_sha256
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


def close(pixel: object, wanted: tuple[int, int, int], tolerance: int = 40) -> bool:
    return all(abs(a - b) <= tolerance for a, b in zip(pixel, wanted, strict=True))  # type: ignore[call-overload]


@pytest.mark.parametrize("form", FORMATS)
def test_v03_the_content_decides_the_type_and_the_source_is_described(encoded, quarters, limits, form):
    data = encoded(quarters, form)

    decoded = decode(data, limits)

    assert decoded.source.media_type == f"image/{form.lower()}"
    assert decoded.source.sha256 == hashlib.sha256(data).hexdigest()
    assert (decoded.source.bytes, decoded.source.width, decoded.source.height) == (len(data), 48, 32)
    assert (decoded.source.frames, decoded.source.frame, decoded.source.converted) == (1, 0, ())
    assert decoded.data is data
    assert decoded.image.mode == "RGB"
    assert decoded.notes == ()


def test_one_picture_in_lossless_formats_has_one_pixel_hash(encoded, quarters, limits):
    hashes = {
        decode(encoded(quarters, form, **options), limits).source.pixel_sha256
        for form, options in [("PNG", {}), ("BMP", {}), ("TIFF", {}), ("WEBP", {"lossless": True}), ("GIF", {})]
    }

    assert hashes == {pixel_sha256(quarters)}


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF"])
def test_v01_every_orientation_comes_out_upright(encoded, quarters, limits, form, orientation):
    undo = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    stored = quarters.transpose(undo[orientation]) if orientation > 1 else quarters
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = encoded(stored, form, exif=exif)

    decoded = decode(data, limits)

    assert (decoded.source.width, decoded.source.height) == decoded.image.size == (48, 32)
    assert decoded.source.orientation == orientation
    assert decoded.source.sha256 == hashlib.sha256(data).hexdigest()
    corners = [decoded.image.getpixel(at) for at in ((6, 4), (40, 4), (6, 27), (40, 27))]
    wanted = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)]
    assert all(close(seen, colour) for seen, colour in zip(corners, wanted, strict=True))


@pytest.mark.parametrize("orientation", [1, 3, 6])
def test_a_compressed_tiff_is_turned_once(encoded, quarters, limits, orientation):
    undo = {3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90}
    turned = quarters.transpose(undo[orientation]) if orientation in undo else quarters
    exif = Image.Exif()
    exif[0x0112] = orientation

    decoded = decode(encoded(turned, "TIFF", compression="tiff_lzw", exif=exif), limits)

    assert ImageChops.difference(decoded.image, quarters).getbbox() is None


@pytest.mark.parametrize("value", [0, 9, 255])
def test_an_illegal_orientation_counts_as_none(encoded, quarters, limits, value):
    exif = Image.Exif()
    exif[0x0112] = value

    assert decode(encoded(quarters, "JPEG", exif=exif), limits).source.orientation == 1


@pytest.mark.parametrize(
    "mark", [b"Exif\x00\x00garbage", b"Exif\x00\x00II*\x00\xff\xff\xff\xff", b"MPF\x00MM\x00*\x00\x00\x00\x08"]
)
def test_damaged_metadata_is_no_reason_to_refuse_pixels(encoded, quarters, limits, mark):
    data = encoded(quarters, "JPEG")
    marker = b"\xff\xe1" if mark.startswith(b"Exif") else b"\xff\xe2"
    hurt = data[:2] + marker + (len(mark) + 2).to_bytes(2, "big") + mark + data[2:]

    assert decode(hurt, limits).source.orientation == 1


# --- depth, colour models -------------------------------------------------------------------------------------------


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


# --- animation ------------------------------------------------------------------------------------------------------


def animation(encoded, form: str, colours=("red", "lime", "blue", "black")) -> bytes:
    frames = [Image.new("RGB", (40, 20), colour) for colour in colours]
    options = {"lossless": True} if form == "WEBP" else {}
    return encoded(frames[0], form, save_all=True, append_images=frames[1:], **options)


@pytest.mark.parametrize("form", ["GIF", "PNG", "WEBP", "TIFF"])
def test_v13_the_first_frame_is_read_and_the_others_are_named(encoded, limits, form):
    decoded = decode(animation(encoded, form), limits)

    assert (decoded.source.frames, decoded.source.frame) == (4, 0)
    assert decoded.image.getpixel((5, 5)) == (255, 0, 0)
    assert len(decoded.notes) == 1
    assert "4 frames" in decoded.notes[0]


@pytest.mark.parametrize("form", ["GIF", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize(("frame", "colour"), [(0, (255, 0, 0)), (2, (0, 0, 255)), (3, (0, 0, 0))])
def test_v13_a_frame_can_be_chosen(encoded, limits, form, frame, colour):
    decoded = decode(animation(encoded, form), limits, frame)

    assert (decoded.source.frames, decoded.source.frame) == (4, frame)
    assert close(decoded.image.getpixel((5, 5)), colour, 2)
    assert decoded.notes == ()


@pytest.mark.parametrize("frame", [-1, 4, 10**9])
def test_a_frame_that_is_not_there_is_refused(encoded, limits, frame):
    assert code_of(animation(encoded, "GIF"), limits, frame=frame) == "FRAME_OUT_OF_RANGE"


def test_v13_a_contact_sheet_shows_frames_in_reading_order(encoded, limits):
    decoded = decode(animation(encoded, "GIF"), limits, "sheet")

    assert (decoded.source.frames, decoded.source.frame) == (4, SHEET)
    assert decoded.source.converted == ("sheet of frames 0,1,2,3",)
    assert decoded.image.size == (2 * 48 + 8, 2 * 28 + 8)
    centres = [decoded.image.getpixel((28 + 48 * column, 18 + 28 * row)) for row in (0, 1) for column in (0, 1)]
    assert centres == [(255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 0, 0)]


def test_a_contact_sheet_of_many_frames_takes_sixteen_with_both_ends(encoded, limits):
    data = animation(encoded, "GIF", [(index * 3, 0, 0) for index in range(40)])

    listed = decode(data, limits, "sheet").source.converted[-1].removeprefix("sheet of frames ").split(",")

    assert (len(listed), listed[0], listed[-1]) == (16, "0", "39")


@pytest.mark.parametrize("frame", [None, 0, "sheet"])
def test_v15_a_still_gif_is_a_still(encoded, quarters, limits, frame):
    decoded = decode(encoded(quarters, "GIF"), limits, frame)

    assert (decoded.source.frames, decoded.source.frame, decoded.notes) == (1, 0, ())
    assert decoded.image.size == (48, 32)


def test_reaching_a_far_frame_has_a_price_limit(encoded):
    limits = IntakeLimits(max_decoded_pixels=40 * 20 * 2)

    assert decode(animation(encoded, "GIF"), limits, 1).source.frame == 1
    assert code_of(animation(encoded, "GIF"), limits, frame=2) == "ANIMATION_TOO_LONG"


# --- refusals -------------------------------------------------------------------------------------------------------


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


def test_a_jpeg_with_a_second_picture_inside_is_one_photo(encoded, quarters, limits):
    data = encoded(quarters, "MPO", save_all=True, append_images=[Image.new("RGB", (8, 8))])

    decoded = decode(data, limits)

    assert (decoded.source.media_type, decoded.source.frames, decoded.image.size) == ("image/jpeg", 1, (48, 32))
    assert len(decoded.notes) == 1


def test_metadata_is_noticed_and_never_kept_with_the_pixels(encoded, quarters, limits):
    plain = decode(encoded(quarters, "JPEG"), limits)
    marked = decode(encoded(quarters, "JPEG", comment=b"home address", icc_profile=b"x" * 200), limits)

    assert (plain.metadata, marked.metadata) == (False, True)
    assert marked.image.info == {}


def test_pillow_keeps_its_global_settings(encoded, quarters, limits):
    from PIL import ImageFile

    before = (Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES)
    decode(encoded(quarters), limits)

    assert before == (Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES)
