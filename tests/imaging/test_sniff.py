"""Bytes are named by their content."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from PIL import Image

from deepseekeyes.imaging.sniff import sniff

pytestmark = pytest.mark.service


@pytest.mark.parametrize(
    ("form", "media_type"),
    [
        ("PNG", "image/png"),
        ("JPEG", "image/jpeg"),
        ("GIF", "image/gif"),
        ("WEBP", "image/webp"),
        ("BMP", "image/bmp"),
        ("TIFF", "image/tiff"),
        ("AVIF", "image/avif"),
    ],
)
def test_a_picture_tells_its_type_size_and_frames_without_a_decoder(encoded, quarters, form, media_type):
    found = sniff(encoded(quarters, form))

    assert (found.kind, found.media_type) == ("image", media_type)
    assert (found.header.width, found.header.height) == (48, 32)
    assert found.header.frames in (1, None)
    assert found.header.complete is not False


@pytest.mark.parametrize("mode", ["lossless", "lossy"])
def test_webp_size_is_read_from_both_bitstreams(encoded, mode):
    found = sniff(encoded(Image.new("RGB", (301, 17), "teal"), "WEBP", lossless=mode == "lossless"))

    assert (found.header.width, found.header.height) == (301, 17)


@pytest.mark.parametrize(("form", "media_type"), [("PNG", "image/png"), ("GIF", "image/gif"), ("WEBP", "image/webp")])
def test_animation_frames_are_counted_from_the_structure(encoded, form, media_type):
    frames = [Image.new("RGB", (20, 10), colour) for colour in ("red", "green", "blue", "black", "white")]

    found = sniff(encoded(frames[0], form, save_all=True, append_images=frames[1:]))

    assert (found.media_type, found.header.frames) == (media_type, 5)


def test_tiff_pages_are_counted_in_both_byte_orders(encoded):
    pages = [Image.new("I;16B" if big else "I;16", (9, 7)) for big in (True, False)]

    for page in pages:
        data = encoded(page, "TIFF", save_all=True, append_images=[page, page])
        found = sniff(data)
        assert (found.header.width, found.header.height, found.header.frames, found.header.bits) == (9, 7, 3, 16)
    assert {encoded(page, "TIFF")[:2] for page in pages} == {b"II", b"MM"}


@pytest.mark.parametrize(
    ("data", "kind", "media_type"),
    [
        (b"", "empty", "application/octet-stream"),
        (b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "named", "image/heic"),
        (b"\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1heic", "named", "image/heic"),
        (b"\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00mif1avifmiaf", "image", "image/avif"),
        (b"\x00\x00\x00\x18ftypisom\x00\x00\x00\x00isommp42", "named", "video/mp4"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "text", "image/svg+xml"),
        (b'\xef\xbb\xbf  <?xml version="1.0"?>\n<!-- note -->\n<SVG></SVG>', "text", "image/svg+xml"),
        (b'<?xml version="1.0"?><feed/>', "text", "application/xml"),
        (b"<!DOCTYPE html><p>sign in", "text", "text/html"),
        (b"%PDF-1.7\n", "named", "application/pdf"),
        (b"PK\x03\x04....", "named", "application/zip"),
        (b"8BPS\x00\x01", "named", "image/vnd.adobe.photoshop"),
        (b"\x00\x00\x01\x00\x01\x00", "named", "image/x-icon"),
        (b"P6\n# made by hand\n2 2\n255\n" + b"\xff" * 12, "named", "image/x-portable-anymap"),
        (b"P3 1 1 255 9 9 9\n", "named", "image/x-portable-anymap"),
        (b"P7\nWIDTH 2\nHEIGHT 2\n", "named", "image/x-portable-anymap"),
        (b"P4 is the fourth item of the list\n", "text", "text/plain"),
        (b"\x00\x00\x00\x0cJXL \r\n\x87\n", "named", "image/jxl"),
        (b"\x00\x00\x00\x0cjP  \r\n\x87\n", "named", "image/jp2"),
        ("chart.png\n".encode("utf-16"), "utf16", "text/plain;charset=utf-16"),
        ('{"schema": 1}'.encode("utf-16-le"), "utf16", "text/plain;charset=utf-16"),
        ('{"schema": 1}'.encode("utf-16-be"), "utf16", "text/plain;charset=utf-16"),
        (b'{"schema": "x"}', "text", "application/json"),
        (b" [1, 2]", "text", "application/json"),
        (b"BMW is a company, BMP is a format", "text", "text/plain"),
        (b"GIF is a format", "text", "text/plain"),
        ("漢字".encode(), "text", "text/plain"),
        (b"\x00\x01\x02\x03\x04\x05\x06\x07\x08", "unknown", "application/octet-stream"),
        (b"\x80\x81\x82\x83", "unknown", "application/octet-stream"),
    ],
)
def test_everything_else_has_a_name_of_its_own(data, kind, media_type):
    found = sniff(data)

    assert (found.kind, found.media_type) == (kind, media_type)


def test_text_cut_inside_a_character_is_still_text():
    assert sniff(("漢" * 2000).encode()[:4096]).media_type == "text/plain"


def test_a_tiff_whose_pages_point_at_each_other_ends():
    page = b"\x00\x00" + (8).to_bytes(4, "little")

    assert sniff(b"II*\x00" + (8).to_bytes(4, "little") + page).header.frames == 1


def test_intake_modules_load_neither_pillow_nor_httpx():
    code = (
        "import sys; import deepseekeyes.imaging.sniff, deepseekeyes.imaging.settings, deepseekeyes.imaging.inputs, "
        "deepseekeyes.imaging.admit, deepseekeyes.imaging.decode, deepseekeyes.imaging.rendition; "
        "print(sorted({'PIL', 'httpx', 'asyncio', 'numpy'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xd8\xff" + b"\xff" * 8_000_000,
        b"\xff\xd8\xff" + b"\xff\x00" * 4_000_000,
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(17) + b"\0\0\0\0aaaa\0\0\0\0" * 600_000,
        b"GIF89a\1\0\1\0\0\0\0\x21\xff" + b"\1a" * 16_000_000,
        b"GIF89a\1\0\1\0\0\0\0" + b"\x21\xff\0" * 10_000_000,
        b"RIFF\0\0\0\0WEBP" + b"aaaa\0\0\0\0" * 4_000_000,
        b"\0\0\0\x1cftypavif" + bytes(16) + b"\0\0\0\x08free" * 4_000_000,
    ],
    ids=["jpeg fill", "jpeg stuffing", "png chunks", "gif blocks", "gif extensions", "webp chunks", "avif boxes"],
)
def test_a_file_of_nothing_but_tiny_parts_is_not_walked_to_its_end(data):
    """Walking every part of these would take 5 to 15 seconds of processor time."""
    started = time.process_time()

    assert sniff(data).kind == "image"
    assert time.process_time() - started < 4
