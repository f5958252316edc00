"""Boxes and the map between a source and its rendition."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.core.geometry import Affine, Box, contained, rounded, to_normalised, to_pixels

NUMBERS = st.floats(-1e4, 1e4)
BOXES = st.builds(Box, NUMBERS, NUMBERS, st.floats(0.1, 1e4), st.floats(0.1, 1e4))
MAPS = st.builds(Affine, st.floats(0.01, 100), st.floats(0.01, 100), NUMBERS, NUMBERS)


@given(BOXES, MAPS)
def test_a_box_comes_back_from_the_rendition(box: Box, affine: Affine) -> None:
    for found, wanted in zip(affine.inverse(affine.forward(box)), box, strict=True):
        assert math.isclose(found, wanted, rel_tol=1e-6, abs_tol=1e-4)


@given(BOXES, st.integers(1, 20_000), st.integers(1, 20_000))
def test_normalising_round_trips(box: Box, width: int, height: int) -> None:
    for found, wanted in zip(to_pixels(to_normalised(box, width, height), width, height), box, strict=True):
        assert math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-9)


def test_one_map_covers_scaling_cropping_and_padding() -> None:
    assert Affine(2, 3, -10, 5).forward(Box(10, 20, 4, 6)) == Box(10, 65, 8, 18)
    assert Affine().forward(Box(1, 2, 3, 4)) == Box(1, 2, 3, 4)
    assert Affine(2, 3, -10, 5).inverse(Box(10, 65, 8, 18)) == Box(10, 20, 4, 6)


@pytest.mark.parametrize(
    ("box", "legal"),
    [
        ((0, 0, 1, 1), True),
        ((0.5, 0.5, 0.5, 0.5), True),
        ((0.5, 0.5, 0.5 + 1e-7, 0.5), True),
        ((0.5, 0.5, 0.51, 0.5), False),
        ((0.5, 0.5, 0.5, 0.51), False),
        ((-0.01, 0, 0.5, 0.5), False),
        ((0, -0.01, 0.5, 0.5), False),
        ((0, 0, 0, 0.5), False),
        ((0, 0, 0.5, 0), False),
        ((1, 0, 1e-7, 0.5), True),
        ((1.1, 0, 0.1, 0.5), False),
        ((0, 0, 1.1, 1), False),
        ((math.nan, 0, 0.5, 0.5), False),
        ((0, 0, math.inf, 0.5), False),
    ],
)
def test_a_legal_box_lies_inside_and_has_a_size(box: tuple[float, ...], legal: bool) -> None:
    assert contained(box) is legal


@pytest.mark.parametrize(
    ("one", "other", "shared", "iou"),
    [
        (Box(0, 0, 2, 2), Box(1, 1, 2, 2), Box(1, 1, 1, 1), 1 / 7),
        (Box(0, 0, 2, 2), Box(0, 0, 2, 2), Box(0, 0, 2, 2), 1.0),
        (Box(0, 0, 1, 1), Box(1, 0, 1, 1), None, 0.0),
        (Box(0, 0, 1, 1), Box(5, 5, 1, 1), None, 0.0),
    ],
)
def test_overlap_of_two_boxes(one: Box, other: Box, shared: Box | None, iou: float) -> None:
    assert one.intersection(other) == shared
    assert one.iou(other) == pytest.approx(iou)


@given(BOXES, BOXES)
def test_overlap_is_symmetric_and_bounded(one: Box, other: Box) -> None:
    assert one.intersection(other) == other.intersection(one)
    assert math.isclose(one.iou(other), other.iou(one), abs_tol=1e-12)
    assert 0 <= one.iou(other) <= 1 + 1e-6


def test_rounding_has_nine_digits_and_no_negative_zero() -> None:
    assert rounded(1 / 3) == 0.333333333
    assert math.copysign(1, rounded(-1e-12)) == 1
    assert rounded(2.5, 0) == 2
