"""From an answer to valid evidence, the whole way."""

from __future__ import annotations

import copy
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from deepseekeyes.core.canonical import canonical
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Affine
from deepseekeyes.evidence.coordinates import Sent
from deepseekeyes.evidence.reading import examine, read_answer
from deepseekeyes.evidence.validate import InvalidEvidence, problems

V1 = "deepseekeyes.evidence.v1"


def line(text, box, confidence=0.9):
    return {"text": text, "bbox": box, "confidence": confidence}


def answer(**fields):
    return {"schemaVersion": V1, "summary": "s", **fields}


def boxes(reading, field="ocr"):
    return [entry["bbox"] for entry in reading.evidence[field]]


def test_the_chosen_object_is_completed_and_each_repair_is_listed():
    reading = read_answer('<think>{"summary":"draft"}</think>{"summary":"x","ocr":null}', "base", width=100, height=100)
    assert reading.evidence == {
        "schemaVersion": V1,
        "summary": "x",
        "ocr": [],
        "regions": [],
        "objects": [],
        "relations": [],
        "quantitativeFacts": [],
        "uncertainties": [],
    }
    assert list(reading.evidence)[:3] == ["schemaVersion", "summary", "ocr"]
    assert [(item.path, item.action) for item in reading.repairs] == [
        ("/schemaVersion", "contract-constant"),
        ("/ocr", "empty-list"),
        ("/regions", "empty-list"),
        ("/objects", "empty-list"),
        ("/relations", "empty-list"),
        ("/quantitativeFacts", "empty-list"),
        ("/uncertainties", "empty-list"),
    ]
    assert reading.coordinates.model_dump() == {
        "convention": "normalized",
        "declared": False,
        "ambiguous": False,
        "transforms": (),
    }


def test_a_wrapped_grid_answer_is_read_once_with_its_audit_trail():
    text = """Let me see. {"summary": "draft"} looks right, the 15" screen...
```json
{"schemaVersion": "deepseekeyes.evidence.v1", "summary": "A form.",
 "ocr": {"text": "Save", "bbox": ["100", "200", "600", "260"], "confidence": "97%"},
 "objects": [{"name": "button", "bbox": {"x1": 100, "y1": 200, "x2": 600, "y2": 260}, "attributes": "blue"}]}
```"""
    reading = read_answer(text, "base", width=1720, height=1440, declared="0-1000")
    assert reading.evidence["ocr"] == [line("Save", [0.1, 0.2, 0.5, 0.06], 0.97)]
    assert reading.evidence["objects"] == [{"name": "button", "bbox": [0.1, 0.2, 0.5, 0.06], "attributes": ["blue"]}]
    assert [item.path for item in reading.repairs] == [
        "/ocr",
        "/regions",
        "/relations",
        "/quantitativeFacts",
        "/uncertainties",
        "/ocr/0/confidence",
        "/ocr/0/bbox",
        "/objects/0/bbox",
        "/objects/0/attributes",
    ]
    assert [(item.path, item.convention) for item in reading.coordinates.transforms] == [
        ("/ocr/0/bbox", "0-1000-xyxy"),
        ("/objects/0/bbox", "0-1000-xyxy"),
    ]


def test_a_document_takes_the_same_way_as_a_text_and_is_not_changed(base):
    before = copy.deepcopy(base)
    from_document = read_answer(base, "base", declared="normalized")
    from_text = read_answer(json.dumps(base), "base", declared="normalized")
    assert from_document == from_text
    assert from_document.evidence == base == before
    from_document.evidence["ocr"].clear()
    assert base == before


def test_boxes_of_a_crop_end_in_the_source():
    reading = read_answer(
        {"answer": "a", "observations": {"fact": "f", "bbox": [0.5, 0.5, 0.5, 0.5], "confidence": 1}},
        "target",
        width=400,
        height=200,
        affine=Affine(2, 2, -200, -100),
        source_size=(1000, 500),
    )
    assert boxes(reading, "observations") == [[0.2, 0.2, 0.1, 0.1]]


def test_j13_special_tokens_are_parsed_with_the_declared_divisor():
    text = (
        '{"summary":"s","ocr":[{"text":"<|ref|>OK<|/ref|>","bbox":<|det|>[[0, 0, 999, 333]]<|/det|>,"confidence":1}]}'
    )
    reading = read_answer(text, "base", width=700, height=500, declared="0-999")
    assert reading.evidence["ocr"] == [line("OK", [0, 0, 1, 0.333333333], 1)]


# Entries without a legal box


def test_an_entry_without_a_legal_box_leaves_and_its_text_becomes_an_uncertainty():
    bad = line("Total\n 12", [0.9, 0.9, 0.5, 0.5])
    reading = read_answer(answer(ocr=[bad, line("ok", [0, 0, 1, 1])], uncertainties=["blurred"]), "base")
    assert [entry["text"] for entry in reading.evidence["ocr"]] == ["ok"]
    assert reading.evidence["uncertainties"] == ["blurred", "Total\n 12"]
    dropped = [item for item in reading.repairs if item.action == "dropped-entry"]
    assert [(item.path, item.original, item.canonical) for item in dropped] == [("/ocr/0", bad, None)]


