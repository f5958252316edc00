"""The JSON Schema of catalog.json, made from the entry model; it says yes and no where `build_catalog` does."""

from __future__ import annotations

from typing import Any

from deepseekeyes.routing.catalog import OWN_BODY_KEYS, OWN_HEADERS, ROUTE_ID, Limits, Prices, Route
from deepseekeyes.routing.merge import BUILT_IN, CATALOG_SCHEMA, SERVED_BY_NETWORK

COMMENT = r"^\$"


def catalog_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of the document."""
    from pydantic.json_schema import models_json_schema

    _, shared = models_json_schema(
        [(Route, "validation"), (Limits, "validation"), (Prices, "validation")],
        ref_template="#/$defs/{model}",
        by_alias=False,
    )
    definitions: dict[str, Any] = shared["$defs"]
    entry = _entry(definitions.pop("Route"))
    needs_endpoint = {
        "if": {"properties": {"engine": {"enum": sorted(SERVED_BY_NETWORK)}}, "required": ["engine"]},
        "then": {"required": ["base_url"], "properties": {"base_url": {"type": "string"}}},
    }
    whole = {"allOf": [{"$ref": "#/$defs/Entry"}, needs_endpoint], "required": ["engine", "model", "capabilities"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:deepseekeyes:catalog.v1",
        "title": "deepseekeyes catalog",
        "description": "catalog.json of the home: routes by id. An entry of a carried id lies over that one.",
        "type": "object",
        "properties": {
            "schema": {"const": CATALOG_SCHEMA},
            "routes": {
                "type": "object",
                "propertyNames": {"pattern": ROUTE_ID, "maxLength": 128},
                "properties": {name: {"$ref": "#/$defs/Entry"} for name in sorted(BUILT_IN)},
                "additionalProperties": whole,
            },
        },
        "required": ["schema"],
        "patternProperties": {COMMENT: True},
        "additionalProperties": False,
        "$defs": dict(sorted({**definitions, "Entry": entry}.items())),
    }


def _entry(model: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = dict(model["properties"])
    for name in ("id", "builtin"):
        properties.pop(name)
    for name in ("capabilities", "inputs", "tags"):
        properties[name] = {**properties[name], "uniqueItems": True}
    extra = {"propertyNames": {"not": {"enum": sorted(OWN_BODY_KEYS)}}}
    properties["extra_body"] = {**properties["extra_body"], **extra}
    properties["headers"] = {**properties["headers"], "propertyNames": {"pattern": r"^[A-Za-z0-9-]+$", "not": _ours()}}
    web = {"type": "string", "pattern": r"^https?://[^\s/@]+(?:/\S*)?$"}
    properties["base_url"] = {**properties["base_url"], "anyOf": [web, {"type": "null"}]}
    return {
        "title": "Entry",
        "description": model.get("description", ""),
        "type": "object",
        "properties": properties,
        "patternProperties": {COMMENT: True},
        "additionalProperties": False,
    }


def _ours() -> dict[str, Any]:
    """Header names that no entry may set, in any case."""
    words = ("".join(f"[{one}{one.upper()}]" if one.isalpha() else one for one in name) for name in sorted(OWN_HEADERS))
    return {"pattern": f"^(?:{'|'.join(words)})$"}
