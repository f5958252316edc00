"""Re-checking a record offline."""

from __future__ import annotations

import copy
import hashlib
import io
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from PIL import Image, ImageDraw

from deepseekeyes.contracts.evidence import ContractVersions, EvidenceRecord, Region, RouteIdentity
from deepseekeyes.core.canonical import digest
from deepseekeyes.core.errors import EyesError
from deepseekeyes.evidence.reading import read_answer
from deepseekeyes.imaging.decode import decode
from deepseekeyes.imaging.layout import RenditionSpec
from deepseekeyes.imaging.rendition import render
from deepseekeyes.imaging.settings import IntakeLimits
from deepseekeyes.vision.rederive import rederive, upright_size
from deepseekeyes.vision.verify import TRAVELLING, verify_record

LIMITS = IntakeLimits()
KEY = "c" * 64
ANSWER: dict[str, Any] = {
    "summary": "A card.",
    "ocr": [
        {"text": "gone", "bbox": [900, 900, 900, 950], "confidence": 1},
        {"text": "Save", "bbox": ["100", "200", "600", "260"], "confidence": "97%"},
        {"text": "edge", "bbox": [500, 500, 1005, 900], "confidence": 0.5},
    ],
    "regions": [{"id": "r1", "bbox": {"x1": 0, "y1": 0, "x2": 1000, "y2": 1000}, "description": "all"}],
    "objects": [{"name": "card", "bbox": [10, 20, 900, 950], "attributes": None}],
    "quantitativeFacts": ["1 card"],
}
QUESTION = {"answer": "Save", "observations": [{"fact": "Save", "bbox": [500, 500, 900, 900], "confidence": 1}]}


def picture(orientation: int = 1) -> bytes:
    image = Image.new("RGB", (120, 80), "white")
    ImageDraw.Draw(image).rectangle((10, 10, 60, 40), fill="red")
    exif = Image.Exif()
    exif[0x0112] = orientation
    file = io.BytesIO()
    image.save(file, "PNG", exif=exif)
    return file.getvalue()


def record_of(data: bytes, spec: RenditionSpec, region: Region | None = None) -> dict[str, Any]:
    """A record as a reading makes it, without what travels beside it."""
    decoded = decode(data, LIMITS)
    rendered = render(decoded, spec, region)
    kind = "base" if region is None else "target"
    reading = read_answer(
        ANSWER if region is None else QUESTION,
        kind,
        width=rendered.rendition.width,
        height=rendered.rendition.height,
        declared="0-1000",
        affine=rendered.affine,
        source_size=(decoded.source.width, decoded.source.height),
    )
    record = EvidenceRecord(
        record_sha256="0" * 64,
        cache_key=KEY,
        kind=kind,
        question=None if region is None else "What is on the button?",
        region=region,
        source=decoded.source,
        rendition=rendered.rendition,
        route=RouteIdentity(id="eye", provider="p", engine="openai_chat", model="m"),
        contract=ContractVersions(evidence="deepseekeyes.evidence.v1", prompt="1"),
        coordinates=reading.coordinates,
        repairs=reading.repairs,
        evidence=reading.evidence,
    ).to_json()
    return sealed({name: value for name, value in record.items() if name not in TRAVELLING})


def sealed(record: dict[str, Any]) -> dict[str, Any]:
    content = {name: value for name, value in record.items() if name not in {"recordSha256", *TRAVELLING}}
    return {**record, "recordSha256": digest(content)}


def again(record: Any, data: bytes) -> Any:
    return rederive(record, data, LIMITS)


PICTURE = picture(orientation=6)
RECORD = record_of(PICTURE, RenditionSpec(max_side=64))
CROPPED = record_of(PICTURE, RenditionSpec(), Region(x=0.25, y=0.25, width=0.5, height=0.5))


def statuses(verification):
    return {check.id.removeprefix("record."): check.status for check in verification.checks}


def failing(record, **options):
    return {name for name, status in statuses(verify_record(record, **options)).items() if status == "failed"}


@pytest.mark.parametrize("record", [RECORD, CROPPED], ids=["base", "cropped target"])
def test_an_honest_record_with_its_picture_passes_every_check(record):
    verification = verify_record(record, picture=PICTURE, rederive=again, key=KEY)
    assert statuses(verification) == dict.fromkeys(
        (
            "json",
            "digest",
            "shape",
            "key",
            "contract",
            "evidence",
            "boxes",
            "audit",
            "source-hash",
            "source-facts",
            "rendition",
        ),
        "ok",
    )
    assert (verification.valid, verification.complete, verification.outcome()) == (True, True, None)
    assert (verification.record_sha256, verification.cache_key) == (record["recordSha256"], KEY)
    assert all(check.seen for check in verification.checks)


