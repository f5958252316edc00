"""`vision validate` and `vision schema` as operations."""

from __future__ import annotations

import asyncio
import copy
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from deepseekeyes.contracts.evidence import ContractVersions, EvidenceRecord, RouteIdentity
from deepseekeyes.core.canonical import digest
from deepseekeyes.core.errors import EyesError
from deepseekeyes.evidence.bounds import AnswerBounds
from deepseekeyes.evidence.reading import read_answer
from deepseekeyes.imaging.decode import decode
from deepseekeyes.imaging.layout import RenditionSpec
from deepseekeyes.imaging.rendition import render
from deepseekeyes.imaging.settings import IntakeLimits
from deepseekeyes.vision.rederive import rederive, upright_size
from deepseekeyes.vision.schema import SchemaRequest, schema
from deepseekeyes.vision.validate import ValidateDeps, ValidateRequest, validate

LIMITS = IntakeLimits()


def picture(colour: str = "white", size: tuple[int, int] = (100, 50)) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, "PNG")
    return file.getvalue()


PICTURE = picture()


def record() -> dict[str, Any]:
    decoded = decode(PICTURE, LIMITS)
    rendered = render(decoded, RenditionSpec())
    reading = read_answer({"summary": "white"}, "base", width=100, height=50)
    made = EvidenceRecord(
        record_sha256="0" * 64,
        cache_key="c" * 64,
        kind="base",
        source=decoded.source,
        rendition=rendered.rendition,
        route=RouteIdentity(id="eye", provider="p", engine="local", model="m"),
        contract=ContractVersions(evidence="deepseekeyes.evidence.v1", prompt="1"),
        coordinates=reading.coordinates,
        repairs=reading.repairs,
        evidence=reading.evidence,
    ).to_json()
    content = {
        key: value for key, value in made.items() if key not in {"recordSha256", "cacheHit", "run", "persistence"}
    }
    return {**made, "recordSha256": digest(content)}


RECORD = record()


def judge(text: str | bytes, *, stored: bytes | None = None, bounds: AnswerBounds | None = None, **options: Any) -> Any:
    """What the operation says of a text; `image` options name the pictures `white` and `tall`."""

    async def image(name: str) -> bytes:
        return {"white": PICTURE, "tall": picture(size=(50, 400)), "black": picture("black")}[name]

    deps = ValidateDeps(
        text=lambda name: text if name == "answer" else name,
        image=image,
        stored=lambda sha256: stored if stored and hashlib.sha256(stored).hexdigest() == sha256 else None,
        size=lambda data: upright_size(data, LIMITS),
        rederive=lambda found, data: rederive(found, data, LIMITS),
        bounds=bounds or AnswerBounds(),
    )
    return asyncio.run(validate(ValidateRequest(file="answer", **options), deps))


def answer(*boxes: Any) -> str:
    return json.dumps({"summary": "s", "ocr": [{"text": "t", "bbox": box, "confidence": 1} for box in boxes]})


def test_the_right_object_is_chosen_and_each_repair_listed():
    text = b'<think>{"summary":"draft"}</think>{"summary":"x","ocr":null}'
    found = judge(text, variant="base", width=100, height=100)
    document = found.to_json()
    assert document["schema"] == "deepseekeyes.validation.v1"
    assert document["selected"] == {"summary": "x", "ocr": None}
    assert [(item["path"], item["action"]) for item in document["repairs"]] == [
        ("/schemaVersion", "contract-constant"),
        ("/ocr", "empty-list"),
        ("/regions", "empty-list"),
        ("/objects", "empty-list"),
        ("/relations", "empty-list"),
        ("/quantitativeFacts", "empty-list"),
        ("/uncertainties", "empty-list"),
    ]
    assert document["evidence"]["summary"] == "x"
    assert (document["valid"], document["code"], document["errors"], found.outcome()) == (True, None, [], None)


