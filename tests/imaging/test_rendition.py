"""Renditions: derived, hashed, within limits; the original stays."""

from __future__ import annotations

import hashlib
from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from deepseekeyes.contracts.evidence import Region, Rendition
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Affine, Box, to_normalised, to_pixels
from deepseekeyes.imaging.decode import decode
from deepseekeyes.imaging.layout import RenditionSpec
from deepseekeyes.imaging.rendition import affine_of, render
from deepseekeyes.routing.catalog import Limits

PLAIN = RenditionSpec()
DARK, LIGHT, MIDDLE = (10, 10, 10), (245, 245, 245), (128, 128, 128)


def opened(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


def noise(width: int, height: int) -> Image.Image:
    return Image.effect_noise((width, height), 90).convert("RGB")


def test_v29_a_picture_the_route_takes_goes_out_byte_for_byte(encoded, quarters, limits):
    for form in ("PNG", "JPEG", "WEBP"):
        data = encoded(quarters, form)
        rendered = render(decode(data, limits), PLAIN)

        assert rendered.pictures[0].data is data
        assert rendered.rendition == Rendition(
            sha256=hashlib.sha256(data).hexdigest(),
            media_type=f"image/{form.lower()}",
            bytes=len(data),
            width=48,
            height=32,
        )
        assert rendered.affine == Affine()


@pytest.mark.parametrize(
    ("form", "options", "spec"),
    [
        ("BMP", {}, PLAIN),
        ("GIF", {}, PLAIN),
        ("TIFF", {}, PLAIN),
        ("PNG", {}, RenditionSpec(formats=("image/jpeg",))),
        ("JPEG", {"comment": b"written by someone"}, PLAIN),
    ],
)
def test_what_the_route_cannot_or_should_not_get_is_written_anew(encoded, quarters, limits, form, options, spec):
    decoded = decode(encoded(quarters, form, **options), limits)

    rendered = render(decoded, spec)

    picture = rendered.pictures[0]
    assert picture.media_type in spec.formats
    assert (
        rendered.rendition.sha256 == picture.sha256 == hashlib.sha256(picture.data).hexdigest() != decoded.source.sha256
    )
    assert rendered.rendition.bytes == len(picture.data)
    assert b"written by someone" not in picture.data
    assert opened(picture.data).size == (48, 32)


def test_a_route_that_may_see_metadata_gets_the_original(encoded, quarters, limits):
    decoded = decode(encoded(quarters, "JPEG", comment=b"note"), limits)

    assert render(decoded, RenditionSpec(keep_metadata=True)).rendition.sha256 == decoded.source.sha256


def test_v29_each_route_gets_a_rendition_of_its_own_and_the_original_stays(encoded, limits):
    data = encoded(noise(400, 200))
    decoded = decode(data, limits)

    small, large = render(decoded, RenditionSpec(max_side=100)), render(decoded, RenditionSpec(max_side=300))

    assert (small.rendition.width, small.rendition.height, small.rendition.scale) == (100, 50, (0.25, 0.25))
    assert (large.rendition.width, large.rendition.height, large.rendition.scale) == (300, 150, (0.75, 0.75))
    assert decoded.data == data
    assert decoded.image.size == (400, 200)


def test_v23_an_icon_is_padded_to_the_routes_minimum_and_boxes_come_back(encoded, limits):
    icon = Image.new("RGB", (26, 28), "#102030")
    decoded = decode(encoded(icon), limits)

    rendered = render(decoded, RenditionSpec.for_route(Limits(min_side=56)))

    assert (rendered.rendition.width, rendered.rendition.height) == (56, 56)
    assert (rendered.rendition.scale, rendered.rendition.offset) == ((1, 1), (15, 14))
    assert rendered.rendition.background == "#102030"
    assert rendered.affine.inverse(Box(15, 14, 26, 28)) == Box(0, 0, 26, 28)


def test_limits_that_contradict_each_other_are_refused(encoded, quarters, limits):
    decoded = decode(encoded(quarters), limits)

    for spec in (
        RenditionSpec(min_side=56, max_side=40),
        RenditionSpec(max_pixels=100, min_side=28),
        RenditionSpec(max_bytes=20),
        RenditionSpec(formats=("image/gif",)),
    ):
        with pytest.raises(EyesError) as caught:
            render(decoded, spec)
        assert caught.value.code.name == "RENDITION_IMPOSSIBLE"


def test_a_byte_limit_is_kept_by_jpeg_first_and_by_size_last(encoded, limits):
    decoded = decode(encoded(noise(300, 200)), limits)

    whole = render(decoded, RenditionSpec(max_bytes=100_000))
    shrunk = render(decoded, RenditionSpec(max_bytes=4_000))

    assert (whole.rendition.media_type, whole.rendition.width) == ("image/jpeg", 300)
    assert whole.rendition.bytes <= 100_000
    assert shrunk.rendition.bytes <= 4_000
    assert shrunk.rendition.width < 300


def test_a_crop_is_cut_from_original_pixels_without_loss(encoded, limits):
    picture = noise(200, 100)
    decoded = decode(encoded(picture, "PNG"), limits)

    rendered = render(decoded, RenditionSpec(enlarge_factor=1.0), Region(x=0.25, y=0.5, width=0.25, height=0.25))

    assert rendered.rendition.offset == (-50, -50)
    assert opened(rendered.pictures[0].data).tobytes() == picture.crop((50, 50, 100, 75)).tobytes()


def test_a_small_crop_is_enlarged_to_a_useful_size(encoded, limits):
    decoded = decode(encoded(noise(400, 200), "JPEG"), limits)

    rendered = render(decoded, PLAIN, Region(x=0.5, y=0.5, width=0.25, height=0.25))

    assert (rendered.rendition.width, rendered.rendition.height) == (400, 200)
    assert rendered.rendition.scale == (4.0, 4.0)
    assert rendered.rendition.media_type == "image/png"


def strokes(*inks: tuple[int, int, int], paper: tuple[int, int, int, int] = (0, 0, 0, 0)) -> Image.Image:
    image = Image.new("RGBA", (120, 40), paper)
    draw = ImageDraw.Draw(image)
    for index, ink in enumerate(inks):
        draw.line((10, 8 + index * 12, 110, 8 + index * 12), fill=(*ink, 255), width=4)
    return image


@pytest.mark.parametrize(
    ("inks", "background"),
    [((DARK,), "#ffffff"), ((LIGHT,), "#000000"), ((DARK, LIGHT), "#808080"), ((MIDDLE,), "#ffffff"), ((), "#ffffff")],
)
def test_v17_the_background_keeps_every_stroke_visible(encoded, limits, inks, background):
    rendered = render(decode(encoded(strokes(*inks)), limits), PLAIN)

    assert rendered.rendition.background == background
    flat = opened(rendered.pictures[0].data).convert("L")
    behind = flat.getpixel((2, 2))
    assert all(abs(flat.getpixel((60, 8 + 12 * index)) - behind) >= 60 for index in range(len(inks)))


def test_v19_text_on_a_transparent_page_looks_like_its_opaque_twin(encoded, limits):
    twin = strokes(DARK, DARK, paper=(255, 255, 255, 255)).convert("RGB")

    flat = opened(render(decode(encoded(strokes(DARK, DARK)), limits), PLAIN).pictures[0].data)

    assert flat.tobytes() == twin.tobytes()


def test_only_pixels_beside_transparency_choose_the_background(encoded, limits):
    """A dark page with light text and clear corners: what lies inside does not matter."""
    image = Image.new("RGBA", (120, 80), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 0, 119, 79), 20, fill=(*DARK, 255))
    for row in range(10, 70, 4):
        draw.line((20, row, 100, row), fill=(*LIGHT, 255))

    assert render(decode(encoded(image), limits), PLAIN).rendition.background == "#ffffff"


