"""Animated and paged files: one frame, a chosen one, or all on a sheet."""

from __future__ import annotations

import pytest
from PIL import Image

from deepseekeyes.core.errors import EyesError
from deepseekeyes.imaging.decode import SHEET, decode
from deepseekeyes.imaging.settings import IntakeLimits


def code_of(data: bytes, limits: IntakeLimits, **options) -> str:
    with pytest.raises(EyesError) as caught:
        decode(data, limits, **options)
    assert caught.value.kind == "input"
    assert caught.value.hint
    assert "{" not in caught.value.hint
    return caught.value.code.name


def close(pixel: object, wanted: tuple[int, int, int], tolerance: int = 40) -> bool:
    return all(abs(a - b) <= tolerance for a, b in zip(pixel, wanted, strict=True))  # type: ignore[call-overload]


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


def test_a_jpeg_with_a_second_picture_inside_is_one_photo(encoded, quarters, limits):
    data = encoded(quarters, "MPO", save_all=True, append_images=[Image.new("RGB", (8, 8))])

    decoded = decode(data, limits)

    assert (decoded.source.media_type, decoded.source.frames, decoded.image.size) == ("image/jpeg", 1, (48, 32))
    assert len(decoded.notes) == 1