def test_an_invalid_answer_is_a_verdict_with_its_errors_and_no_evidence():
    found = judge('{"summary":"s","extra":1,"ocr":[{"text":""}]}', variant="base")
    assert (found.valid, found.code, found.evidence, found.outcome()) == (
        False,
        "INVALID_VISION_EVIDENCE",
        None,
        "verdict",
    )
    assert [(error.path, error.reason) for error in found.errors] == [
        ("/", 'has an unknown property "extra"'),
        ("/ocr/0", 'lacks the property "bbox"'),
        ("/ocr/0", 'lacks the property "confidence"'),
        ("/ocr/0/text", "must not be empty"),
    ]
    assert found.selected == {"summary": "s", "extra": 1, "ocr": [{"text": ""}]}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "INVALID_MODEL_OUTPUT"),
        ("no", "INVALID_MODEL_OUTPUT"),
        ('{"summary":NaN}', "INVALID_MODEL_OUTPUT"),
        ('{"summary":"s","ocr":[', "INVALID_MODEL_OUTPUT"),
        ("<think>hm", "NO_ANSWER"),
        ("x" * 200, "MODEL_OUTPUT_TOO_LARGE"),
    ],
)
def test_an_answer_without_an_object_is_a_verdict_too(text, code):
    found = judge(text, bounds=AnswerBounds(chars=100))
    assert (found.valid, found.code, found.outcome(), found.selected) == (False, code, "verdict", None)
    assert found.message == found.errors[0].reason


def test_errors_are_bounded_and_counted():
    found = judge(json.dumps({"summary": "s", "ocr": [1] * 80}), variant="base")
    assert (len(found.errors), found.errors_omitted) == (50, 30)


@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ('{"schemaVersion":"deepseekeyes.target.v1"}', "target"),
        ('Here: {"answer":"a"}', "target"),
        ('{"summary":"s"}', "base"),
        ('{"schemaVersion":"deepseekeyes.evidence.v1","answer":"a"}', "base"),
        ("nothing", "base"),
    ],
)
def test_the_variant_is_taken_from_the_answer_when_it_is_not_given(text, variant):
    assert judge(text).variant == variant


def test_a_dropped_entry_is_told_with_its_reason():
    found = judge(answer([0.9, 0.9, 0.5, 0.5]))
    assert found.valid
    assert [(note.path, note.reason) for note in found.notes] == [
        ("/ocr/0/bbox", "it leaves the picture by 0.4 of a side")
    ]
    assert found.evidence["uncertainties"] == ["t"]


# Sizes and conventions


def test_pixels_need_a_size_which_a_picture_also_gives():
    with pytest.raises(EyesError) as caught:
        judge(answer([10, 10, 20, 20]))
    assert (caught.value.code.name, caught.value.exit_code) == ("PICTURE_SIZE_NEEDED", 3)
    assert judge(answer([10, 10, 80, 20]), image="white").evidence["ocr"][0]["bbox"] == [0.1, 0.2, 0.8, 0.4]
    sized = judge(answer([10, 10, 80, 20]), image="white", width=200, height=100)
    assert sized.evidence["ocr"][0]["bbox"] == [0.05, 0.1, 0.4, 0.2]


def test_the_declared_convention_is_used():
    found = judge(answer([100, 200, 600, 260]), convention="0-1000")
    assert found.evidence["ocr"][0]["bbox"] == [0.1, 0.2, 0.5, 0.06]
    assert (found.coordinates.convention, found.coordinates.declared) == ("0-1000-xyxy", True)
    with pytest.raises(EyesError) as caught:
        judge(answer([100, 200, 600, 260]), convention="qwen")
    assert caught.value.code.name == "UNKNOWN_CONVENTION"


# Records


def statuses(found):
    return {check.id: check.status for check in found.checks}


def test_a_record_is_verified_with_the_picture_that_is_named_stored_or_absent():
    text = json.dumps(RECORD)
    named, kept, absent = judge(text, image="white"), judge(text, stored=PICTURE), judge(text)
    assert named.to_json()["schema"] == "deepseekeyes.verification.v1"
    for found in (named, kept):
        assert set(statuses(found).values()) == {"ok", "skipped"}
        assert statuses(found)["record.rendition"] == "ok"
    assert {check.seen for check in absent.checks if check.status == "skipped"} >= {"no pixels"}
    assert (absent.valid, absent.complete, absent.outcome()) == (True, False, None)