def test_without_pixels_and_store_the_checks_that_need_them_are_skipped_never_passed():
    verification = verify_record(RECORD)
    skipped = {check.id: check.seen for check in verification.checks if check.status == "skipped"}
    assert set(skipped) == {"record.key", "record.source-hash", "record.source-facts", "record.rendition"}
    assert [skipped[f"record.{name}"] for name in ("source-hash", "source-facts", "rendition")] == ["no pixels"] * 3
    assert (verification.valid, verification.complete) == (True, False)


def test_what_travels_beside_a_record_is_not_part_of_it():
    travelled = {**RECORD, "cacheHit": True, "run": None, "persistence": {"healthy": False, "code": "DISK_FULL"}}
    assert failing(travelled, picture=PICTURE, rederive=again, key=KEY) == set()


def test_a_freshly_read_record_names_its_predecessor_under_the_same_digest_rule():
    second = sealed({**RECORD, "readId": 2, "supersedes": RECORD["recordSha256"]})
    assert failing(second, picture=PICTURE, rederive=again, key=KEY) == set()


def test_another_picture_fails_the_source_hash_and_claims_nothing_about_the_rest():
    verification = statuses(verify_record(RECORD, picture=picture(), rederive=again))
    assert [verification[name] for name in ("source-hash", "source-facts", "rendition")] == [
        "failed",
        "skipped",
        "skipped",
    ]


def test_a_picture_that_is_cut_fails_or_a_limit_skips():
    cut = PICTURE[:-20]
    record = copy.deepcopy(RECORD)
    record["source"]["sha256"] = hashlib.sha256(cut).hexdigest()
    assert {"source-facts", "rendition"} <= failing(sealed(record), picture=cut, rederive=again)
    small = verify_record(
        RECORD, picture=PICTURE, rederive=lambda found, data: rederive(found, data, IntakeLimits(max_side=32))
    )
    assert [statuses(small)[name] for name in ("source-facts", "rendition")] == ["skipped", "skipped"]


def test_a_record_found_under_another_key_fails():
    assert failing(RECORD, key="d" * 64) == {"key"}


def test_text_that_is_no_strict_json_fails():
    verification = verify_record(RECORD, faults=['the key "a" appears twice in one object'])
    assert statuses(verification)["json"] == "failed"
    assert set(statuses(verification).values()) == {"failed", "skipped"}


# A forger who seals the record again


def forged(path: tuple[Any, ...], value: Any, record: dict[str, Any] = RECORD) -> dict[str, Any]:
    made = copy.deepcopy(record)
    place: Any = made
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return sealed(made)


@pytest.mark.parametrize(
    ("path", "value", "check"),
    [
        (("evidence", "ocr", 0, "bbox"), [0.1, 0.2, 0.5, 0.07], "audit"),
        (("evidence", "ocr", 0, "confidence"), 0.9, "audit"),
        (("evidence", "regions", 0, "bbox"), [0, 0, 0.5, 0.5], "audit"),
        (("coordinates", "transforms", 0, "normalized"), [0.1, 0.2, 0.5, 0.07], "audit"),
        (("coordinates", "transforms", 0, "original"), [100, 200, 600, 270], "audit"),
        (("coordinates", "transforms", 0, "convention"), "0-999-xyxy", "audit"),
        (("coordinates", "transforms", 0, "convention"), "made up", "audit"),
        (("evidence", "ocr", 0, "bbox"), [0.9, 0.9, 0.5, 0.5], "boxes"),
        (("evidence", "ocr", 0, "bbox"), None, "evidence"),
        (("evidence", "ocr", 0, "extra"), 1, "evidence"),
        (("evidence", "summary"), "", "evidence"),
        (("evidence", "schemaVersion"), "deepseekeyes.target.v1", "contract"),
        (("contract", "evidence"), "deepseekeyes.evidence.v0", "contract"),
        (("question"), "what?", "contract"),
        (("kind"), "target", "contract"),
        (("source", "width"), 121, "source-facts"),
        (("source", "orientation"), 1, "source-facts"),
        (("source", "mode"), "L", "source-facts"),
        (("source", "pixelSha256"), "0" * 64, "source-facts"),
        (("source", "converted"), ["16->8"], "source-facts"),
        (("source", "bytes"), 1, "source-facts"),
        (("source", "sha256"), "0" * 64, "source-hash"),
        (("rendition", "sha256"), "0" * 64, "rendition"),
        (("rendition", "width"), 63, "rendition"),
        (("rendition", "offset"), [1, 0], "rendition"),
        (("rendition", "scale"), [1, 1], "rendition"),
        (("rendition", "width"), 0, "boxes"),
        (("rendition", "scale"), [0, 0], "boxes"),
        (("rendition", "width"), 10**9, "rendition"),
        (("rendition", "scale"), [1e300, 1e-320], "rendition"),
        (("rendition", "offset"), [1e300, -1e300], "rendition"),
        (("rendition", "tiles"), [{"sha256": "0" * 64, "x": 0, "y": 0, "width": 10**6, "height": 10**6}], "rendition"),
        (("source", "width"), "80", "shape"),
        (("source", "frame"), True, "shape"),
        (("source", "frame"), 9, "source-facts"),
        (("source", "bytes"), 1e300, "shape"),
        (("cacheKey"), "d" * 64, "key"),
        (("schema"), "deepseekeyes.evidence-record.v2", "shape"),
        (("source", "extra"), 1, "shape"),
        (("route"), None, "shape"),
        (("evidence"), [], "shape"),
        (("repairs"), "none", "shape"),
    ],
)
def test_a_forged_field_is_caught_by_the_check_that_knows_it(path, value, check):
    steps = path if isinstance(path, tuple) else (path,)
    assert check in failing(forged(steps, value), picture=PICTURE, rederive=again, key=KEY)


