"""Standard input: raw bytes, documents, and the mistakes that land there."""

from __future__ import annotations

import json
import pickle

import pytest

from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.imaging.piped import CarriedError, check_piped_text, document_images, piped_documents

HASHES = ["a" * 64, "b" * 64, "c" * 64]


def picture(sha256: str = HASHES[0], **more: object) -> dict[str, object]:
    return {"sha256": sha256, "mediaType": "image/png", "bytes": 9, "width": 4, "height": 3, **more}


def record(sha256: str = HASHES[0]) -> dict[str, object]:
    return {
        "schema": "deepseekeyes.evidence-record.v1",
        "source": picture(sha256, orientation=1, pixelSha256="d" * 64),
        "rendition": picture("e" * 64),
        "evidence": {"summary": "x", "trap": picture("f" * 64)},
    }


FAILURE = {
    "schema": "deepseekeyes.error.v1",
    "error": ErrorBody(
        code="SOMETHING_WRONG",
        kind="unavailable",
        message="It broke.",
        hint="try again",
        details={"retryAfterSeconds": 3},
    ).model_dump(mode="json", by_alias=True),
}


def lines(*documents: object) -> bytes:
    return b"".join(json.dumps(document).encode() + b"\n" for document in documents)


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n....", b"plain words", b"<svg/>", b"\xff\xfe{\x00", b"# a heading", b"\x00\x01"]
)
def test_what_is_no_json_is_raw(data):
    assert piped_documents(data) is None


@pytest.mark.parametrize("form", ["line", "pretty", "bom", "crlf"])
def test_a_document_is_recognised_however_it_is_laid_out(form):
    text = json.dumps(record(), indent=2 if form == "pretty" else None)
    data = {"bom": b"\xef\xbb\xbf" + text.encode(), "crlf": text.encode() + b"\r\n"}.get(form, text.encode())

    assert piped_documents(data) == (record(),)


def test_json_lines_are_a_batch_whose_failures_are_left_out_of_the_way():
    found = piped_documents(lines(record(HASHES[0]), FAILURE, record(HASHES[1])))

    assert found is not None
    assert [image.sha256 for document in found for image in document_images(document)] == HASHES[:2]


@pytest.mark.parametrize("data", [b"", b"\n", b"  \r\n\t"])
def test_nothing_is_nothing(data):
    with pytest.raises(EyesError) as caught:
        piped_documents(data)
    assert caught.value.code.name == "STDIN_EMPTY"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (lines(record())[:-20], "STDIN_DOCUMENT_INVALID"),
        (lines(record()) + b"garbage", "STDIN_DOCUMENT_INVALID"),
        (lines({"hello": 1}), "STDIN_DOCUMENT_FOREIGN"),
        (lines([record()]), "STDIN_DOCUMENT_FOREIGN"),
        (lines(record(), {"other": 1}), "STDIN_DOCUMENT_FOREIGN"),
        (lines({"schema": "deepseekeyesx.v1"}), "STDIN_DOCUMENT_FOREIGN"),
        (b"{not json", "STDIN_DOCUMENT_FOREIGN"),
        (b"[" * 100_000, "STDIN_DOCUMENT_FOREIGN"),
    ],
)
def test_json_that_is_not_a_whole_document_of_ours_is_refused(data, code):
    with pytest.raises(EyesError) as caught:
        piped_documents(data)
    assert (caught.value.code.name, caught.value.kind) == (code, "input")


def test_a_failure_travels_on_with_its_document_code_and_exit():
    with pytest.raises(CarriedError) as caught:
        piped_documents(lines(FAILURE))

    assert caught.value.document == FAILURE
    assert caught.value.code == Code("SOMETHING_WRONG", "unavailable", "try again")
    assert (caught.value.exit_code, caught.value.details) == (5, {"retryAfterSeconds": 3})
    assert pickle.loads(pickle.dumps(caught.value)).document == FAILURE


def test_a_refused_action_is_a_failure_too():
    refused = {
        "schema": "deepseekeyes.browser-action.v1",
        "state": {"screenshot": picture()},
        "error": FAILURE["error"],
    }

    with pytest.raises(CarriedError) as caught:
        piped_documents(lines(refused))
    assert caught.value.document == refused


@pytest.mark.parametrize("error", ["text", {"code": "X"}, {"code": "X", "kind": "no-kind", "message": "", "hint": ""}])
def test_a_failure_that_breaks_its_contract_is_a_damaged_document(error):
    document = {"schema": "deepseekeyes.error.v1", "error": error}

    with pytest.raises(CarriedError) as caught:
        piped_documents(lines(document))
    assert (caught.value.code.name, caught.value.document) == ("STDIN_DOCUMENT_INVALID", document)


