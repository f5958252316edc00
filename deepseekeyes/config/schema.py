"""The configuration's JSON Schema, made from the sections themselves."""

from __future__ import annotations

from typing import Any, Literal

from deepseekeyes.config.deps import ConfigDeps
from deepseekeyes.config.settings import ROUTES, SECTIONS, section_type
from deepseekeyes.contracts.bare import BareSchema
from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.settings import Section


class SchemaRequest(Contract):
    """Nothing to ask for."""


async def schema(request: SchemaRequest, deps: ConfigDeps) -> BareSchema:
    """Print the schema of `config.toml`."""
    del request, deps
    return BareSchema(content=config_schema())


def config_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a configuration file as TOML parses it."""
    from pydantic.json_schema import models_json_schema

    from deepseekeyes.routing.catalog import Route

    models: list[tuple[type[Section], Literal["validation"]]] = [
        (section_type(name), "validation") for name in SECTIONS
    ]
    refs, shared = models_json_schema([*models, (Route, "validation")], ref_template="#/$defs/{model}", by_alias=False)
    definitions = shared["$defs"]
    entry = definitions["Route"]
    entry["properties"].pop("id", None)
    entry["properties"].pop("builtin", None)
    entry["required"] = []
    properties: dict[str, Any] = {name: refs[(section_type(name), "validation")] for name in SECTIONS}
    properties[ROUTES] = {
        "type": "object",
        "description": "Routes by id; an entry lays its fields over a carried or catalogued one of the same id.",
        "additionalProperties": refs[(Route, "validation")],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:deepseekeyes:config.v1",
        "title": "deepseekeyes configuration",
        "description": "config.toml of the home, and deepseekeyes.toml of a working folder.",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "$defs": dict(sorted(definitions.items())),
    }
