"""Structural repair and its audit."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from deepseekeyes.evidence.mend import mended
from deepseekeyes.evidence.repair import decimal, repair
from deepseekeyes.evidence.schema import shape
from deepseekeyes.evidence.validate import problems


def audit(document, variant="base"):
    return [(item.path, item.action, item.original, item.canonical) for item in repair(document, variant).repairs]


def entry_audit(**entry):
    document = {"schemaVersion": "deepseekeyes.evidence.v1", "summary": "s", "objects": [entry]}
    return [item for item in audit(document) if item[0].startswith("/objects/0")]


def test_valid_evidence_needs_no_repair(base, target):
    assert (repair(base, "base").evidence, repair(base, "base").repairs) == (base, ())
    assert repair(target, "target").repairs == ()


def test_the_source_object_is_untouched(base):
    base["ocr"][0].update(confidence="0.5", bbox=["0", "0", "1", "1"])
    before = copy.deepcopy(base)
    repaired = repair(base, "base").evidence
    repaired["ocr"][0]["bbox"][0] = 9
    assert base == before


def test_absent_and_null_lists_become_empty_in_contract_order():
    assert audit({"summary": "s", "ocr": None}) == [
        ("/schemaVersion", "contract-constant", None, "deepseekeyes.evidence.v1"),
        ("/ocr", "empty-list", None, []),
        ("/regions", "empty-list", None, []),
        ("/objects", "empty-list", None, []),
        ("/relations", "empty-list", None, []),
        ("/quantitativeFacts", "empty-list", None, []),
        ("/uncertainties", "empty-list", None, []),
    ]
    assert [path for path, *_ in audit({"answer": "a"}, "target")] == [
        "/schemaVersion",
        "/observations",
        "/ocr",
        "/uncertainties",
    ]


def test_a_lone_element_is_wrapped():
    box = [0, 0, 1, 1]
    entry = {"text": "a", "bbox": box, "confidence": 1}
    document = repair({"summary": "s", "ocr": entry, "relations": "r"}, "base")
    assert document.evidence["ocr"] == [entry]
    assert document.evidence["relations"] == ["r"]
    assert ("/ocr", "singleton-list", entry, [entry]) in audit({"summary": "s", "ocr": entry, "relations": "r"})


@pytest.mark.parametrize("version", [None, "", "deepseekeyes.evidence.v2", 1])
def test_a_version_that_is_there_is_left_to_fail(version):
    assert repair({"schemaVersion": version, "summary": "s"}, "base").evidence["schemaVersion"] == version


@pytest.mark.parametrize(
    ("field", "value"), [("ocr", "text"), ("ocr", 1), ("relations", 3), ("relations", {"a": 1}), ("regions", True)]
)
def test_a_wrong_type_is_left_to_fail(field, value):
    assert repair({"summary": "s", field: value}, "base").evidence[field] == value


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0.9", 0.9),
        (" 0.9\n", 0.9),
        ("+.5", 0.5),
        ("1.", 1),
        ("-1", -1),
        ("9e-1", 0.9),
        ("9E-1", 0.9),
        ("97", 97),
        ("97%", 0.97),
        (" 97.5% ", 0.975),
        ("100%", 1),
        (".5%", 0.005),
        ("", None),
        (" ", None),
        ("97 %", None),
        ("1e2%", None),
        ("%", None),
        ("0x10", None),
        ("1_000", None),
        ("１", None),
        ("1,5", None),
        ("nan", None),
        ("inf", None),
        ("Infinity", None),
        ("1e999", None),
        ("high", None),
        ("٠.٩", None),
        ("1" * 41, None),
    ],
)
def test_numbers_are_read_as_ascii_decimals_only(text, number):
    assert decimal(text) == number


def test_a_confidence_that_is_a_string_becomes_a_number_also_out_of_range():
    assert entry_audit(name="a", bbox=[0, 0, 1, 1], attributes=[], confidence="97") == [
        ("/objects/0/confidence", "number", "97", 97)
    ]
    assert entry_audit(name="a", bbox=[0, 0, 1, 1], attributes=[], confidence="sure") == []


@pytest.mark.parametrize(
    ("box", "repaired"),
    [
        (["0.1", 0.2, "30%", ".4"], [0.1, 0.2, 0.3, 0.4]),
        ({"x": 0.1, "y": 0.2, "width": "0.3", "height": 0.4}, [0.1, 0.2, 0.3, 0.4]),
        ({"x1": 1, "y1": 2, "x2": 3, "y2": 4}, [1, 2, 3, 4]),
        ({"x": 5, "y": 6, "width": 7, "height": 8, "x1": 1, "y1": 2, "x2": 3, "y2": 4}, [5, 6, 7, 8]),
    ],
)
def test_spelled_boxes_become_arrays(box, repaired):
    assert entry_audit(name="a", bbox=box, attributes=[]) == [("/objects/0/bbox", "bbox-array", box, repaired)]


@pytest.mark.parametrize(
    "box",
    [
        {"x": 0, "y": 0, "w": 1, "h": 1},
        {"left": 0, "top": 0, "right": 1, "bottom": 1},
        "0,0,1,1",
        "[0,0,1,1]",
        [[0, 0], [1, 1]],
        [[0, 0, 1, 1]],
        [0, None, 1, 1],
        [0, 0, 1],
        [0, 0, True, 1],
        {"x": 0, "y": 0, "width": 1, "height": None},
        None,
        [0, 0, "1 %", 1],
    ],
)
def test_other_spellings_are_left(box):
    assert entry_audit(name="a", bbox=box, attributes=[]) == []


def test_the_form_that_a_spelling_tells_is_kept():
    document = {
        "summary": "s",
        "objects": [
            {"name": "a", "bbox": {"x1": 0, "y1": 0, "x2": 1, "y2": 1}},
            {"name": "b", "bbox": {"x": 0, "y": 0, "width": 1, "height": 1}},
            {"name": "c", "bbox": [0, 0, 1, 1]},
        ],
    }
    assert repair(document, "base").forms == {"/objects/0/bbox": "xyxy", "/objects/1/bbox": "xywh"}


def test_attributes_become_a_list_wherever_there_is_a_name():
    assert entry_audit(name="a", bbox=[0, 0, 1, 1]) == [("/objects/0/attributes", "empty-list", None, [])]
    assert entry_audit(name="a", bbox=[0, 0, 1, 1], attributes=None) == [
        ("/objects/0/attributes", "empty-list", None, [])
    ]
    assert entry_audit(name="a", bbox=[0, 0, 1, 1], attributes="red") == [
        ("/objects/0/attributes", "singleton-list", "red", ["red"])
    ]
    stray = {"summary": "s", "ocr": [{"text": "t", "name": "n", "bbox": [0, 0, 1, 1], "confidence": 1}]}
    assert ("/ocr/0/attributes", "empty-list", None, []) in audit(stray)


def test_unknown_properties_are_never_removed(base):
    base["ocr"][0]["extra"] = 1
    assert repair(base, "base").evidence["ocr"][0]["extra"] == 1


def test_the_headline_is_never_touched():
    assert repair({"summary": "<|ref|>x<|/ref|>"}, "base").evidence["summary"] == "<|ref|>x<|/ref|>"
    assert repair({"summary": None}, "base").evidence["summary"] is None
    assert "summary" not in repair({}, "base").evidence


def test_repairs_of_one_answer_come_in_a_fixed_order():
    document = {
        "summary": "s",
        "objects": {"name": "b", "bbox": {"x": 0, "y": 0, "width": 1, "height": 1}},
        "ocr": [{"text": "t", "bbox": ["0", "0", "1", "1"], "confidence": "90%"}],
    }
    assert [(path, action) for path, action, *_ in audit(document)] == [
        ("/schemaVersion", "contract-constant"),
        ("/regions", "empty-list"),
        ("/objects", "singleton-list"),
        ("/relations", "empty-list"),
        ("/quantitativeFacts", "empty-list"),
        ("/uncertainties", "empty-list"),
        ("/ocr/0/confidence", "number"),
        ("/ocr/0/bbox", "bbox-array"),
        ("/objects/0/bbox", "bbox-array"),
        ("/objects/0/attributes", "empty-list"),
    ]
    assert not problems(repair(document, "base").evidence, "base")


# Grounding tokens


@pytest.mark.parametrize(
    ("text", "words", "box"),
    [
        ("<|ref|>OK<|/ref|><|det|>[[10, 20, 30, 40]]<|/det|>", "OK", [10, 20, 30, 40]),
        ("<|ref|>OK<|/ref|>", "OK", None),
        ("<|object_ref_start|>OK<|object_ref_end|><|box_start|>(10,20),(30,40)<|box_end|>", "OK", [10, 20, 30, 40]),
        (" <ref> OK </ref><box>[[1,2,3,4.5]]</box>", "OK", [1, 2, 3, 4.5]),
        ("<|ref|>OK<|/ref|><|det|>[[1,2,3,4],[5,6,7,8]]<|/det|>", "OK", None),
    ],
)
def test_j13_words_and_boxes_are_taken_out_of_special_tokens(text, words, box):
    document = {"summary": "s", "ocr": [{"text": text, "confidence": 1}]}
    repaired = repair(document, "base")
    entry = repaired.evidence["ocr"][0]
    assert (entry["text"], entry.get("bbox")) == (words, box)
    assert repaired.forms == ({} if box is None else {"/ocr/0/bbox": "xyxy"})
    notes = [item for item in repaired.repairs if item.action == "grounding-tokens"]
    assert [(note.path, note.original) for note in notes][:1] == [("/ocr/0/text", text)]


@pytest.mark.parametrize(
    "box",
    [
        "<|det|>[[10, 20, 30, 40]]<|/det|>",
        "<|box_start|>(10,20),(30,40)<|box_end|>",
        "<box>[10, 20, 30, 40]</box>",
        "<|begin_of_box|>[[10,20,30,40]]<|end_of_box|>",
    ],
)
def test_j13_a_box_in_special_tokens_is_a_box(box):
    assert entry_audit(name="a", bbox=box, attributes=[]) == [
        ("/objects/0/bbox", "grounding-tokens", box, [10, 20, 30, 40])
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<|ref|><|ref|>b<|/ref|><|/ref|>",
        "see <|ref|>OK<|/ref|>",
        "<ref>",
        "<|ref|><|/ref|>",
        "<b>OK</b>",
        "a <box>[1,2,3,4]</box>",
        "x<y>z",
    ],
)
def test_text_that_only_mentions_tokens_is_left(text):
    document = {"summary": "s", "ocr": [{"text": text, "bbox": [0, 0, 1, 1], "confidence": 1}]}
    assert repair(document, "base").evidence["ocr"][0]["text"] == text


def test_j21_four_numbers_under_the_label_polygon_are_a_box_and_the_mismatch_is_told():
    assert entry_audit(name="a", polygon=[0.1, 0.2, 0.3, 0.4], attributes=[]) == [
        ("/objects/0/bbox", "shape-by-length", {"polygon": [0.1, 0.2, 0.3, 0.4]}, [0.1, 0.2, 0.3, 0.4])
    ]


@pytest.mark.parametrize("polygon", [[0, 0, 1, 0, 1, 1, 0, 1], [[0, 0], [1, 0], [1, 1], [0, 1]], "x", [0, 0, 1]])
def test_j21_a_real_polygon_is_no_box(polygon):
    assert entry_audit(name="a", polygon=polygon, attributes=[]) == []


# Text that cannot be written down


def test_lone_surrogates_are_replaced_and_noted():
    document = {"summary": "a\ud83d", "ocr": [{"text": "\udc00", "k\ud800": "😀"}]}
    clean, notes = mended(document)
    assert clean == {"summary": "a\ufffd", "ocr": [{"text": "\ufffd", "k\ufffd": "😀"}]}
    assert [(note.path, note.action, note.original, note.canonical) for note in notes] == [
        ("/summary", "lone-surrogate", '"a\\ud83d"', "a\ufffd"),
        ("/ocr/0/text", "lone-surrogate", '"\\udc00"', "\ufffd"),
    ]
    json.dumps(clean, ensure_ascii=False).encode()


# Laws

SCALARS = st.none() | st.booleans() | st.integers(-3, 1200) | st.floats(allow_nan=False) | st.text(max_size=6)
NUMBERISH = SCALARS | st.sampled_from(["0.5", "50%", " 1 ", ".5", "1e3", "x%"])
BOXES = st.one_of(
    st.lists(NUMBERISH, max_size=5),
    st.fixed_dictionaries(dict.fromkeys(("x", "y", "width", "height"), NUMBERISH)),
    st.fixed_dictionaries(dict.fromkeys(("x1", "y1", "x2", "y2"), NUMBERISH)),
    st.sampled_from(["<|det|>[[1,2,3,4]]<|/det|>", "<box>1,2</box>"]),
    NUMBERISH,
)
ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "text": st.sampled_from(["a", "<|ref|>b<|/ref|>", "<|ref|>c<|/ref|><|det|>[[1,2,3,4]]<|/det|>"]) | SCALARS,
        "name": SCALARS,
        "fact": SCALARS,
        "bbox": BOXES,
        "polygon": BOXES,
        "confidence": NUMBERISH,
        "attributes": st.lists(SCALARS, max_size=2) | SCALARS,
    },
)
LISTS = st.lists(ENTRIES | SCALARS, max_size=3) | ENTRIES | SCALARS
FIELDS = sorted({"schemaVersion", *shape("base").signature, *shape("target").signature})
DOCUMENTS = st.dictionaries(st.sampled_from(FIELDS), LISTS, max_size=8)


@examples(300)
@given(document=DOCUMENTS, variant=st.sampled_from(["base", "target"]))
def test_repairing_twice_changes_nothing_more(document, variant):
    once = repair(document, variant)
    twice = repair(once.evidence, variant)
    assert twice.evidence == once.evidence
    assert twice.repairs == ()
