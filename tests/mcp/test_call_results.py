"""What a call's result becomes: pictures, lifted pictures, blobs, artifacts, remarks."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
import json
from pathlib import Path

import pytest
from PIL import Image

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.call import CallRequest, call


def png(colour: str = "red", size: int = 16) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (size, size), colour).save(buffer, "PNG")
    return buffer.getvalue()


def image_block(data: bytes, media_type: str = "image/png") -> dict:
    return {"type": "image", "mimeType": media_type, "data": base64.b64encode(data).decode()}


def run(bench, **fields):
    request = CallRequest(**{"server": "git", "tool": "echo", **fields})
    return asyncio.run(call(request, bench.deps))


def refused(bench, **fields) -> EyesError:
    with pytest.raises(EyesError) as caught:
        run(bench, **fields)
    return caught.value


def test_images_go_to_the_blob_store_in_order_and_the_document_yields_them(bench, fakes):
    red, blue = png("red"), png("blue")
    _, connector = fakes.one({"tools/call": {"content": [image_block(red), image_block(blue)]}})
    made = bench(connector)
    result = run(made)
    assert [each.sha256 for each in result.images()] == [hashlib.sha256(each).hexdigest() for each in (red, blue)]
    assert made.blobs.get(result.images()[1].sha256) == blue
    assert result.preview.count("delivered as a model attachment") == 2
    assert result.to_json()["images"][0]["mediaType"] == "image/png"
    assert result.artifact is not None


@pytest.mark.parametrize(
    ("block", "code"),
    [
        (image_block(b"no picture at all"), "MCP_RESULT_IMAGE_INVALID"),
        (image_block(png()[:-20]), "MCP_RESULT_IMAGE_INVALID"),
        ({"type": "image", "mimeType": "image/png", "data": "AQI"}, "INVALID_IMAGE_BASE64"),
        ({"type": "image", "mimeType": "image/png", "data": "AQ=="[:2] + "J="}, "INVALID_IMAGE_BASE64"),
    ],
)
def test_one_bad_image_refuses_the_whole_batch(bench, fakes, block, code):
    _, connector = fakes.one({"tools/call": {"content": [image_block(png()), block]}})
    made = bench(connector)
    error = refused(made)
    assert (error.code.name, error.exit_code) == (code, 6)
    assert list(made.blobs.entries()) == []
    assert not (made.home / "mcp-artifacts").exists()
    assert made.booked[0].counters["mcpResultInputTokensEstimated"] == 0


def test_a_picture_hidden_in_text_is_lifted_out(bench, fakes):
    data = png(size=64)
    hidden = base64.b64encode(data).decode()
    _, connector = fakes.one({"tools/call": fakes.text(f"shot: data:image/png;base64,{hidden} done")})
    result = run(bench(connector))
    assert [each.sha256 for each in result.images()] == [hashlib.sha256(data).hexdigest()]
    assert hidden not in result.preview
    assert result.preview.startswith("shot: ")
    assert result.preview.endswith(" done")


def test_a_picture_repeated_in_structured_content_is_delivered_once(bench, fakes):
    data = png()
    value = {"content": [image_block(data)], "structuredContent": {"data": base64.b64encode(data).decode()}}
    _, connector = fakes.one({"tools/call": value})
    result = run(bench(connector))
    assert len(result.images()) == 1
    assert base64.b64encode(data).decode() not in result.preview


def test_m25_a_pretty_printed_blob_becomes_one_line_and_an_artifact(bench, fakes):
    blob = base64.b64encode(bytes(range(256)) * 40).decode()
    _, connector = fakes.one({"tools/call": fakes.text(json.dumps({"blob": blob}, indent=2))})
    result = run(bench(connector))
    assert blob[:200] not in result.preview
    assert len(result.preview) < 300
    assert hashlib.sha256(Path(result.artifact.path).read_bytes()).hexdigest() == result.sha256


def test_m23_a_source_file_as_a_blob_is_shown(bench, fakes):
    source = "def answer():\n    return 42\n"
    resource = {
        "uri": "file:///a.py",
        "mimeType": "application/octet-stream",
        "blob": base64.b64encode(source.encode()).decode(),
    }
    _, connector = fakes.one({"tools/call": {"content": [{"type": "resource", "resource": resource}]}})
    assert source in run(bench(connector)).preview


def test_m29_structured_content_beside_empty_content_is_shown(bench, fakes):
    _, connector = fakes.one({"tools/call": {"content": [], "structuredContent": {"b": 1, "a": [2.0]}}})
    result = run(bench(connector))
    assert result.preview == 'structuredContent: {"a":[2],"b":1}'
    assert result.structured == {"b": 1, "a": [2.0]}


def test_m27_an_error_result_is_not_held_to_the_output_schema(bench, fakes):
    schema = {"type": "object", "required": ["x"]}
    value = {"content": [{"type": "text", "text": "real error"}], "isError": True, "structuredContent": {}}
    _, connector = fakes.one({"tools/list": {"tools": [fakes.tool(outputSchema=schema)]}, "tools/call": value})
    result = run(bench(connector))
    assert (result.status, result.warnings) == ("error", ())
    assert "real error" in result.preview


def test_a_result_that_breaks_its_output_schema_is_kept_with_a_remark(bench, fakes):
    schema = {"type": "object", "required": ["x"]}
    value = {"content": [{"type": "text", "text": "ok"}], "structuredContent": {}}
    _, connector = fakes.one({"tools/list": {"tools": [fakes.tool(outputSchema=schema)]}, "tools/call": value})
    result = run(bench(connector))
    assert (result.status, len(result.warnings)) == ("success", 1)


def test_a_long_result_is_cut_and_kept_whole(bench, fakes):
    _, connector = fakes.one({"tools/call": fakes.text("x" * 512 * 1024)})
    made = bench(connector, fakes.settings(max_result_chars=256))
    result = run(made)
    assert (len(result.preview), result.truncated, result.omitted_chars) == (256, True, 512 * 1024 - 255)
    path = made.home / "mcp-artifacts" / "git" / f"echo-{result.sha256}.json"
    assert json.loads(path.read_bytes()) == fakes.text("x" * 512 * 1024)
    assert path.stat().st_mode & 0o077 == 0


def test_without_artifacts_the_text_never_claims_that_something_was_kept(bench, fakes):
    _, connector = fakes.one({"tools/call": {"content": [{"type": "audio", "mimeType": "audio/wav", "data": "AAAA"}]}})
    result = run(bench(connector, fakes.settings(artifact_dir=False)))
    assert (result.artifact, "preserved" in result.preview) == (None, False)


def test_a_folder_in_the_place_of_an_artifact_fails_the_result_and_leaves_nothing_behind(bench, fakes):
    value = {"content": [{"type": "audio"}]}
    _, connector = fakes.one({"tools/call": value})
    made = bench(connector)
    digest = hashlib.sha256(b'{"content":[{"type":"audio"}]}').hexdigest()
    place = made.home / "mcp-artifacts" / "git" / f"echo-{digest}.json"
    place.mkdir(parents=True)
    (place / "other").write_text("kept")
    assert refused(made).code.name == "MCP_TOOL_RESULT_FAILED"
    assert sorted(each.name for each in place.parent.iterdir()) == [place.name]
    assert (place / "other").read_text() == "kept"


def test_a_result_nested_too_deeply_is_refused_before_any_image_is_decoded(bench, fakes):
    deep: dict = {}
    inner = deep
    for _ in range(20_000):
        inner["x"] = {}
        inner = inner["x"]
    value = {"content": [image_block(png())], "structuredContent": deep}
    _, connector = fakes.one({"tools/call": value})
    made = bench(connector)
    assert refused(made).code.name == "MCP_RESULT_DEPTH_LIMIT"
    assert list(made.blobs.entries()) == []
    while deep:
        deep = deep.pop("x", {})


def test_a_server_that_asks_a_question_in_between_is_named_as_such(bench, fakes):
    _, connector = fakes.one({"tools/call": {"resultType": "input_required", "inputRequests": {}}})
    assert refused(bench(connector)).code.name == "MCP_INPUT_REQUIRED"
