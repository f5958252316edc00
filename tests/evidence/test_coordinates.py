"""Boxes of an answer as boxes of the picture."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from laws import examples

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Affine, Box, contained, to_normalised, to_pixels
from deepseekeyes.evidence.coordinates import Sent, normalise, replay


def read(*boxes, size=(1000, 1000), declared=None, forms=None, sent=None):
    """Boxes of OCR entries, read together."""
    document = {"ocr": [{"text": "t", "bbox": box} for box in boxes]}
    where = sent or (Sent() if size is None else Sent(*size))
    hints = {f"/ocr/{index}/bbox": form for index, form in (forms or {}).items()}
    return normalise(document, "base", sent=where, declared=declared, forms=hints)


def values(found):
    return list(found.boxes.values())


def facts(found):
    return found.coordinates.convention, found.coordinates.declared, found.coordinates.ambiguous


# Golden vectors


@pytest.mark.parametrize(
    ("size", "declared", "boxes", "wanted", "convention", "ambiguous"),
    [
        ((1720, 1440), "0-1000", [[100, 200, 600, 260]], [[0.1, 0.2, 0.5, 0.06]], "0-1000-xyxy", False),
        ((1720, 1440), None, [[172, 144, 344, 72]], [[0.1, 0.1, 0.2, 0.05]], "pixel-xywh", False),
        ((500, 500), None, [[0.8, 0.2, 0.95, 0.4]], [[0.8, 0.2, 0.15, 0.2]], "normalized-xyxy", False),
        ((1000, 1000), None, [[800, 700, 900, 900]], [[0.8, 0.7, 0.1, 0.2]], "pixel-xyxy", False),
        ((1000, 500), None, [[100, 100, 200, 200]], [[0.1, 0.2, 0.2, 0.4]], "pixel-xywh", True),
        (
            (1000, 500),
            None,
            [[100, 100, 200, 200], [800, 400, 900, 450]],
            [[0.1, 0.2, 0.1, 0.2], [0.8, 0.8, 0.1, 0.1]],
            "pixel-xyxy",
            True,
        ),
        ((500, 500), None, [[0.1, 0.2, 0.5, 0.6]], [[0.1, 0.2, 0.5, 0.6]], "normalized", False),
    ],
)
def test_golden_vectors(size, declared, boxes, wanted, convention, ambiguous):
    found = read(*boxes, size=size, declared=declared)
    assert values(found) == wanted
    assert facts(found) == (convention, declared is not None, ambiguous)
    assert found.refusal is None


def test_j17_an_impossible_corner_pair_is_a_format_error_that_names_the_likely_cause():
    found = read([500, 300, 100, 100], size=(1000, 500), declared="0-1000")
    assert found.boxes == {}
    assert found.refusal == (
        "/ocr/0/bbox",
        "[500, 300, 100, 100] read as corners ends before it begins; it looks like [x, y, width, height]",
    )


@pytest.mark.parametrize("declared", ["0-1000", "0-999", "yxyx-1000"])
def test_impossible_corner_pairs_are_refused_on_every_grid(declared):
    assert "ends before it begins" in read([500, 300, 100, 400], declared=declared).refusal.reason
    assert "ends before it begins" in read([500, 300, 600, 200], declared=declared).refusal.reason


def test_a_lone_slip_among_many_corners_is_dropped_instead():
    good = [[index * 10, 10, index * 10 + 50, 60] for index in range(1, 11)]
    found = read(*good, [500, 300, 100, 100], declared="0-1000")
    assert found.refusal is None
    assert len(found.boxes) == 10
    assert list(found.illegal) == ["/ocr/10/bbox"]
    assert "looks like [x, y, width, height]" in found.illegal["/ocr/10/bbox"]


# One answer, one convention


@pytest.mark.parametrize(
    "boxes",
    [
        [[0.1, 0.2, 0.3, 0.4], [100, 200, 50, 60]],
        [[0.1, 0.2, 0.3, 0.4]] * 20 + [[100, 200, 50, 60]],
        [[100, 200, 50, 60]] * 20 + [[0.1, 0.2, 0.3, 0.4]],
    ],
)
@pytest.mark.parametrize("declared", [None, "0-1000", "pixel", "normalized"])
def test_j15_fractions_beside_large_numbers_are_a_failure_not_a_guess(boxes, declared):
    found = read(*boxes, declared=declared)
    assert found.boxes == {}
    assert "one answer has one convention" in found.refusal.reason


@pytest.mark.parametrize(("declared", "declaration_used"), [("0-1000", False), ("0-999", False), ("pixel", False)])
def test_j15_an_answer_wholly_in_fractions_is_read_so_whatever_was_declared(declared, declaration_used):
    found = read([0.1, 0.2, 0.3, 0.4], [0.5, 0.5, 0.2, 0.1], declared=declared)
    assert values(found) == [[0.1, 0.2, 0.3, 0.4], [0.5, 0.5, 0.2, 0.1]]
    assert facts(found) == ("normalized", declaration_used, False)


def test_sizes_beside_corners_are_a_failure():
    pixels = read([800, 700, 900, 900], [800, 700, 100, 100])
    fractions = read([0.8, 0.2, 0.95, 0.4], [0.8, 0.7, 0.1, 0.2])
    assert "one answer has one convention" in pixels.refusal.reason
    assert "one answer has one convention" in fractions.refusal.reason


def test_all_boxes_follow_the_form_that_only_one_of_them_shows():
    found = read([0.1, 0.1, 0.2, 0.3], [0.8, 0.2, 0.95, 0.4])
    assert values(found) == [[0.1, 0.1, 0.1, 0.2], [0.8, 0.2, 0.15, 0.2]]
    assert facts(found) == ("normalized-xyxy", False, False)


def test_one_overlarge_box_does_not_turn_sizes_into_corners():
    found = read([0.5, 0.5, 0.2, 0.2], [0.6, 0.1, 0.1, 0.1], [0.1, 0.1, 0.95, 0.5])
    assert facts(found) == ("normalized", False, False)
    assert list(found.illegal) == ["/ocr/2/bbox"]


# Declared conventions


@pytest.mark.parametrize(
    ("declared", "box", "wanted"),
    [
        ("normalized", [0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4]),
        ("pixel", [40, 60, 200, 30], [0.1, 0.2, 0.5, 0.1]),
        ("pixel", [360, 60, 400, 90], [0.9, 0.2, 0.1, 0.1]),
        ("0-1000", [100, 200, 600, 260], [0.1, 0.2, 0.5, 0.06]),
        ("0-1000", [0, 0, 1000, 1000], [0, 0, 1, 1]),
        ("0-999", [0, 0, 999, 999], [0, 0, 1, 1]),
        ("0-999", [111, 222, 333, 444], [0.111111111, 0.222222222, 0.222222222, 0.222222222]),
        ("yxyx-1000", [200, 100, 260, 600], [0.1, 0.2, 0.5, 0.06]),
    ],
)
def test_a_declared_convention_binds(declared, box, wanted):
    found = read(box, size=(400, 300), declared=declared)
    assert values(found) == [wanted]
    assert found.coordinates.declared
    assert found.coordinates.convention.startswith(declared)


def test_j13_the_divisor_of_the_999_grid_is_999():
    assert values(read([0, 0, 999, 500], declared="0-999")) == [[0, 0, 1, 0.500500501]]
    assert values(read([0, 0, 999, 500], declared="0-1000")) == [[0, 0, 0.999, 0.5]]


def test_declared_fractions_that_are_none_name_the_likely_cause():
    found = read([100, 200, 300, 400], declared="normalized")
    assert "look like pixels or a 0-1000 grid" in found.refusal.reason


def test_declared_fractions_are_sizes_and_corners_are_told():
    found = read([0.8, 0.2, 0.95, 0.4], declared="normalized")
    assert found.boxes == {}
    assert "looks like corners" in found.illegal["/ocr/0/bbox"]


def test_grid_answers_need_no_picture_size():
    assert values(read([0, 0, 500, 500], size=None, declared="0-1000")) == [[0, 0, 0.5, 0.5]]
    assert values(read([0, 0, 0.5, 0.5], size=None)) == [[0, 0, 0.5, 0.5]]


@pytest.mark.parametrize("declared", ["pixel", None])
def test_pixel_answers_without_a_picture_size_are_an_input_error(declared):
    with pytest.raises(EyesError) as caught:
        read([0, 0, 500, 500], size=None, declared=declared)
    assert (caught.value.code.name, caught.value.exit_code) == ("PICTURE_SIZE_NEEDED", 3)


@pytest.mark.parametrize("word", ["qwen", "0..1000", "Pixel", "", "normalised"])
def test_an_unknown_convention_is_an_input_error(word):
    with pytest.raises(EyesError) as caught:
        read([0, 0, 1, 1], declared=word)
    assert caught.value.code.name == "UNKNOWN_CONVENTION"
    assert caught.value.details["candidates"] == ["normalized", "pixel", "0-1000", "0-999", "yxyx-1000"]


@pytest.mark.parametrize("declared", [None, "normalized", "pixel", "0-1000"])
def test_an_answer_without_boxes_keeps_what_was_declared(declared):
    found = read(declared=declared)
    assert facts(found) == (declared or "normalized", declared is not None, False)


# Inference


def test_a_spelled_form_decides_its_box_and_speaks_when_no_other_does():
    alone = read([0.1, 0.2, 0.3, 0.5], forms={0: "xyxy"})
    assert values(alone) == [[0.1, 0.2, 0.2, 0.3]]
    both = read([0.1, 0.2, 0.3, 0.5], [0.1, 0.2, 0.3, 0.5], forms={0: "xyxy"})
    assert values(both) == [[0.1, 0.2, 0.2, 0.3]] * 2
    sized = read([0.1, 0.2, 0.3, 0.5], [0.6, 0.2, 0.3, 0.5], forms={0: "xyxy"})
    assert values(sized) == [[0.1, 0.2, 0.2, 0.3], [0.6, 0.2, 0.3, 0.5]]


def test_an_undeclared_grid_that_does_not_fit_the_picture_is_refused_and_named():
    found = read([100, 100, 200, 200], [700, 800, 900, 950], size=(400, 300))
    assert 'coordinates = "0-1000"' in found.refusal.reason
    assert found.coordinates.ambiguous


def test_an_undeclared_grid_that_fits_a_large_picture_is_flagged():
    found = read([100, 200, 600, 260], [900, 900, 990, 990], size=(1720, 1440))
    assert facts(found)[2] is True
    beyond = read([100, 200, 600, 260], [900, 900, 1700, 1400], size=(1720, 1440))
    assert facts(beyond) == ("pixel-xyxy", False, False)


def test_large_numbers_that_fit_nothing_are_dropped():
    found = read([5000, 5000, 10, 10], size=(400, 300))
    assert found.boxes == {}
    assert list(found.illegal) == ["/ocr/0/bbox"]


@pytest.mark.parametrize("box", [[0.9, 0.9, 0.5, 0.5], [0, 0, 1.5, 1], [0.5, 0.5, 1.9, 0.1], [1, 1, 1, 1]])
def test_an_overflowing_fraction_never_becomes_a_pixel_box(box):
    for declared in (None, "normalized"):
        found = read(box, size=(500, 500), declared=declared)
        assert found.boxes == {}
        assert list(found.illegal) == ["/ocr/0/bbox"]
        assert found.refusal is None


# What has no legal form


@pytest.mark.parametrize(
    ("declared", "box"),
    [
        ("pixel", [1, 1, 0, 5]),
        ("0-1000", [100, 100, 100, 300]),
        ("normalized", [0.1, 0.1, 0, 0.2]),
        ("normalized", [0.1, 0.1, -0.1, 0.2]),
        ("normalized", [-0.5, 0.1, 0.2, 0.2]),
        ("normalized", [1.005, 0.1, 0.004, 0.2]),
        ("pixel", [5, 5, 1e-9, 5]),
        (None, [0.1, 0.1, 0.0, 0.2]),
    ],
)
def test_boxes_without_extent_or_outside_are_illegal(declared, box):
    found = read(box, [2, 2, 20, 20], declared=declared) if declared == "pixel" else read(box, declared=declared)
    assert "/ocr/0/bbox" in found.illegal


@pytest.mark.parametrize(
    ("box", "reason"),
    [
        ([0, 0, 1, 0, 1, 1, 0, 1], "8 numbers are a polygon, not a box of four"),
        ([0, 0, 1], "a list of 3 is not a box of four numbers"),
        ([0, 0, None, 1], "not all four members are finite numbers"),
        ([0, 0, True, 1], "not all four members are finite numbers"),
        (None, "it is not a list of four numbers"),
        ("0,0,1,1", "it is not a list of four numbers"),
    ],
)
def test_j21_the_shape_is_decided_by_length_and_a_mismatch_is_told(box, reason):
    assert read(box).illegal == {"/ocr/0/bbox": reason}


def test_entries_without_a_box_are_left_to_validation():
    found = normalise({"ocr": [{"text": "t"}, 3], "regions": "x"}, "base", sent=Sent(10, 10))
    assert (found.boxed, dict(found.illegal), dict(found.boxes)) == (0, {}, {})


# Overshoot


@pytest.mark.parametrize(
    ("declared", "box", "wanted"),
    [
        ("normalized", [0.5, 0.5, 0.505, 0.5], [0.5, 0.5, 0.5, 0.5]),
        ("normalized", [-0.005, 0, 0.5, 1], [0, 0, 0.495, 1]),
        ("normalized", [0, 0, 1.01, 1.01], [0, 0, 1, 1]),
        ("pixel", [200, 100, 203, 201], [0.5, 0.333333333, 0.5, 0.666666667]),
        ("0-1000", [500, 500, 1010, 1005], [0.5, 0.5, 0.5, 0.5]),
    ],
)
def test_an_overshoot_of_one_percent_is_cut_and_noted(declared, box, wanted):
    found = read(box, size=(400, 300), declared=declared)
    assert values(found) == [wanted]
    assert [(note.path, note.action, note.original, note.canonical) for note in found.clamped] == [
        ("/ocr/0/bbox", "clamped-box", box, wanted)
    ]


@pytest.mark.parametrize(
    ("declared", "box"),
    [("normalized", [0.5, 0.5, 0.511, 0.5]), ("pixel", [200, 100, 206, 100]), ("0-1000", [0, 0, 1011, 500])],
)
def test_a_larger_overshoot_is_illegal(declared, box):
    found = read(box, size=(400, 300), declared=declared)
    assert list(found.illegal) == ["/ocr/0/bbox"]
    assert found.clamped == ()


# Renditions


def test_j11_pixels_count_in_the_picture_that_was_sent():
    sent = Sent(640, 400, Affine(0.25, 0.25), (2560, 1600))
    assert values(read([64, 40, 320, 40], sent=sent, declared="pixel")) == [[0.1, 0.1, 0.5, 0.1]]


def test_a_crop_maps_back_by_its_offset():
    sent = Sent(400, 200, Affine(2, 2, -200, -100), (1000, 500))
    assert values(read([0.5, 0.5, 0.5, 0.5], sent=sent)) == [[0.2, 0.2, 0.1, 0.1]]
    assert values(read([200, 100, 200, 100], sent=sent, declared="pixel")) == [[0.2, 0.2, 0.1, 0.1]]
    assert values(read([500, 500, 1000, 1000], sent=sent, declared="0-1000")) == [[0.2, 0.2, 0.1, 0.1]]


def test_padding_is_cut_away_and_what_lies_wholly_in_it_is_illegal():
    sent = Sent(100, 100, Affine(1, 1, 0, 25), (100, 50))
    found = read([0, 0, 1, 1], [0.2, 0.25, 0.2, 0.5], [0.1, 0.8, 0.2, 0.1], sent=sent)
    assert values(found) == [[0, 0, 1, 1], [0.2, 0, 0.2, 1]]
    assert [note.path for note in found.clamped] == ["/ocr/0/bbox"]
    assert list(found.illegal) == ["/ocr/2/bbox"]


def test_transforms_tell_what_was_rewritten_and_only_that():
    found = read([500, 300, 600, 400], [0, 0, 1000, 1000], declared="0-1000")
    assert [(item.path, item.convention, item.original, item.normalized) for item in found.coordinates.transforms] == [
        ("/ocr/0/bbox", "0-1000-xyxy", [500, 300, 600, 400], [0.5, 0.3, 0.1, 0.1]),
        ("/ocr/1/bbox", "0-1000-xyxy", [0, 0, 1000, 1000], [0, 0, 1, 1]),
    ]
    assert read([0.1, 0.2, 0.3, 0.4]).coordinates.transforms == ()


# Laws

SIDES = st.integers(40, 5000)
PART = st.floats(0.02, 0.9)


@st.composite
def renditions(draw):
    """A picture, cropped to a part, scaled and padded."""
    width, height = draw(SIDES), draw(SIDES)
    left, top = draw(st.floats(0, 0.5)) * width, draw(st.floats(0, 0.5)) * height
    part = draw(st.floats(0.2, 0.5))
    scale_x, scale_y = draw(st.floats(0.1, 4)), draw(st.floats(0.1, 4))
    margin_x, margin_y = draw(st.integers(0, 50)), draw(st.integers(0, 50))
    affine = Affine(scale_x, scale_y, margin_x - left * scale_x, margin_y - top * scale_y)
    sent = (width * part * scale_x + 2 * margin_x, height * part * scale_y + 2 * margin_y)
    return Sent(*sent, affine, (width, height)), Box(left / width, top / height, part, part)


@examples(200)
@given(renditions(), PART, PART, PART, PART, st.sampled_from(["normalized", "pixel", "0-1000", "0-999", "yxyx-1000"]))
def test_a_box_of_the_source_survives_the_way_out_and_back(rendition, x, y, width, height, declared):
    sent, visible = rendition
    box = Box(
        visible.x + x * 0.5 * visible.width,
        visible.y + y * 0.5 * visible.height,
        width * 0.5 * visible.width,
        height * 0.5 * visible.height,
    )
    pixels = sent.affine.forward(to_pixels(box, *sent.source))
    shown = to_normalised(pixels, *sent.size)
    if declared == "pixel":
        assume(max(pixels) >= 2 and not any(0 < value < 1 for value in pixels))
        written = list(pixels)
    elif declared == "normalized":
        written = list(shown)
    else:
        grid = 999 if declared == "0-999" else 1000
        corners = [shown.x * grid, shown.y * grid, shown.right * grid, shown.bottom * grid]
        assume(max(corners) >= 2 and not any(0 < value < 1 for value in corners))
        written = [corners[1], corners[0], corners[3], corners[2]] if declared == "yxyx-1000" else corners
    found = read(written, sent=sent, declared=declared, forms={0: "xywh"} if declared == "pixel" else None)
    assert values(found)[0] == pytest.approx(list(box), abs=1e-8)


NUMBERS = st.one_of(st.floats(-2, 3), st.integers(-5, 1200), st.floats(-1e308, 1e308))


@examples(500)
@given(
    boxes=st.lists(st.lists(NUMBERS, min_size=4, max_size=4), max_size=6),
    declared=st.sampled_from([None, "normalized", "pixel", "0-1000", "0-999", "yxyx-1000"]),
    size=st.tuples(st.integers(1, 3000), st.integers(1, 3000)),
)
def test_every_box_ends_legal_or_with_a_reason_and_every_transform_replays(boxes, declared, size):
    found = read(*boxes, size=size, declared=declared)
    if found.refusal is not None:
        assert found.boxes == {}
        return
    assert len(found.boxes) + len(found.illegal) == len(boxes) == found.boxed
    assert all(contained(box) for box in found.boxes.values())
    for transform in found.coordinates.transforms:
        assert replay(transform, Sent(*size)) == transform.normalized == found.boxes[transform.path]
