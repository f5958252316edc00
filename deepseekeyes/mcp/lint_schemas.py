"""What is wrong with a tool's schema in the eyes of hosts and models. Pure, bounded, never fetches a reference."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote

from deepseekeyes.mcp.references import Unusable, for_model

MAX_VALUES: Final = 5_000
PROPERTY: Final = re.compile(r"^[A-Za-z0-9_.-]{1,64}$")
ROOT_UNIONS: Final = ("anyOf", "oneOf", "allOf", "not", "enum")

_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_DATA = frozenset({"const", "default", "enum", "example", "examples", "required"})


def root_troubles(schema: Any, *, present: bool = True) -> tuple[list[str], list[str]]:
    """What fails and what is odd about the root of an input schema."""
    if not present:
        return ["has no input schema"], []
    if schema is None:
        return ["has null for an input schema"], []
    if not isinstance(schema, dict):
        return [f"has an input schema that is {_kind(schema)}"], []
    bad, odd = [], []
    kind = schema.get("type")
    if kind is None:
        bad.append("has no `type` at the root of its schema")
    elif kind != "object":
        bad.append(f"has the type {str(kind)[:40]} at the root of its schema")
    unions = [key for key in ROOT_UNIONS if key in schema]
    if unions:
        odd.append(f"has {unions[0]} at the root of its schema, which several providers refuse")
    try:
        for_model(schema)
    except Unusable as unusable:
        if not bad:
            bad.append(f"cannot be shown to a model: {unusable}")
    return bad, odd


def reference_troubles(schema: Any) -> tuple[list[str], list[str]]:
    """References that lead nowhere (fail), and those into another document or back into themselves (odd)."""
    bad, odd = [], []
    for reference in dict.fromkeys(_references(schema)):
        if not reference.startswith("#"):
            bad.append(f"refers to another document: {reference[:60]}")
        elif not _resolves(schema, reference):
            bad.append(f"refers to {reference[:60]}, which does not exist")
    if not bad and _recursive(schema):
        odd.append("refers to itself; models are shown one level")
    return bad, odd


def grammar_trouble(schema: Any) -> str | None:
    """Why a schema is no JSON Schema, or None; very large ones are not looked at."""
    if not isinstance(schema, dict) or sum(1 for _ in _values(schema)) > MAX_VALUES:
        return None
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as wrong:
        place = "/" + "/".join(str(part)[:40] for part in list(wrong.absolute_path)[:12])
        return f"is no JSON Schema at {place}"
    except Exception:  # noqa: BLE001 - whatever a schema does to its validator is the schema's trouble
        return "is no JSON Schema that can be read"
    return None


def property_troubles(schema: Any) -> tuple[list[str], int, int]:
    """Property names that providers refuse; how many properties there are; how many have no description."""
    found = schema.get("properties") if isinstance(schema, dict) else None
    properties = found if isinstance(found, dict) else {}
    bad = [f"has the property {str(name)[:40]!r}" for name in properties if PROPERTY.fullmatch(str(name)) is None]
    silent = sum(not (isinstance(each, dict) and each.get("description")) for each in properties.values())
    required = schema.get("required") if isinstance(schema, dict) else None
    unknown = [name for name in required if name not in properties] if isinstance(required, list) else []
    bad += [f"requires {str(name)[:40]!r}, which is no property" for name in unknown]
    return bad, len(properties), silent


def _kind(value: Any) -> str:
    return {bool: "a boolean", str: "text", list: "a list"}.get(type(value), "a number")


def _values(schema: Any) -> Iterator[Any]:
    stack = [schema]
    while stack:
        value = stack.pop()
        yield value
        if isinstance(value, dict):
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)


def _schemas(root: Any) -> Iterator[dict[str, Any]]:
    """Every object in a schema position."""
    stack: list[tuple[Any, bool]] = [(root, False)]
    while stack:
        value, names = stack.pop()
        if isinstance(value, list):
            stack.extend((item, False) for item in value)
        elif isinstance(value, dict):
            if not names:
                yield value
            stack.extend(
                (item, not names and key in _NAMED) for key, item in value.items() if names or key not in _DATA
            )


def _references(schema: Any) -> Iterator[str]:
    for each in _schemas(schema):
        for key in ("$ref", "$dynamicRef"):
            if isinstance(each.get(key), str):
                yield each[key]


def _resolves(schema: Any, reference: str) -> bool:
    if reference == "#":
        return True
    if not reference.startswith("#/"):
        anchor = reference[1:]
        return any(anchor in (each.get("$anchor"), each.get("$dynamicAnchor")) for each in _schemas(schema))
    return _target(schema, reference) is not None


def _target(schema: Any, reference: str) -> Any:
    found = schema
    for part in reference[2:].split("/"):
        key = unquote(part).replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and key in found:
            found = found[key]
        elif isinstance(found, list) and key.isdigit() and int(key) < len(found):
            found = found[int(key)]
        else:
            return None
    return found


def _recursive(schema: Any) -> bool:
    """Whether following references leads back to where it began."""
    edges = {
        reference: set(_references(_target(schema, reference)))
        for reference in set(_references(schema))
        if reference.startswith("#/")
    }
    if "#" in set(_references(schema)):
        return True
    done: set[str] = set()
    for start in edges:
        trail, stack = {start}, list(edges[start])
        while stack:
            at = stack.pop()
            if at == start:
                return True
            if at not in trail and at not in done:
                trail.add(at)
                stack.extend(edges.get(at, ()))
        done.add(start)
    return False
