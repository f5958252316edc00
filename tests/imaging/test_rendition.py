"""Renditions: derived, hashed, within limits, and every box finds its way back."""

from __future__ import annotations

import hashlib
from io import BytesIO
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from deepseekeyes.contracts.evidence import Region, Rendition
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Affine, Box, contained, to_normalised, to_pixels
from deepseekeyes.imaging.decode import decode
from deepseekeyes.imaging.layout import DEFAULT_MIN_SIDE, RenditionSpec, crop_of, lay_out, origins
from deepseekeyes.imaging.rendition import affine_of, render, reproduces
from deepseekeyes.imaging.settings import IntakeLimits
from deepseekeyes.routing.catalog import Limits

PLAIN = RenditionSpec()


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


def test_v23_a_route_without_a_declared_minimum_still_gets_one_patch():
    spec = RenditionSpec.for_route(Limits())

    assert spec.min_side == DEFAULT_MIN_SIDE
    assert lay_out(26, 28, spec).canvas == (28, 28)


@pytest.mark.parametrize("size", [(31, 639), (639, 31), (4, 30_000), (5, 5)])
@pytest.mark.parametrize("max_pixels", [28 * 28, 1_000, 20_000])
def test_v25_no_side_falls_below_the_minimum_whatever_the_budget(size, max_pixels):
    layout = lay_out(*size, RenditionSpec(min_side=28, max_pixels=max_pixels))

    assert min(layout.canvas) >= 28
    assert layout.canvas[0] * layout.canvas[1] <= max_pixels
    assert min(layout.content) >= 1


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


def test_enlarging_stops_at_the_routes_limits():
    layout = lay_out(400, 200, RenditionSpec(max_side=150), Region(x=0.5, y=0.5, width=0.25, height=0.25))

    assert layout.content == (150, 75)


@pytest.mark.parametrize(
    ("region", "crop"),
    [
        (None, (0, 0, 10, 10)),
        (Region(x=0, y=0, width=1, height=1), (0, 0, 10, 10)),
        (Region(x=0.1, y=0.2, width=0.3, height=0.3), (1, 2, 4, 5)),
        (Region(x=0.15, y=0.15, width=0.1, height=0.1), (1, 1, 3, 3)),
        (Region(x=1, y=1, width=1e-7, height=1e-7), (9, 9, 10, 10)),
        (Region(x=0.5, y=0.5, width=1e-9, height=1e-9), (5, 5, 6, 6)),
    ],
)
def test_a_region_takes_the_whole_pixels_it_touches(region, crop):
    assert crop_of(region, 10, 10) == crop


def test_a_region_beyond_the_picture_is_refused():
    with pytest.raises(EyesError) as caught:
        crop_of(Region(x=0.6, y=0, width=0.5, height=1), 100, 100)

    assert caught.value.code.name == "REGION_INVALID"


# --- transparency ---------------------------------------------------------------------------------------------------


def strokes(*inks: tuple[int, int, int], paper: tuple[int, int, int, int] = (0, 0, 0, 0)) -> Image.Image:
    image = Image.new("RGBA", (120, 40), paper)
    draw = ImageDraw.Draw(image)
    for index, ink in enumerate(inks):
        draw.line((10, 8 + index * 12, 110, 8 + index * 12), fill=(*ink, 255), width=4)
    return image


DARK, LIGHT, MIDDLE = (10, 10, 10), (245, 245, 245), (128, 128, 128)


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


# --- tiles ----------------------------------------------------------------------------------------------------------


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


