"""Whatever was seen, the documents keep the contract and quote literally."""

from __future__ import annotations

from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from laws import examples

from deepseekeyes.core.geometry import Box
from deepseekeyes.evidence.validate import problems
from deepseekeyes.routing.adapters.local.answer import answer_document, relevant
from deepseekeyes.routing.adapters.local.base_document import base_document
from deepseekeyes.routing.adapters.local.codes_scan import Symbol
from deepseekeyes.routing.adapters.local.colours import Colour
from deepseekeyes.routing.adapters.local.grouping import group
from deepseekeyes.routing.adapters.local.lines import Line
from deepseekeyes.routing.adapters.local.scene import Scene
from deepseekeyes.routing.adapters.local.shapes import Shape

NUMBERS = st.floats(0, 3000)
BOXES = st.builds(Box, NUMBERS, NUMBERS, st.floats(1, 3000), st.floats(1, 400))
WORDS = st.text(min_size=1, max_size=60).map(lambda text: " ".join(text.split())).filter(bool)
LINES = st.builds(Line, WORDS, BOXES, st.floats(0, 1), st.sampled_from((0, 90, 180, 270)), st.floats(0, 99))
COLOURS = st.builds(Colour, st.sampled_from(("#ffffff", "#102030")), st.floats(0, 1))
SYMBOLS = st.builds(Symbol, st.sampled_from(("QR Code", "EAN-13")), st.text(min_size=1, max_size=5000), BOXES)
SHAPES = st.builds(Shape, BOXES, st.sampled_from(("#ffffff", "#102030")), st.booleans())


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    lines = tuple(draw(st.lists(LINES, max_size=12)))
    return Scene(
        draw(st.integers(1, 3000)),
        draw(st.integers(1, 3000)),
        lines,
        tuple(draw(st.lists(BOXES, max_size=12))),
        draw(st.integers(0, 3)),
        draw(st.sampled_from((0, 90, 180, 270))),
        group(lines, [line.box for line in lines]),
        tuple(draw(st.lists(SYMBOLS, max_size=3))),
        tuple(draw(st.lists(COLOURS, max_size=3))),
        tuple(draw(st.lists(SHAPES, max_size=8))),
        tuple(draw(st.lists(BOXES, max_size=3))),
    )


@examples(60, suppress_health_check=[HealthCheck.too_slow])
@given(scene=scenes(), question=st.text(max_size=80))
def test_any_scene_makes_valid_evidence_of_both_kinds(scene, question):
    base, target = base_document(scene), answer_document(scene, question)

    assert not problems(base, "base")
    assert not problems(target, "target")
    assert [entry["text"] for entry in base["ocr"]] == [entry["text"] for entry in target["ocr"]]


def page(*texts: str) -> Scene:
    lines = tuple(Line(text, Box(20, 20 + 40 * row, 10.0 * len(text), 20), 0.99) for row, text in enumerate(texts))
    return Scene(800, 600, lines, (), 0, 0, group(lines, [line.box for line in lines]), (), (), (), ())


def test_a_thousand_shapes_and_lines_are_bounded_and_the_rest_is_counted():
    lines = tuple(Line("word", Box(5 + 80 * (n % 9), 10.0 * n, 60, 8), 0.4) for n in range(900))
    shapes = tuple(Shape(Box(5.0 * n, 5.0, 4, 4), "#102030") for n in range(150))
    scene = Scene(800, 9100, lines, (), 0, 0, group(lines, [line.box for line in lines]), (), (), shapes, ())

    document = base_document(scene)

    assert not problems(document, "base")
    assert len(document["ocr"]) == 900
    told = "50 smaller objects are not listed: the limit is 100 (`vision.local.max_objects`)."
    assert told in document["uncertainties"]
    assert "880 more lines have low confidence." in document["uncertainties"]


def test_the_answer_is_the_line_that_shares_words_with_the_question():
    scene = page("Reporter: Maren Holt", "Priority: high", "Opened: 2026-11-28")

    assert answer_document(scene, "What priority does it have?")["answer"] == "Priority: high"


def test_plural_and_letter_case_do_not_matter_and_rare_words_count_more():
    scene = page("Printer status", "The printer is offline", "Printer cables")

    assert [line.text for line in relevant(scene, "which CABLE of the printer?")] == ["Printer cables"]


def test_chinese_questions_find_their_line():
    scene = page("图书馆开放时间", "逾期每天罚款0.5元")

    assert answer_document(scene, "罚款是多少")["answer"] == "逾期每天罚款0.5元"


def test_without_a_match_all_text_is_given_and_that_is_said():
    document = answer_document(page("alpha one", "beta two"), "Who signed it?")

    assert document["answer"] == "alpha one\nbeta two"
    assert "No line shares a word with the question; all text of the area is given." in document["uncertainties"]


def test_an_empty_area_says_so():
    document = answer_document(page(), "What is here?")

    assert (document["answer"], document["observations"], document["ocr"]) == ("No text was read in this area.", [], [])


def test_a_question_about_colour_is_answered_with_measured_colours():
    scene = Scene(10, 10, (), (), 0, 0, group((), ()), (), (Colour("#b3261e", 0.9),), (), ())

    assert answer_document(scene, "Which colour is the light?")["answer"] == "Colour #b3261e covers 90% of the area."