@pytest.mark.parametrize(
    ("document", "hashes"),
    [
        (record(), HASHES[:1]),
        (
            {
                "schema": "deepseekeyes.evidence-batch.v1",
                "items": [
                    {"record": record(HASHES[0]), "error": None},
                    {"record": None, "error": FAILURE["error"]},
                    {"record": record(HASHES[1]), "error": None},
                ],
            },
            HASHES[:2],
        ),
        ({"schema": "deepseekeyes.browser-observation.v1", "elements": [], "screenshot": picture()}, HASHES[:1]),
        ({"schema": "deepseekeyes.browser-observation.v1", "screenshot": None}, []),
        (
            {"schema": "deepseekeyes.desktop-observation.v1", "screenshot": picture(), "tiles": [picture(HASHES[1])]},
            HASHES[:2],
        ),
        (
            {"schema": "deepseekeyes.desktop-action.v1", "state": {"screenshot": picture(HASHES[2])}, "error": None},
            HASHES[2:],
        ),
        (
            {
                "schema": "deepseekeyes.mcp-result.v1",
                "images": [picture(HASHES[1]), picture(HASHES[0])],
                "structuredContent": {"fake": picture(HASHES[2])},
            },
            [HASHES[1], HASHES[0]],
        ),
        ({"schema": "deepseekeyes.answer.v1", "record": record(), "looks": [record(HASHES[1])]}, HASHES[:2]),
        ({"schema": "deepseekeyes.mcp-result.v1", "images": [picture(), picture()]}, HASHES[:1]),
        ({"schema": "deepseekeyes.doctor.v1"}, []),
    ],
)
def test_every_document_names_its_pictures_in_order(document, hashes):
    assert [image.sha256 for image in document_images(document)] == hashes


@pytest.mark.parametrize(
    "change",
    [
        {"sha256": "A" * 64},
        {"sha256": None},
        {"mediaType": "text/plain"},
        {"bytes": -1},
        {"width": True},
        {"height": 1.5},
    ],
)
def test_what_only_resembles_a_picture_is_none(change):
    assert document_images({"schema": "deepseekeyes.x.v1", "screenshot": {**picture(), **change}}) == []


def test_nesting_without_end_is_bounded():
    deep: dict[str, object] = {"screenshot": picture()}
    for _ in range(500):
        deep = {"state": deep}

    assert document_images(deep) == []


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"chart.png\n", "STDIN_BARE_PATH"),
        (b"./some dir/photo.JPEG", "STDIN_BARE_PATH"),
        (b"a.png\nb.png\nc.webp\n", "STDIN_BARE_PATH"),
        (b"error: no such file\nhint: check the path\n", "STDIN_TEXT_OUTPUT"),
        ("┏━━━━┓\n┃ ocr ┃\n".encode(), "STDIN_TEXT_OUTPUT"),
        (b"\x1b[1mSummary\x1b[0m a dialog", "STDIN_TEXT_OUTPUT"),
        ("a.png".encode("utf-16"), "INPUT_UTF16"),
    ],
)
def test_text_that_shows_a_mistake_gets_the_command_to_type(data, code):
    with pytest.raises(EyesError) as caught:
        check_piped_text(data)
    assert caught.value.code.name == code
    assert "{" not in caught.value.hint


@pytest.mark.parametrize("data", [b"just some words", b"<svg/>", b"\x89PNG\r\n\x1a\n", b"see chart.png for more"])
def test_other_bytes_pass(data):
    check_piped_text(data)


def test_a_path_in_the_hint_can_be_typed():
    with pytest.raises(EyesError) as caught:
        check_piped_text(b"my $(rm) photo.png")
    assert caught.value.hint.endswith("vision read 'my $(rm) photo.png'")


@pytest.mark.parametrize("schema", ["deepseekeyes.evidence-record.v9", "deepseekeyes.evidence-record", "deepseekeyes."])
@pytest.mark.parametrize("known", [(), (record(),)])
def test_a_document_of_another_release_is_refused_even_among_known_ones(schema, known):
    with pytest.raises(EyesError) as refused:
        piped_documents(lines(*known, {**record(), "schema": schema}))

    assert refused.value.code.name == "STDIN_DOCUMENT_FOREIGN"
    assert schema in refused.value.message
