"""Where a rendition's pixels come from: limits kept, boxes that find their way back."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deepseekeyes.contracts.evidence import Region
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box, contained, to_normalised
from deepseekeyes.imaging.layout import DEFAULT_MIN_SIDE, RenditionSpec, crop_of, lay_out, origins, tile_limit
from deepseekeyes.imaging.settings import IntakeLimits
from deepseekeyes.routing.catalog import Limits


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


@settings(deadline=None)
@given(st.integers(1, 5_000), st.integers(20, 900), st.integers(0, 200))
def test_tile_origins_cover_every_pixel_and_overlap(length, side, overlap):
    starts = origins(length, side, overlap)

    assert starts[0] == 0
    assert starts[-1] + side >= length
    assert all(later <= earlier + side - min(overlap, side // 2) for earlier, later in pairwise(starts))
    assert list(starts) == sorted(set(starts))


SIDES = st.integers(4, 6_000)


REGIONS = st.none() | st.builds(
    lambda x, y, w, h: Region(x=x, y=y, width=max(1e-6, w * (1 - x)), height=max(1e-6, h * (1 - y))),
    st.floats(0, 0.99),
    st.floats(0, 0.99),
    st.floats(0.001, 1),
    st.floats(0.001, 1),
)


SPECS = st.builds(
    lambda **fields: RenditionSpec(**fields),
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


@settings(deadline=None)
@given(
    SIDES, SIDES, st.integers(1, 1_000), st.integers(-100, 1_200), st.integers(0, 40), st.none() | st.integers(1, 99)
)
def test_any_overlap_makes_a_bounded_number_of_tiles_or_is_refused(width, height, side, overlap, most, max_side):
    spec = RenditionSpec(tile_side=side, tile_overlap=overlap, max_tiles=most, max_side=max_side)
    if not 0 <= overlap < side or most < 1:
        with pytest.raises(EyesError) as refused:
            lay_out(width, height, spec)
        assert refused.value.code.name == "RENDITION_IMPOSSIBLE"
        return

    layout = lay_out(width, height, spec)

    columns, rows = (len(origins(length, tile_limit(spec), overlap)) for length in layout.canvas)
    assert columns * rows <= most


def test_the_key_names_every_field():
    key = RenditionSpec(max_side=5).key()

    assert set(key) == set(RenditionSpec._fields)
    assert key["max_side"] == 5
    assert key["formats"] == ["image/png", "image/jpeg", "image/webp"]
    assert IntakeLimits().max_bytes == 64 * 1024 * 1024