@settings(deadline=None)
@given(st.integers(1, 5_000), st.integers(20, 900), st.integers(0, 200))
def test_tile_origins_cover_every_pixel_and_overlap(length, side, overlap):
    starts = origins(length, side, overlap)

    assert starts[0] == 0
    assert starts[-1] + side >= length
    assert all(later <= earlier + side - min(overlap, side // 2) for earlier, later in pairwise(starts))
    assert list(starts) == sorted(set(starts))


# --- the law: boxes round-trip --------------------------------------------------------------------------------------

SIDES = st.integers(4, 6_000)
REGIONS = st.none() | st.builds(
    lambda x, y, w, h: Region(x=x, y=y, width=max(1e-6, w * (1 - x)), height=max(1e-6, h * (1 - y))),
    st.floats(0, 0.99),
    st.floats(0, 0.99),
    st.floats(0.001, 1),
    st.floats(0.001, 1),
)
SPECS = st.builds(
    RenditionSpec,
    max_side=st.none() | st.integers(96, 3_000),
    max_pixels=st.none() | st.integers(96 * 96, 3_000_000),
    min_side=st.integers(1, 64),
    multiple_of=st.sampled_from([1, 2, 14, 28]),
    tile_side=st.none() | st.integers(96, 1_000),
)


@settings(deadline=None)
@given(SIDES, SIDES, SPECS, REGIONS, st.tuples(*[st.floats(0, 1)] * 4))
def test_boxes_round_trip_through_every_layout(width, height, spec, region, corners):
    layout = lay_out(width, height, spec, region)
    affine, (left, top, right, bottom) = layout.affine, layout.crop
    x, y = left + corners[0] * (right - left), top + corners[1] * (bottom - top)
    box = Box(x, y, (right - x) * corners[2] or 1e-3, (bottom - y) * corners[3] or 1e-3)

    sent = affine.forward(box)
    back = affine.inverse(sent)

    assert back == pytest.approx(box, abs=1e-6, rel=1e-9)
    assert sent.x >= layout.place[0] - 1e-6
    assert sent.right <= layout.place[0] + layout.content[0] + 1e-2 * layout.affine.scale_x + 1e-6
    assert sent.bottom <= layout.place[1] + layout.content[1] + 1e-2 * layout.affine.scale_y + 1e-6
    whole = affine.inverse(Box(*layout.place, *layout.content))
    assert whole == pytest.approx(Box(left, top, right - left, bottom - top), abs=1e-6)
    assert contained(tuple(min(1.0, max(0.0, value)) for value in to_normalised(whole, width, height)))


@settings(deadline=None)
@given(SIDES, SIDES, SPECS, REGIONS)
def test_every_layout_keeps_every_limit(width, height, spec, region):
    layout = lay_out(width, height, spec, region)

    assert all(side >= spec.min_side and side % spec.multiple_of == 0 for side in layout.canvas)
    if spec.tile_side is None:
        assert spec.max_side is None or max(layout.canvas) <= spec.max_side
        assert spec.max_pixels is None or layout.canvas[0] * layout.canvas[1] <= spec.max_pixels


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


# --- re-deriving ----------------------------------------------------------------------------------------------------

WAYS = [
    (PLAIN, None),
    (RenditionSpec(max_side=90), None),
    (RenditionSpec(min_side=300, multiple_of=28), None),
    (RenditionSpec(stored=True), Region(x=0.1, y=0.2, width=0.3, height=0.4)),
    (RenditionSpec(tile_side=64, tile_overlap=8), None),
    (RenditionSpec(max_bytes=6_000), None),
    (RenditionSpec(formats=("image/webp",), max_side=100), None),
    (RenditionSpec(max_side=70), Region(x=0, y=0, width=0.5, height=1)),
]


@pytest.mark.parametrize(("spec", "region"), WAYS)
@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF"])
def test_a_rendition_is_derived_again_from_its_record_alone(encoded, limits, spec, region, form):
    decoded = decode(encoded(noise(150, 110), form), limits)
    rendered = render(decoded, spec, region)
    recorded = Rendition.model_validate_json(rendered.rendition.model_dump_json())

    assert render(decoded, spec, region).rendition == rendered.rendition
    assert reproduces(decoded, recorded, region)


def test_a_transparent_picture_is_derived_again_with_its_recorded_background(encoded, limits):
    decoded = decode(encoded(strokes(LIGHT)), limits)
    rendered = render(decoded, RenditionSpec(background="#123456"))

    assert reproduces(decoded, rendered.rendition)
    assert not reproduces(decoded, rendered.rendition.model_copy(update={"background": "#123457"}))


@pytest.mark.parametrize(
    "change",
    [
        {"sha256": "0" * 64},
        {"width": 51},
        {"width": 10**9, "height": 10**9},
        {"scale": (1e9, 1.0)},
        {"scale": (0.0, 0.0)},
        {"offset": (1e9, 0.0)},
        {"background": "no colour"},
        {"media_type": "image/jpeg"},
    ],
)
def test_a_record_that_was_tampered_with_is_not_reproduced(encoded, limits, change):
    decoded = decode(encoded(noise(100, 60)), limits)
    rendered = render(decoded, RenditionSpec(max_side=50))

    assert not reproduces(decoded, rendered.rendition.model_copy(update=change))


def test_an_untouched_original_is_reproduced_only_with_its_true_size(encoded, quarters, limits):
    decoded = decode(encoded(quarters), limits)
    rendition = render(decoded, PLAIN).rendition

    assert reproduces(decoded, rendition)
    assert not reproduces(decoded, rendition.model_copy(update={"width": 47}))
    assert not reproduces(decoded, rendition.model_copy(update={"scale": (2.0, 2.0)}))


def test_stored_png_reads_back_exactly(encoded, limits):
    picture = noise(333, 211)

    rendered = render(decode(encoded(picture, "BMP"), limits), RenditionSpec(stored=True))

    back = opened(rendered.pictures[0].data)
    assert (back.format, back.mode, back.tobytes()) == ("PNG", "RGB", picture.tobytes())


def test_the_key_names_every_field():
    key = RenditionSpec(max_side=5).key()

    assert set(key) == set(RenditionSpec.__dataclass_fields__)
    assert key["max_side"] == 5
    assert key["formats"] == ["image/png", "image/jpeg", "image/webp"]
    assert IntakeLimits().max_bytes == 64 * 1024 * 1024