def test_a_box_outside_of_the_crop_that_was_sent_is_caught():
    outside = forged(("evidence", "observations", 0, "bbox"), [0, 0, 0.1, 0.1], CROPPED)
    assert "boxes" in failing(outside)


@pytest.mark.parametrize("name", [name for name in RECORD if name != "recordSha256"])
def test_a_missing_field_is_caught(name):
    made = {key: value for key, value in RECORD.items() if key != name}
    assert failing(made) >= {"digest", "shape"}
    assert "shape" in failing(sealed(made))


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict) and value:
        return [leaf for key, item in value.items() for leaf in leaves(item, (*path, key))]
    if isinstance(value, list) and value:
        return [leaf for index, item in enumerate(value) for leaf in leaves(item, (*path, index))]
    return [path]


OTHERS = (
    st.none()
    | st.booleans()
    | st.integers(-10, 2000)
    | st.floats(allow_nan=True)
    | st.text(max_size=5)
    | st.just([])
    | st.just({})
)


@examples(250)
@given(data=st.data(), record=st.sampled_from([RECORD, CROPPED]))
def test_no_change_of_any_leaf_goes_unseen(data, record):
    path = data.draw(st.sampled_from(leaves(record)))
    value = data.draw(OTHERS)
    made = copy.deepcopy(record)
    place: Any = made
    for step in path[:-1]:
        place = place[step]
    if place[path[-1]] == value and type(place[path[-1]]) is type(value):
        return
    before = digest(made)
    place[path[-1]] = value
    with suppress(EyesError):  # a value that has no JSON form is a change
        if digest(made) == before:
            return
    verification = verify_record(made, picture=PICTURE, rederive=again, key=KEY)
    assert not verification.valid
    assert verification.outcome() == "verdict"


JUNK = st.recursive(
    OTHERS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@examples(150)
@given(data=st.data())
def test_any_record_sealed_by_a_forger_ends_in_verdicts_not_in_a_crash(data):
    made = copy.deepcopy(RECORD)
    for name in data.draw(st.lists(st.sampled_from(sorted(made)), max_size=3)):
        made[name] = data.draw(JUNK)
    inner = data.draw(st.sampled_from(["source", "rendition", "evidence", "coordinates", "contract"]))
    if isinstance(made.get(inner), dict) and made[inner]:
        made[inner][data.draw(st.sampled_from(sorted(made[inner])))] = data.draw(JUNK)
    with suppress(EyesError):
        made = sealed(made)
    verification = verify_record(made, picture=PICTURE, rederive=again, key=KEY)
    assert len(verification.checks) == 11


def test_a_number_beyond_every_double_fails_without_a_crash():
    assert failing({**RECORD, "source": {**RECORD["source"], "width": 10**400}}) == {"json"}


def test_a_record_of_absurd_depth_fails_without_a_crash():
    deep: Any = {}
    for _ in range(5000):
        deep = {"a": deep}
    assert failing({**RECORD, "evidence": deep}) == {"json"}


def test_the_upright_size_of_a_turned_picture():
    assert upright_size(PICTURE, LIMITS) == (80, 120)
