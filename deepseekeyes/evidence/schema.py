"""The evidence contract as data: the published JSON Schema and what follows from it.

The schema document is the only place where fields, limits and constants are written; repair, validation and prompts
read them from here.
"""

from __future__ import annotations

import copy
import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from deepseekeyes.contracts.evidence import Variant
from deepseekeyes.evidence.version import CONTRACT as CONTRACT

SCHEMA_FILE = Path(__file__).parent.parent / "schemas" / "visual-evidence.schema.json"
BOX = "normalizedBbox"
CONTAINED = "x-contained"

_ROOTS: dict[Variant, str] = {"base": "baseEvidence", "target": "targetEvidence"}
_PREFIX = "#/definitions/"


@dataclass(frozen=True, slots=True)
class ListField:
    """One list of the evidence.

    Attributes:
        name: the property.
        entry: what an element is.
        text: the property of an object entry that holds its words; None for strings.
        boxed: whether entries carry a `bbox`.
        limit: the most elements that are legal.
    """

    name: str
    entry: Literal["string", "object"]
    text: str | None
    boxed: bool
    limit: int


@dataclass(frozen=True, slots=True)
class Shape:
    """A variant in brief: its version constant, its free text field, its lists in contract order."""

    variant: Variant
    version: str
    headline: str
    lists: tuple[ListField, ...]

    @property
    def signature(self) -> frozenset[str]:
        """The fields by which an object is recognised as this variant."""
        return frozenset({self.headline, *(field.name for field in self.lists)})

    @property
    def boxed(self) -> tuple[ListField, ...]:
        return tuple(field for field in self.lists if field.boxed)


def schema(variant: Variant | None = None) -> dict[str, Any]:
    """The published draft-07 schema, or the part of it that one variant needs. The caller owns the result."""
    document = copy.deepcopy(_document())
    if variant is None:
        return document
    definitions = document["definitions"]
    root = definitions[_ROOTS[variant]]
    return {
        "$schema": document["$schema"],
        "$id": f"{document['$id']}:{variant}",
        "title": f"{document['title']} ({variant})",
        **root,
        "definitions": {name: definitions[name] for name in definitions if name in _closure(root, definitions)},
    }


@functools.cache
def shape(variant: Variant) -> Shape:
    """The lists, constants and text fields of a variant."""
    definitions = _document()["definitions"]
    version = headline = ""
    lists: list[ListField] = []
    for name, rule in definitions[_ROOTS[variant]]["properties"].items():
        if "const" in rule:
            version = rule["const"]
        elif rule.get("type") == "array":
            lists.append(_list_field(name, rule, definitions))
        else:
            headline = name
    return Shape(variant, version, headline, tuple(lists))


def variant_of(version: object) -> Variant | None:
    """The variant that a `schemaVersion` names."""
    return next((variant for variant in _ROOTS if shape(variant).version == version), None)


def example(variant: Variant) -> dict[str, Any]:
    """A smallest legal document: constants as they are, one element in each list, the whole picture as box."""
    rules = inlined(variant)
    made: dict[str, Any] = _example(rules)
    return made


@functools.cache
def inlined(variant: Variant) -> dict[str, Any]:
    """The variant with every reference replaced by its rule; that of a box stands under the keyword `x-contained`.

    Shared: callers must not change it.
    """
    definitions = _document()["definitions"]
    resolved: dict[str, Any] = _inline(definitions[_ROOTS[variant]], definitions)
    return resolved


@functools.cache
def _document() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    return loaded


def _list_field(name: str, rule: dict[str, Any], definitions: dict[str, Any]) -> ListField:
    entry = definitions[_target(rule["items"])]
    if entry.get("type") != "object":
        return ListField(name, "string", None, False, rule["maxItems"])
    properties = entry["properties"]
    words = [key for key, value in properties.items() if _target(value) == "nonEmptyString"]
    return ListField(name, "object", words[0], "bbox" in properties, rule["maxItems"])


def _target(rule: dict[str, Any]) -> str:
    return str(rule.get("$ref", "")).removeprefix(_PREFIX)


def _closure(rule: Any, definitions: dict[str, Any]) -> set[str]:
    """Every definition that a rule reaches."""
    found: set[str] = set()
    waiting = [rule]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, dict):
            name = _target(item)
            if name and name not in found:
                found.add(name)
                waiting.append(definitions[name])
            waiting.extend(item.values())
    return found


def _inline(rule: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(rule, list):
        return [_inline(item, definitions) for item in rule]
    if not isinstance(rule, dict):
        return rule
    name = _target(rule)
    if name:
        resolved = _inline(definitions[name], definitions)
        return {CONTAINED: resolved} if name == BOX else resolved
    return {key: _inline(value, definitions) for key, value in rule.items()}


def _example(rule: dict[str, Any]) -> Any:
    if "const" in rule:
        return rule["const"]
    if CONTAINED in rule:
        return [0, 0, 1, 1]
    if rule["type"] == "object":
        return {name: _example(rule["properties"][name]) for name in rule["required"]}
    if rule["type"] == "array":
        return [_example(rule["items"])]
    if rule["type"] == "number":
        return 0.9
    return "r1" if "pattern" in rule else "..."
