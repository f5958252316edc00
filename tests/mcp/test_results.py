"""Admission, preview, lifting and artifacts."""

from __future__ import annotations

import base64
import io
import json

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from PIL import Image

from deepseekeyes.core.errors import EyesError
from deepseekeyes.imaging.settings import IntakeLimits
from deepseekeyes.mcp.admission import admit_result
from deepseekeyes.mcp.artifact_files import ArtifactFiles, safe_label
from deepseekeyes.mcp.blocks import decoded_text
from deepseekeyes.mcp.content_blocks import prompt_blocks, resource_blocks
from deepseekeyes.mcp.lifting import find_hidden
from deepseekeyes.mcp.preview import bound, render, result_tokens
from deepseekeyes.mcp.result import Sink, process, tool_blocks
from deepseekeyes.mcp.settings import McpSettings
from deepseekeyes.store.blobs import Blobs

TEXT = {"content": [{"type": "text", "text": "hi"}]}
PICTURE = {"content": [{"type": "image", "mimeType": "image/png", "data": "AQID"}]}


def png(size=8):
    buffer = io.BytesIO()
    Image.effect_noise((size, size), 50).save(buffer, "PNG")
    return buffer.getvalue()


def shown(value, *, interpret=tool_blocks, tmp_path=None, **fields):
    section = McpSettings(**fields)
    sink = Sink(section, IntakeLimits(), ArtifactFiles(tmp_path), Blobs(None))
    return process(value, sink, server="s", label="t", interpret=interpret)


def code(value, **fields):
    with pytest.raises(EyesError) as caught:
        admit_result(value, McpSettings(**fields))
    return caught.value.code.name


def test_counts_have_their_golden_values():
    text = admit_result(TEXT, McpSettings())
    assert (text.nodes, text.blocks, text.string_chars) == (5, 1, 21)
    image = admit_result(PICTURE, McpSettings())
    counted = (image.nodes, image.blocks, image.string_chars, image.images, image.encoded, image.decoded)
    assert counted == (6, 1, 37, 1, 4, 3)


@pytest.mark.parametrize(
    ("value", "field", "exact", "expected"),
    [
        ({"a": [0] * 98}, "max_result_nodes", 100, "MCP_RESULT_NODE_LIMIT"),
        ({"content": [{}, {}]}, "max_result_blocks", 2, "MCP_RESULT_BLOCK_LIMIT"),
        ({"x": {"content": [{}, {}]}}, "max_result_blocks", 2, "MCP_RESULT_BLOCK_LIMIT"),
        ({"a": "x" * 999}, "max_result_string_chars", 1000, "MCP_RESULT_STRING_LIMIT"),
        ({"a": {"a": {"a": {}}}}, "max_result_depth", 4, "MCP_RESULT_DEPTH_LIMIT"),
        (PICTURE, "max_images", 1, "MCP_RESULT_IMAGE_COUNT_LIMIT"),
        (
            {"content": [{"type": "image", "data": "AAAA" * 250}]},
            "max_image_encoded_chars",
            1000,
            "MCP_RESULT_IMAGE_ENCODED_LIMIT",
        ),
        (
            {"content": [{"type": "image", "data": "AAAA" * 333 + "AA=="}]},
            "max_image_bytes",
            1000,
            "MCP_RESULT_IMAGE_DECODED_LIMIT",
        ),
    ],
)
def test_exactly_at_a_limit_passes_and_one_more_does_not(value, field, exact, expected):
    admit_result(value, McpSettings(**{field: exact}))
    smaller = {"max_result_nodes", "max_result_string_chars", "max_image_encoded_chars", "max_image_bytes"}
    if field in smaller:
        grown = json.loads(
            json.dumps(value).replace("[0,", "[0, 0,", 1).replace("xx", "xxx", 1).replace('"AAAA', '"AAAAAAAA', 1)
        )
        assert code(grown, **{field: exact}) == expected
    elif field == "max_result_depth":
        assert code({"a": value}, **{field: exact}) == expected
    else:
        assert code(value, **{field: exact - 1}) == expected


@pytest.mark.parametrize("data", ["", "A", "AQI", "AQ=A", "AQID\n", "AQ-_", "===="])
def test_base64_that_is_not_plain_is_refused(data):
    assert code({"content": [{"type": "image", "data": data}]}) == "INVALID_IMAGE_BASE64"


def test_what_is_no_json_is_refused():
    assert code({"a": object()}) == "MCP_RESULT_INVALID"
    assert code({"a": b"x"}) == "MCP_RESULT_INVALID"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["content", "data", "type", "text", "x"]), inner, max_size=3)
    ),
    max_leaves=15,
)


@given(JSON)
def test_admission_never_lets_more_through_than_its_limits(value):
    section = McpSettings(max_result_nodes=100, max_result_blocks=2, max_images=1, max_result_depth=4)
    try:
        tally = admit_result(value, section)
    except EyesError as refused:
        event(refused.code.name)
        return
    assert tally.nodes <= 100
    assert tally.blocks <= 2
    assert tally.images <= 1


@given(st.dictionaries(st.sampled_from(["content", "structuredContent", "isError", "x"]), JSON, max_size=4))
def test_any_object_becomes_a_bounded_result_or_a_typed_refusal(value):
    try:
        result = shown(value, max_result_chars=256)
    except EyesError as refused:
        event(refused.code.name)
        return
    assert len(result.preview.encode("utf-16-le", "surrogatepass")) // 2 <= 256