def test_the_stored_form_of_a_record_is_the_same_record():
    kept = {key: value for key, value in RECORD.items() if key not in {"cacheHit", "run", "persistence"}}
    assert judge(json.dumps(kept), image="white").checks == judge(json.dumps(RECORD), image="white").checks


def test_a_tampered_record_or_another_picture_is_a_verdict():
    tampered = copy.deepcopy(RECORD)
    tampered["evidence"]["summary"] = "black"
    assert statuses(judge(json.dumps(tampered)))["record.digest"] == "failed"
    assert judge(json.dumps(tampered)).outcome() == "verdict"
    assert statuses(judge(json.dumps(RECORD), image="black"))["record.source-hash"] == "failed"


def test_a_record_with_a_key_that_stands_twice_is_a_verdict():
    text = json.dumps(RECORD).replace('"kind":', '"kind": "target", "kind":', 1)
    assert statuses(judge(text))["record.json"] == "failed"


def test_records_of_a_batch_and_of_json_lines_are_verified_in_order():
    tampered = {**RECORD, "cacheKey": "d" * 64}
    batch = {
        "schema": "deepseekeyes.evidence-batch.v1",
        "items": [{"record": RECORD}, {"record": None, "error": {}}, {"record": tampered}],
    }
    lines = "\n".join(
        json.dumps(line)
        for line in (RECORD, tampered, {"schema": "deepseekeyes.evidence-batch-summary.v1", "total": 2})
    )
    for text in (json.dumps(batch, indent=1), lines):
        found = judge(text)
        assert found.to_json()["schema"] == "deepseekeyes.verification-list.v1"
        assert [item.valid for item in found.items] == [True, False]
        assert (found.valid, found.truncated, found.omitted, found.outcome()) == (False, False, 0, "verdict")


def test_a_failed_document_passes_through_unchanged():
    error = {"code": "X", "kind": "unavailable", "message": "m", "hint": "h", "details": {}}
    document = {"schema": "deepseekeyes.error.v1", "error": error}
    found = judge(json.dumps(document))
    assert found.to_json() == document
    assert found.failure().kind == "unavailable"


@pytest.mark.parametrize(
    "document",
    [
        {"schema": "deepseekeyes.browser-observation.v1"},
        {"schema": "deepseekeyes.validation.v1"},
        {"schema": "deepseekeyes.evidence-batch.v1", "items": []},
        {"schema": "deepseekeyes.error.v1", "error": "broken"},
    ],
)
def test_other_documents_of_ours_cannot_be_judged(document):
    with pytest.raises(EyesError) as caught:
        judge(json.dumps(document))
    assert (caught.value.code.name, caught.value.exit_code) == ("NOT_JUDGEABLE", 3)


@pytest.mark.parametrize("data", ['{"summary":"x"}'.encode("utf-16"), b"\xff\xfe\x00", b'{"summary":"\xe9"}'])
def test_bytes_that_are_no_utf_8_cannot_be_read(data):
    with pytest.raises(EyesError) as caught:
        judge(data)
    assert (caught.value.code.name, caught.value.exit_code) == ("TEXT_NOT_UTF8", 3)


def test_a_byte_order_mark_is_no_matter():
    assert judge(b'\xef\xbb\xbf{"summary":"x"}').valid


# Schema


@pytest.mark.parametrize(("variant", "title"), [(None, "Visual evidence"), ("target", "Visual evidence (target)")])
def test_the_schema_is_printed_bare(variant, title):
    document = asyncio.run(schema(SchemaRequest(variant=variant))).to_json()
    assert document["title"] == title
    assert document["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert "schema" not in document


def test_the_whole_schema_is_the_published_file():
    published = Path(__file__).resolve().parents[2] / "schemas" / "visual-evidence.schema.json"
    assert asyncio.run(schema(SchemaRequest())).to_json() == json.loads(published.read_text(encoding="utf-8"))
