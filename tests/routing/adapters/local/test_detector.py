"""Boxes as rapidocr finds them, and strips that lose nothing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.routing.adapters.local.detector import Detector, boxes, plan
from deepseekeyes.routing.local_settings import LocalEyeSettings

pytestmark = pytest.mark.service

SIDES = st.integers(min_value=1, max_value=20_000)


@given(width=SIDES, height=SIDES)
def test_strips_cover_the_scaled_picture_and_stay_within_bounds(width, height):
    how = plan(width, height, max_pixels=6_000_000, strip_pixels=1_100_000)

    wide, high = max(1, round(width * how.scale)), max(1, round(height * how.scale))
    assert wide * high <= 6_100_000
    assert how.scale <= 2
    assert all(x >= 0 and y >= 0 and x + w <= wide and y + h <= high for x, y, w, h in how.strips)
    assert (how.strips[0][:2], how.strips[-1][0] + how.strips[-1][2], how.strips[-1][1] + how.strips[-1][3]) == (
        (0, 0),
        wide,
        high,
    )
    for first, second in zip(how.strips, how.strips[1:], strict=False):
        assert second[0] < first[0] + first[2]
        assert second[1] < first[1] + first[3]


def test_a_screen_is_searched_in_one_piece_at_its_own_size():
    assert plan(1280, 800, max_pixels=6_000_000, strip_pixels=1_100_000).strips == ((0, 0, 1280, 800),)


def test_boxes_are_those_of_rapidocr():
    from rapidocr.ch_ppocr_det.utils import DBPostProcess

    likelihood = np.zeros((320, 480), np.float32)
    cv2.rectangle(likelihood, (30, 30), (210, 44), 0.9, -1)
    cv2.rectangle(likelihood, (260, 100), (274, 260), 0.8, -1)
    cv2.fillPoly(likelihood, [np.array([[60, 200], [200, 160], [204, 174], [64, 214]])], 0.95)
    cv2.rectangle(likelihood, (400, 20), (401, 21), 0.9, -1)
    cv2.rectangle(likelihood, (300, 290), (420, 302), 0.35, -1)

    theirs, _ = DBPostProcess(0.3, 0.5, 1000, 1.6, "fast", True)(likelihood[None, None], (320, 480))
    ours = [np.clip(np.round(quad), 0, (479, 319)) for quad in boxes(likelihood, 1000)[0]]

    assert len(ours) == len(theirs) == 3
    ours.sort(key=lambda quad: quad.tolist())
    for mine, other in zip(ours, sorted(theirs, key=lambda quad: quad.tolist()), strict=True):
        assert np.abs(mine - other).max() <= 2


class Painted:
    """A network that takes dark pixels for text."""

    def get_inputs(self):
        return [type("Input", (), {"name": "x"})]

    def run(self, _, feed, __):
        (pixels,) = feed.values()
        return [(pixels.mean(axis=1, keepdims=True) < 0).astype(np.float32)]


@pytest.mark.parametrize(("width", "height"), [(1200, 3000), (3000, 300)])
def test_text_on_a_seam_is_found_once(width, height):
    pixels = np.full((height, width, 3), 255, np.uint8)
    marks = [(x, y) for y in range(40, height - 60, 50) for x in (60, width - 260)]
    for x, y in marks:
        pixels[y : y + 16, x : x + 180] = 0
    whole = LocalEyeSettings(max_pixels=6_000_000, strip_pixels=6_000_000)
    strips = LocalEyeSettings(max_pixels=6_000_000, strip_pixels=400_000)

    def found(bounds):
        return sorted(quad.astype(int).tolist() for quad in Detector(Painted()).find(pixels, bounds).quads)

    assert len(found(whole)) == len(marks)
    assert found(strips) == found(whole)


def test_a_line_longer_than_a_strip_stays_one_line():
    pixels = np.full((300, 6000, 3), 255, np.uint8)
    pixels[140:160, 50:5900] = 0

    found = Detector(Painted()).find(pixels, LocalEyeSettings(strip_pixels=400_000)).quads

    assert len(found) == 1
    assert found[0][:, 0].min() <= 50
    assert found[0][:, 0].max() >= 5900


def test_of_more_places_than_the_limit_the_largest_are_looked_at_and_the_others_counted():
    pixels = np.full((700, 900, 3), 255, np.uint8)
    for row, width in enumerate((100, 300, 200, 150)):
        pixels[40 + 60 * row : 60 + 60 * row, 50 : 50 + width] = 0

    searched = Detector(Painted()).find(pixels, LocalEyeSettings(max_lines=2))

    assert searched.skipped == 2
    assert sorted(int(quad[0, 1]) // 60 for quad in searched.quads) == [1, 2]