@pytest.mark.parametrize(
    ("text", "limit", "kept", "omitted"),
    [
        ("abcdef", 4, "abc…", 3),
        ("abc😀d", 5, "abc…", 3),
        ("a", 1, "a", 0),
        ("ab", 1, "…", 2),
        ("ab", 0, "", 2),
        ("abcd", 4, "abcd", 0),
    ],
)
def test_a_preview_is_cut_between_characters(text, limit, kept, omitted):
    assert bound(text, limit) == (kept, omitted)


def test_the_cost_of_a_result_has_its_golden_value():
    rendered = render(sha256="0" * 64, size=321, truncated=False, artifact=None, preview="visual result")
    assert result_tokens(rendered, []) == 50


def test_the_digest_of_a_result_has_its_golden_value():
    value = {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}
    result = shown(value)
    assert (result.bytes, result.sha256[:12], result.preview) == (67, "c9e61dfbc3b4", "a\nb")


def test_a_picture_that_no_store_takes_is_named_and_not_promised():
    block = {"type": "image", "mimeType": "image/png", "data": base64.b64encode(png()).decode()}
    section = McpSettings(artifact_dir=False)
    sink = Sink(section, IntakeLimits(), ArtifactFiles(None), None)
    result = process({"content": [block]}, sink, server="s", label="t", interpret=tool_blocks)
    assert result.images == ()
    assert "disabled" in result.preview


def test_more_hidden_pictures_than_allowed_become_lines():
    text = " ".join(base64.b64encode(png(size)).decode() for size in range(20, 32))
    result = shown({"content": [{"type": "text", "text": text}]}, max_images=2)
    assert len(result.images) == 2
    assert result.preview.count("characters of base64") == 10


@pytest.mark.parametrize("text", ["x" * 5000, "deadbeef" * 1000, "A" * 100, "word " * 2000, "-" * 9000])
def test_text_that_is_only_long_is_left_alone(text):
    assert find_hidden(text) == ()


def test_a_picture_cut_in_text_is_no_picture():
    cut = base64.b64encode(png(64)[:500]).decode()
    result = shown({"content": [{"type": "text", "text": f"see {cut}!"}]})
    assert result.images == ()
    assert cut not in result.preview


@pytest.mark.parametrize(
    ("data", "media_type", "text"),
    [
        (b"hi", "text/plain", "hi"),
        (b"{}", "application/json", "{}"),
        (b"{}", "application/vnd.x+json", "{}"),
        (b"<svg/>", "image/svg+xml", "<svg/>"),
        (b"def f():\n\tpass\n", None, "def f():\n\tpass\n"),
        (b"a\x00b", None, None),
        (b"\xff\xfe", "text/plain", None),
        (b"PK\x03\x04", "application/zip", None),
        (b"plain", "application/zip", None),
    ],
)
def test_m23_blobs_that_are_text_are_read_as_text(data, media_type, text):
    assert decoded_text(base64.b64encode(data).decode(), media_type) == text


def test_resources_of_every_kind_are_read():
    picture = base64.b64encode(png()).decode()
    value = {
        "contents": [
            {"uri": "a://1", "text": "one"},
            {"uri": "a://2", "mimeType": "image/png", "blob": picture},
            {"uri": "a://3", "mimeType": "audio/wav", "blob": "AAAA"},
            {"uri": "a://4", "mimeType": "application/zip", "blob": "AAAA"},
            {"uri": "a://5"},
            7,
        ]
    }
    result = shown(value, interpret=resource_blocks, artifact_dir=False)
    assert result.preview.splitlines()[:2] == ["[MCP resource a://1]", "one"]
    assert len(result.images) == 1
    assert result.preview.count("disabled]") == 4


def test_prompts_keep_roles_and_refuse_what_has_no_messages():
    value = {
        "messages": [
            {"role": "user", "content": {"type": "text", "text": "a"}},
            {"role": "system", "content": [{"type": "text", "text": "b"}]},
            5,
        ]
    }
    result = shown(value, interpret=prompt_blocks, artifact_dir=False)
    assert result.preview.splitlines()[:4] == ["[MCP prompt user]", "a", "[MCP prompt unknown role]", "b"]
    with pytest.raises(EyesError) as caught:
        shown({"messages": "x"}, interpret=prompt_blocks)
    assert caught.value.code.name == "MCP_PROMPT_RESULT_INVALID"
    with pytest.raises(EyesError) as caught:
        shown({}, interpret=resource_blocks)
    assert caught.value.code.name == "MCP_RESOURCE_RESULT_INVALID"


def test_an_artifact_is_found_by_its_digest_and_a_changed_one_is_seen(tmp_path):
    result = shown({"content": [{"type": "audio"}]}, tmp_path=tmp_path)
    files = ArtifactFiles(tmp_path)
    found = files.find(result.sha256[:8])
    assert (found.server, found.label, found.sound, found.path) == ("s", "t", True, result.artifact)
    result.artifact.write_bytes(b"{}")
    assert files.find(result.sha256).sound is False
    again = shown({"content": [{"type": "audio"}]}, tmp_path=tmp_path)
    assert files.find(again.sha256).sound is True
    assert files.remove(found)
    with pytest.raises(EyesError):
        files.find(result.sha256)


@pytest.mark.parametrize(
    ("text", "label"), [("a/../b", "a____b"), ("", "unknown"), ("x" * 100, "x" * 64), ("名前", "__"), (".", "_")]
)
def test_labels_are_safe_file_names(text, label):
    assert safe_label(text) == label
