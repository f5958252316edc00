"""Operations as tools: which, under what names, with what schemas and hints."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from deepseekeyes.core.errors import EyesError
from deepseekeyes.imaging.codes import INPUT_PATH_REFUSED
from deepseekeyes.mcp.references import has_references
from deepseekeyes.operations import OPERATIONS
from deepseekeyes.serve.results import failed
from deepseekeyes.serve.tool_names import MAX_NAME, fitted, served_name, upstream_name
from deepseekeyes.serve.tool_schema import output_schema, published, published_names
from deepseekeyes.serve.tool_table import LEFT_OUT, SERVED
from deepseekeyes.serve.tools import ServedTool, groups, left_out, served_tools

EVERY = served_tools(groups())
IDS = [tool.name for tool in EVERY]


def tool(operation: str) -> ServedTool:
    return next(each for each in EVERY if each.operation == operation)


def test_every_operation_is_a_tool_or_is_left_out_with_a_reason() -> None:
    assert [name for name, reason in left_out().items() if not reason] == []
    assert set(SERVED) & set(LEFT_OUT) == set()


def test_nothing_that_removes_or_trusts_is_a_tool() -> None:
    served = {each.operation for each in EVERY}
    assert served & {"usage.reset", "vision.cache.prune", "config.trust", "config.init", "mcp.call"} == set()


@pytest.mark.parametrize("each", EVERY, ids=IDS)
def test_a_tool_has_a_safe_short_name_and_a_description_for_a_model(each: ServedTool) -> None:
    assert re.fullmatch(r"[a-z0-9_]{1,40}", each.name)
    assert len(each.description) > 20
    assert each.description.endswith((".", "`"))


@pytest.mark.parametrize("each", EVERY, ids=IDS)
def test_schemas_are_objects_without_references(each: ServedTool) -> None:
    for schema in (each.input_schema, each.output_schema):
        assert schema["type"] == "object"
        assert not has_references(schema)
    assert each.input_schema["additionalProperties"] is False
    assert set(each.input_schema.get("required", ())) <= set(each.input_schema["properties"])


def test_the_arguments_of_reading_a_picture() -> None:
    schema = tool("vision.read").input_schema
    assert schema["required"] == ["image"]
    assert {"image", "route", "fresh", "frame", "withImages"} <= set(schema["properties"])
    assert not {"images", "allowUrl"} & set(schema["properties"])
    assert '"null"' not in json.dumps(schema)


@pytest.mark.parametrize(
    ("operation", "hints"),
    [
        ("vision.read", (False, False, False, True)),
        ("vision.cache.get", (True, False, True, False)),
        ("vision.routes", (True, False, True, True)),
        ("probe.run", (False, False, False, True)),
        ("probe.show", (True, False, True, False)),
        ("probe.grade", (True, False, True, False)),
    ],
)
def test_hints_say_what_the_effect_is(operation: str, hints: tuple[bool, ...]) -> None:
    found = tool(operation).hints
    assert (found.read_only, found.destructive, found.idempotent, found.open_world) == hints


def test_only_operations_that_change_nothing_are_called_read_only() -> None:
    changing = {"stores", "spends", "acts"}
    liars = [
        each.operation
        for each in EVERY
        if each.hints.read_only and OPERATIONS[each.operation].effect in changing and not each.row.hidden
    ]
    assert liars == []


def test_arguments_become_the_payload_of_the_operation() -> None:
    assert tool("vision.read").payload({"image": "a.png", "fresh": True, "withImages": True}) == (
        {"images": ["a.png"], "fresh": True}, None, True,
    )  # fmt: skip
    assert tool("probe.grade").payload({"rung": "text", "seed": 3, "text": "ab"}) == (
        {"rung": "text", "seed": 3, "file": "-"}, b"ab", False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("vision.read", {"image": "a", "allowUrl": True}),
        ("vision.read", {"image": "a", "allow_url": True}),
        ("vision.read", {"images": ["a"]}),
        ("probe.show", {"forget": "eye"}),
        ("probe.challenge", {"rung": "grid", "out": "/tmp/x"}),
        ("vision.validate", {"file": "/etc/passwd", "text": "x"}),
        ("vision.routes", {"reset": True}),
        ("usage.show", {"withImages": True}),
    ],
)
def test_what_a_model_may_not_set_is_refused(operation: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(EyesError) as refused:
        tool(operation).payload(arguments)
    assert refused.value.code.name == "SERVE_ARGUMENT_UNKNOWN"


def test_an_unknown_group_is_refused_with_the_groups_there_are() -> None:
    with pytest.raises(EyesError) as refused:
        served_tools(["vison"])
    assert (refused.value.code.name, refused.value.details["candidates"]) == ("SERVE_GROUP_UNKNOWN", list(groups()))


@pytest.mark.parametrize("name", [name for name in published_names() if name.endswith(".v1")])
def test_an_outline_names_the_fields_of_the_published_schema(name: str) -> None:
    outline = output_schema(name)
    assert set(outline["properties"]) == {*published(name)["properties"], "error"}
    assert not has_references(outline)


@pytest.mark.parametrize("each", EVERY, ids=IDS)
def test_a_failure_passes_where_a_client_holds_it_against_the_tools_schema(each: ServedTool) -> None:
    structured = failed(EyesError(INPUT_PATH_REFUSED, "No.")).structured
    Draft202012Validator(each.output_schema).validate(structured)


def test_names_of_operations_and_of_managed_tools() -> None:
    assert served_name("vision.cache.get") == "vision_cache_get"
    assert upstream_name("mcp__git__log") == "git__log"
    long = upstream_name("mcp__a_server_with_a_name__a_tool_with_a_very_long_name_indeed")
    assert long == "a_server_with_a_name__a_too_aafc97374456"


@given(st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=80))
def test_a_fitted_name_is_short_safe_stable_and_tells_identities_apart(one: str, other: str) -> None:
    name = fitted(one, one)
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name)
    assert len(name) <= MAX_NAME
    assert name == fitted(one, one)
    assert one == other or name != fitted(other, other)