def test_a_route_may_ask_for_its_own_background(encoded, limits):
    rendered = render(decode(encoded(strokes(DARK)), limits), RenditionSpec(background="#00ff00"))

    assert rendered.rendition.background == "#00ff00"
    assert opened(rendered.pictures[0].data).getpixel((1, 1)) == (0, 255, 0)


def test_tiles_cover_the_picture_without_shrinking_it(encoded, limits):
    picture = noise(500, 300)
    decoded = decode(encoded(picture), limits)

    rendered = render(decoded, RenditionSpec(tile_side=200, tile_overlap=20, max_side=200))

    assert (rendered.rendition.width, rendered.rendition.height, rendered.affine) == (500, 300, Affine())
    assert len(rendered.pictures) == len(rendered.rendition.tiles) == 6
    rebuilt = Image.new("RGB", picture.size)
    for piece, tile in zip(rendered.pictures, rendered.rendition.tiles, strict=True):
        assert (piece.sha256, piece.x, piece.y) == (tile.sha256, tile.x, tile.y)
        assert max(piece.width, piece.height) <= 200
        rebuilt.paste(opened(piece.data), (piece.x, piece.y))
    assert rebuilt.tobytes() == picture.tobytes()


def test_too_many_tiles_shrink_the_picture(encoded, limits):
    rendered = render(decode(encoded(noise(900, 900)), limits), RenditionSpec(tile_side=200, max_tiles=4))

    assert len(rendered.pictures) <= 4
    assert rendered.rendition.width < 900


def test_a_picture_smaller_than_a_tile_is_one_picture(encoded, quarters, limits):
    rendered = render(decode(encoded(quarters), limits), RenditionSpec(tile_side=200))

    assert rendered.rendition.tiles == ()
    assert len(rendered.pictures) == 1


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize(
    ("spec", "region"),
    [
        (PLAIN, None),
        (RenditionSpec(max_side=160), None),
        (RenditionSpec(min_side=500, multiple_of=28), None),
        (PLAIN, Region(x=0.5, y=0.25, width=0.4, height=0.6)),
    ],
)
def test_a_mark_found_in_the_rendition_maps_to_where_it_is_in_the_upright_source(
    encoded, limits, orientation, spec, region
):
    upright = Image.new("RGB", (320, 200), "white")
    mark = Box(208, 80, 64, 40)
    upright.paste("black", (208, 80, 272, 120))
    stored = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    exif = Image.Exif()
    exif[0x0112] = orientation
    turned = upright.transpose(stored[orientation]) if orientation > 1 else upright
    decoded = decode(encoded(turned, "PNG", exif=exif), limits)

    rendered = render(decoded, spec, region)
    seen = opened(rendered.pictures[0].data).convert("L").point(lambda value: 255 if value < 128 else 0).getbbox()
    found = rendered.affine.inverse(Box(seen[0], seen[1], seen[2] - seen[0], seen[3] - seen[1]))

    assert found.iou(mark) > 0.93
    assert affine_of(rendered.rendition) == rendered.affine
    normalised = to_normalised(found, decoded.source.width, decoded.source.height)
    assert to_pixels(normalised, 320, 200) == pytest.approx(found)


def test_stored_png_reads_back_exactly(encoded, limits):
    picture = noise(333, 211)

    rendered = render(decode(encoded(picture, "BMP"), limits), RenditionSpec(stored=True))

    back = opened(rendered.pictures[0].data)
    assert (back.format, back.mode, back.tobytes()) == ("PNG", "RGB", picture.tobytes())
