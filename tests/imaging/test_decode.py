"""One intake: a full decode into upright pixels, and a true description of the source."""

from __future__ import annotations

import hashlib

import pytest
from PIL import Image, ImageChops

from deepseekeyes.imaging.decode import decode
from deepseekeyes.imaging.pixels import pixel_sha256

FORMATS = ["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "AVIF"]


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