@pytest.mark.parametrize(
    ("field", "entry", "words"),
    [
        ("ocr", {"text": "words", "confidence": 1}, "words"),
        ("regions", {"id": "r", "description": "a part"}, "a part"),
        ("objects", {"name": "thing", "attributes": ["x"]}, "thing"),
    ],
)
@pytest.mark.parametrize("box", [[1, 1, 1, 1], [0, 0, 0, 0], None, "x", [0, 0, 1], [0.2, 0.2, 0.9, 0.1]])
def test_each_kind_of_entry_keeps_its_words(field, entry, words, box):
    reading = read_answer(answer(**{field: [{**entry, "bbox": box}]}), "base")
    assert (reading.evidence[field], reading.evidence["uncertainties"]) == ([], [words])


@pytest.mark.parametrize(
    ("total", "bad", "valid"),
    [(1, 1, True), (2, 1, True), (2, 2, False), (19, 2, False), (20, 2, True), (30, 4, False)],
)
def test_more_than_a_tenth_of_the_boxed_entries_is_too_much(total, bad, valid):
    good = [line("g", [0.5, 0.5, 0.1, 0.1])] * (total - bad)
    document = answer(ocr=good + [line("b", [0.9, 0.9, 0.5, 0.5])] * bad)
    if valid:
        assert len(read_answer(document, "base").evidence["ocr"]) == total - bad
        return
    with pytest.raises(InvalidEvidence) as caught:
        read_answer(document, "base")
    assert [problem.path for problem in caught.value.problems.items] == [
        f"/ocr/{index}/bbox" for index in range(total - bad, total)
    ]


def test_the_ceiling_counts_the_boxed_entries_of_all_lists():
    good = [{"name": "g", "bbox": [0.5, 0.5, 0.1, 0.1], "attributes": []}] * 18
    document = answer(objects=good, ocr=[line("b", [0.9, 0.9, 0.5, 0.5])] * 2)
    assert read_answer(document, "base").evidence["ocr"] == []


def test_a_box_that_is_missing_altogether_is_no_box_to_drop():
    with pytest.raises(InvalidEvidence) as caught:
        read_answer(answer(ocr=[{"text": "t", "confidence": 1}]), "base")
    assert caught.value.problems.items[0].reason == 'lacks the property "bbox"'


def test_uncertainties_never_grow_over_their_limit():
    full = ["u"] * 2000
    reading = read_answer(answer(ocr=[line("b", [0.9, 0.9, 0.5, 0.5])], uncertainties=full), "base")
    assert reading.evidence["uncertainties"] == full


@pytest.mark.parametrize(
    ("found", "path"),
    [
        (answer(ocr=[line("t", [0.1, 0.1, 0.1, 0.1], "97")]), "/ocr/0/confidence"),
        (answer(extra=1), "/"),
        (answer(ocr="x"), "/ocr"),
        (answer(objects=[{"name": "a", "bbox": [0, 0, 1, 1], "attributes": ["x", "x"]}]), "/objects/0/attributes"),
        ({"summary": "s", "schemaVersion": None}, "/schemaVersion"),
        ({"schemaVersion": V1}, "/"),
        ({"result": answer()}, "/"),
    ],
)
def test_what_repair_cannot_mend_is_invalid(found, path):
    with pytest.raises(InvalidEvidence) as caught:
        read_answer(json.dumps(found), "base")
    assert path in {problem.path for problem in caught.value.problems.items}


def test_a_refused_convention_is_the_reason_given():
    with pytest.raises(InvalidEvidence) as caught:
        read_answer(answer(ocr=[line("t", [500, 300, 100, 100])]), "base", width=1000, height=500, declared="0-1000")
    assert "looks like [x, y, width, height]" in caught.value.message


def test_documents_are_bounded_like_texts():
    deep = current = {}
    for _ in range(5000):
        current["a"] = {}
        current = current["a"]
    with pytest.raises(EyesError) as caught:
        read_answer({"summary": deep}, "base")
    assert caught.value.code.name == "INVALID_MODEL_OUTPUT"


def test_a_lone_surrogate_is_replaced_and_noted():
    reading = read_answer('{"summary":"a\\ud800","ocr":[]}', "base")
    assert reading.evidence["summary"] == "a\ufffd"
    assert reading.repairs[0].action == "lone-surrogate"
    canonical(reading.evidence).encode()


def test_a_large_answer_is_read_in_time():
    lines = [line(f"line {index}", [10, index, 200, 1]) for index in range(5000)]
    started = time.process_time()
    reading = read_answer(json.dumps(answer(ocr=lines)), "base", width=1000, height=6000)
    assert len(reading.evidence["ocr"]) == 5000
    assert time.process_time() - started < 10


NUMBERS = st.one_of(st.floats(-0.2, 1.3), st.integers(-5, 1200), st.just("0.5"), st.none())
ENTRIES = st.fixed_dictionaries(
    {"text": st.text(max_size=8), "bbox": st.lists(NUMBERS, min_size=3, max_size=5), "confidence": st.floats(0, 1)}
)


@examples(300)
@given(
    lines=st.lists(ENTRIES, max_size=12),
    declared=st.sampled_from([None, "normalized", "pixel", "0-1000", "yxyx-1000"]),
)
def test_what_comes_out_as_evidence_keeps_the_contract_and_reads_as_itself(lines, declared):
    examined = examine(answer(ocr=lines), "base", sent=Sent(800, 600), declared=declared)
    if examined.problems:
        return
    assert not problems(examined.evidence, "base")
    kept = {entry["text"] for entry in lines if entry["text"]}
    told = {entry["text"] for entry in examined.evidence["ocr"]} | set(examined.evidence["uncertainties"])
    assert kept == {text for text in told if text}
    again = examine(examined.evidence, "base", sent=Sent(800, 600), declared="normalized")
    assert (again.evidence, again.repairs, again.coordinates.transforms) == (examined.evidence, (), ())
