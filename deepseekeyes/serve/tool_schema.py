"""From request and result models to the schemas of a tool: self-contained, without titles, of bounded depth."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic.alias_generators import to_camel

from deepseekeyes.serve.tool_table import FIELDS, PICTURE_FIELDS

if TYPE_CHECKING:
    from deepseekeyes.contracts.model import Contract
    from deepseekeyes.serve.tool_table import Served

SCHEMAS = Path(__file__).parent.parent / "schemas"
PICTURES = "withImages"
ERROR_SCHEMA = "deepseekeyes.error.v1"
DEPTH = 2

_ATTRIBUTE = re.compile(r"^ {4,8}([a-z_]+(?:, [a-z_]+)*): (.+)$")
_OUTLINE = frozenset({"type", "const", "enum"})
_NAMES = frozenset({"properties", "patternProperties"})


def input_schema(request: type[Contract], row: Served, *, pictures: bool) -> dict[str, Any]:
    """What a tool takes. Argument names are camelCase, as in every document; snake_case is accepted too.

    Args:
        request: the operation's request model.
        row: which fields are hidden, single, or given as text.
        pictures: whether the result can name pictures that the caller may ask for.
    """
    from deepseekeyes.mcp.references import for_model

    schema = for_model(request.model_json_schema(by_alias=True, mode="validation"))
    said = documented(request)
    properties: dict[str, Any] = {}
    required = list(schema.get("required", ()))
    for name, field in request.model_fields.items():
        if name in row.hidden:
            continue
        alias = field.alias or to_camel(name)
        value = _tidy(schema["properties"][alias])
        if "pattern" not in value and name in PICTURE_FIELDS:
            value["description"] = PICTURE_FIELDS[name]
        description = said.get(name) or FIELDS.get(name)
        if description:
            value.setdefault("description", description)
        shown, value = _offered(name, alias, value, row)
        properties[shown] = value
        if shown != alias and alias in required:
            required[required.index(alias)] = shown
    if row.text:
        required = sorted({*required, "text"})
    if pictures:
        properties[PICTURES] = {
            "type": "boolean",
            "default": False,
            "description": "Also return the pictures that the result names.",
        }
    made: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    kept = [name for name in required if name in properties]
    return {**made, "required": kept} if kept else made


def _offered(name: str, alias: str, value: dict[str, Any], row: Served) -> tuple[str, dict[str, Any]]:
    """The argument under which a field is offered, and its schema."""
    if row.one is not None and name == row.one[0]:
        return row.one[1], {
            "type": "string",
            "minLength": 1,
            "description": PICTURE_FIELDS[row.one[1]],
        }
    if name == row.text:
        return "text", {"type": "string", "minLength": 1, "description": "The content itself."}
    return alias, value


def documented(request: type[Contract]) -> dict[str, str]:
    """What a request's docstring says about each field in its `Attributes:` part."""
    lines = (request.__doc__ or "").partition("Attributes:")[2].splitlines()
    found: dict[str, str] = {}
    current: list[str] = []
    for line in lines:
        match = _ATTRIBUTE.match(line)
        if match is not None:
            current = match[1].split(", ")
            found |= dict.fromkeys(current, match[2])
        elif line.strip() and current:
            found |= {name: f"{found[name]} {line.strip()}" for name in current}
    return {name: text[:1].upper() + text[1:] for name, text in found.items()}


def _tidy(schema: Any) -> dict[str, Any]:
    """A property's schema without titles and without the null that stands for absent."""
    if not isinstance(schema, dict):
        return {}
    kept = {key: value for key, value in schema.items() if key != "title"}
    if kept.get("default", ...) is None:
        del kept["default"]
    branches = kept.get("anyOf")
    if isinstance(branches, list):
        solid = [branch for branch in branches if branch != {"type": "null"}]
        kept["anyOf"] = solid
        if len(solid) == 1 and isinstance(solid[0], dict):
            del kept["anyOf"]
            kept = {**solid[0], **kept}
    return _untitled(kept)


def _untitled(schema: dict[str, Any]) -> dict[str, Any]:
    return {
        key: {name: _untitled(part) for name, part in value.items()}
        if key in _NAMES and isinstance(value, dict)
        else _untitled(value)
        if isinstance(value, dict) and key not in ("default", "const")
        else [_untitled(part) if isinstance(part, dict) else part for part in value]
        if isinstance(value, list) and key not in ("enum", "required", "examples", "default")
        else value
        for key, value in schema.items()
        if key != "title"
    }


@cache
def published(name: str) -> Mapping[str, Any]:
    """A schema that the package carries, by its name without `.schema.json`.

    Raises:
        FileNotFoundError: there is none of that name.
    """
    loaded: dict[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    return loaded


def published_names() -> tuple[str, ...]:
    """The names of all schemas that the package carries."""
    return tuple(sorted(path.name.removesuffix(".schema.json") for path in SCHEMAS.glob("*.schema.json")))


def output_schema(name: str) -> dict[str, Any]:
    """The outline of a result: the published schema down to the second level, deeper values by type only.

    Whatever the published schema allows, the outline allows; and the error document, which clients hold against a
    tool's schema as well, and whose `schema` says what it is. Which members a result has besides is in the published
    schema.
    """
    from deepseekeyes.mcp.references import for_model

    outline: dict[str, Any] = _outline(for_model(dict(published(name))), DEPTH)
    members = dict(outline.get("properties", {}))
    members["schema"] = {"type": "string", "enum": sorted({members["schema"]["const"], ERROR_SCHEMA})}
    members.setdefault("error", {"type": "object"})
    open_ended = {key: value for key, value in outline.items() if key not in ("additionalProperties", "required")}
    return {**open_ended, "properties": members, "required": ["schema"]}


def _typed(schema: dict[str, Any]) -> dict[str, Any]:
    """A value by its type only; a choice by the types of its branches."""
    branches = schema.get("anyOf")
    if isinstance(branches, list):
        typed = [_typed(branch) for branch in branches]
        return {"anyOf": typed} if all(typed) else {}
    return {key: value for key, value in schema.items() if key in _OUTLINE}


def _outline(schema: Any, depth: int) -> Any:
    if not isinstance(schema, dict):
        return schema
    if depth == 0:
        return _typed(schema)
    made: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("title", "description", "default", "pattern", "examples"):
            continue
        if key in _NAMES and isinstance(value, dict):
            made[key] = {name: _outline(part, depth - 1) for name, part in value.items()}
        elif key in ("items", "additionalProperties"):
            made[key] = _outline(value, depth - 1)
        elif key in ("anyOf", "oneOf", "allOf") and isinstance(value, list):
            made[key] = [_outline(part, depth) for part in value]
        else:
            made[key] = value
    return made
