"""Challenges and their judgement, rung by rung."""

from __future__ import annotations

import json
import struct
import zlib
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from PIL import Image

from deepseekeyes.probe import codes, grid, ladder
from deepseekeyes.probe.glyphs import ALPHABET, chance, distance, folded
from tests.probe.conftest import as_object, evidence, evidence_of

RUNGS = list(ladder.RUNGS)
seeds = st.integers(min_value=0, max_value=2**32 - 1)


def right(rung: str, seed: int) -> str:
    return json.dumps(ladder.right_answer(rung, seed))


@given(rung=st.sampled_from(RUNGS), seed=seeds)
@examples(150)
def test_the_right_answer_passes_with_a_full_score(rung: str, seed: int) -> None:
    made = ladder.grade(rung, seed, right(rung, seed))

    assert (made.passed, round(made.score, 3), made.code) == (True, 1.0, None)


@given(rung=st.sampled_from(RUNGS), seed=seeds)
@examples(100)
def test_a_faithful_eye_without_a_prompt_passes_every_rung(rung: str, seed: int) -> None:
    reported = evidence_of(rung, ladder.right_answer(rung, seed))
    record = {"schema": "deepseekeyes.evidence-record.v1", "evidence": reported}

    assert ladder.grade_evidence(rung, seed, reported).passed
    assert ladder.grade(rung, seed, json.dumps(record)) == ladder.grade_evidence(rung, seed, reported)


@given(seed=seeds, cell=st.integers(0, 8), colour=st.sampled_from([*grid.NAMES, "grey", " red", "purple", 3, None]))
def test_one_wrong_cell_fails_the_grid(seed: int, cell: int, colour: Any) -> None:
    cells = list(ladder.right_answer("grid", seed)["cells"])
    changed = [*cells[:cell], colour, *cells[cell + 1 :]]
    made = ladder.grade("grid", seed, json.dumps({"cells": changed}))

    if changed == cells:
        assert made.passed
    else:
        assert (made.passed, made.code, made.details) == (False, codes.VISION_PROBE_FAILED, {"right": 8, "of": 9})


def test_labels_are_compared_in_lower_case() -> None:
    cells = [name.upper() for name in ladder.right_answer("grid", 7)["cells"]]

    assert ladder.grade("grid", 7, json.dumps({"cells": cells})).passed


@pytest.mark.parametrize("cells", [[], ["red"] * 8, ["red"] * 10, "red", None, {"0": "red"}])
def test_anything_but_nine_cells_fails_the_grid(cells: Any) -> None:
    made = ladder.grade("grid", 7, json.dumps({"cells": cells}))

    assert (made.passed, made.score, made.code) == (False, 0.0, codes.VISION_PROBE_FAILED)


def test_an_eye_that_names_every_colour_everywhere_fails_the_grid() -> None:
    things = [
        {"name": name, "bbox": [column / 3, row / 3, 1 / 3, 1 / 3], "attributes": []}
        for row in range(3)
        for column in range(3)
        for name in grid.NAMES
    ]

    assert ladder.grade_evidence("grid", 7, evidence(objects=things)).score == 0.0


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from(
        ["cells", "lines", "marks", "label", "bbox", "text", "objects", "ocr", "name", "attributes", "evidence"]
    ) | st.text(max_size=4), inner, max_size=6),
    max_leaves=30,
)  # fmt: skip


@given(rung=st.sampled_from(RUNGS), answer=st.text(max_size=300) | json_values.map(json.dumps))
@examples(300)
def test_grading_never_raises_on_any_text(rung: str, answer: str) -> None:
    made = ladder.grade(rung, 7, answer)

    assert 0 <= made.score <= 1
    assert made.passed is (made.code is None)
    json.dumps(made.details, allow_nan=False)


@given(rung=st.sampled_from(RUNGS), value=json_values)
@examples(200)
def test_grading_never_raises_on_any_evidence(rung: str, value: Any) -> None:
    parts = value if isinstance(value, dict) else {"ocr": value, "objects": value}
    made = ladder.grade_evidence(rung, 7, {"schemaVersion": "deepseekeyes.evidence.v1", **parts})

    assert made.passed is (made.code is None)


@pytest.mark.parametrize("rung", RUNGS)
@pytest.mark.parametrize("answer", ["", "I cannot see pictures.", '{"a": 1} {"b": 2}', "[1]"])
def test_what_is_no_single_object_is_invalid_output(rung: str, answer: str) -> None:
    made = ladder.grade(rung, 7, answer)

    assert (made.passed, made.code.name if made.code else None) == (False, "INVALID_MODEL_OUTPUT")


@pytest.mark.parametrize("rung", RUNGS)
def test_a_rung_and_seed_give_the_same_challenge_again(rung: str) -> None:
    assert ladder.challenge(rung, 7) == ladder.challenge(rung, 7)
    assert ladder.challenge(rung, 7).png != ladder.challenge(rung, 8).png


@pytest.mark.parametrize("rung", RUNGS)
def test_the_prompt_is_the_same_for_every_seed_so_it_tells_nothing(rung: str) -> None:
    assert len({ladder.challenge(rung, seed).prompt for seed in range(5)}) == 1


@pytest.mark.parametrize("rung", RUNGS)
def test_the_picture_has_the_size_that_is_stated(rung: str) -> None:
    made = ladder.challenge(rung, 7)
    with Image.open(BytesIO(made.png)) as image:
        assert (image.format, image.mode, image.size) == ("PNG", "RGB", (made.width, made.height))


def test_the_grid_is_a_plain_png_that_decodes_back_to_its_order() -> None:
    made = ladder.challenge("grid", 7)
    kinds, rows = [], b""
    at = 8
    while at < len(made.png):
        length, kind = struct.unpack(">I4s", made.png[at : at + 8])
        kinds.append(kind)
        rows += made.png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        if kind == b"IHDR":
            assert struct.unpack(">IIBBBBB", made.png[at + 8 : at + 8 + length]) == (216, 216, 8, 2, 0, 0, 0)
        at += length + 12
    plain = zlib.decompress(rows)
    stride = 216 * 3 + 1
    centres = [
        plain[stride * (36 + 72 * row) + 1 + 3 * (36 + 72 * column) :][:3] for row in range(3) for column in range(3)
    ]
    by_colour = {bytes(colour): name for name, colour in grid.PALETTE.items()}

    assert kinds == [b"IHDR", b"IDAT", b"IEND"]
    assert {plain[stride * row] for row in range(216)} == {0}
    assert [by_colour[bytes(pixel)] for pixel in centres] == ladder.right_answer("grid", 7)["cells"]


@pytest.mark.parametrize("order", [["red"], ["red"] * 9, [*grid.NAMES[:8], "orange"]])
def test_a_wrong_order_of_colours_is_a_mistake_of_the_program(order: list[str]) -> None:
    with pytest.raises(ValueError, match="nine colour names"):
        grid.picture(order)


def test_guess_probabilities_are_stated_per_rung() -> None:
    stated = {rung: ladder.guess_probability(rung) for rung in RUNGS}

    assert stated["grid"] == 1 / 362_880
    assert stated["blank"] == 1.0
    assert all(0 < stated[rung] < 1e-4 for rung in ("grid", "text", "place", "inject"))


@given(st.text(alphabet=ALPHABET, min_size=2, max_size=4), st.data())
@examples(50)
def test_the_chance_of_a_guess_counts_the_words_within_one_edit(guess: str, data: Any) -> None:
    letters = ALPHABET[:5]
    length = data.draw(st.integers(max(1, len(guess) - 1), len(guess) + 1).filter(lambda n: n <= 4))
    guess = "".join(letters[ALPHABET.index(glyph) % 5] for glyph in guess)
    words = [""]
    for _ in range(length):
        words = [word + glyph for word in words for glyph in letters]
    near = sum(1 for word in words if distance(word, guess) <= 1)

    assert near <= length * (len(letters) - 1) + 1
    assert chance(length, tries=1) == (length * (len(ALPHABET) - 1) + 1) / len(ALPHABET) ** length


@pytest.mark.parametrize(
    ("typed", "same"),
    [("hk4t 7xpa", "HK4T7XPA"), ("H-K-4", "HK4"), ("ＡＢ３", "AB3"), ("НКТ", "HKT"), (" \n", "")],
)
def test_how_a_text_is_typed_does_not_count(typed: str, same: str) -> None:
    assert folded(typed) == same


def test_colours_may_be_reported_as_codes() -> None:
    cells = ladder.right_answer("grid", 7)["cells"]
    things = [
        as_object(
            [index % 3 / 3, index // 3 / 3, 0.3, 0.3], "filled rectangle", "fill:#" + bytes(grid.PALETTE[name]).hex()
        )
        for index, name in enumerate(cells)
    ]

    assert ladder.grade_evidence("grid", 7, evidence(objects=things)).passed
    assert ladder.grade_evidence("grid", 7, evidence(objects=things[:8])).details == {"right": 8, "of": 9}
