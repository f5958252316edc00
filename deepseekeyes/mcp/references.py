"""The model's view of an input schema: an object at the root, no reference left that points anywhere.

Hosts and providers refuse `$ref`, `$defs` or a root that is not an object, and one refused tool often costs the whole
request. The server's own schema stays untouched; calls are checked against that one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

MAX_DEPTH = 64
MAX_NODES = 20_000

_DEFINITIONS = frozenset({"$defs", "definitions"})
_IDENTITY = frozenset({"$ref", "$dynamicRef", "$recursiveRef", "$anchor", "$dynamicAnchor", "$id", "$schema"})
# Keywords whose value is data or a map of names, where `$ref` and `$defs` are not keywords.
_DATA = frozenset({"const", "default", "enum", "example", "examples", "required"})
_MAPS = frozenset({"properties", "patternProperties", "dependentSchemas", "dependentRequired"})
_INDEX = re.compile(r"^(?:0|[1-9][0-9]*)$")


class Unusable(Exception):  # noqa: N818 - a verdict on a schema, not a failure of the program
    """The schema has no form that a model could be shown; the message is the reason."""


def for_model(schema: Any) -> dict[str, Any]:
    """The schema with local references written out and recursion cut.

    A reference that cannot be followed inside the document, or that leads back into itself, becomes an unconstrained
    schema. A missing schema or one without `type` is an object; a root of another type cannot describe arguments.

    Raises:
        Unusable: the root is not an object schema, or writing it out would be too large.
    """
    if schema is None or schema is True:
        return {"type": "object", "properties": {}}
    if not isinstance(schema, dict):
        raise Unusable("its input schema is not an object")
    written: dict[str, Any] = _Writer(schema).schema(schema, ())
    kind = written.get("type", "object")
    if kind != "object" and not (isinstance(kind, list) and "object" in kind):
        raise Unusable("its input schema does not describe an object")
    written["type"] = "object"
    if not isinstance(written.get("properties", {}), dict):
        raise Unusable("the properties of its input schema are not an object")
    written.setdefault("properties", {})
    return written


def has_references(schema: Any) -> bool:
    """Whether `$ref`, `$defs` or their relatives appear in a schema position."""
    stack: list[tuple[Any, bool]] = [(schema, False)]
    while stack:
        value, named = stack.pop()
        if isinstance(value, list):
            stack.extend((item, False) for item in value)
        elif isinstance(value, dict):
            if not named and any(key in value for key in _DEFINITIONS | _IDENTITY):
                return True
            stack.extend((item, not named and key in _MAPS) for key, item in value.items() if named or key not in _DATA)
    return False


class _Writer:
    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self._room = MAX_NODES

    def schema(self, value: Any, trail: tuple[str, ...], depth: int = 0) -> Any:
        self._spend(depth)
        if isinstance(value, list):
            return [self.schema(item, trail, depth + 1) for item in value]
        if not isinstance(value, dict):
            return value
        reference = value.get("$ref")
        if isinstance(reference, str):
            return self._followed(reference, value, trail, depth)
        return {
            key: self._keyword(key, item, trail, depth + 1)
            for key, item in value.items()
            if key not in _DEFINITIONS and key not in _IDENTITY
        }

    def _keyword(self, key: str, item: Any, trail: tuple[str, ...], depth: int) -> Any:
        if key in _DATA:
            return item
        if key in _MAPS and isinstance(item, dict):
            return self._map(item, lambda part: self.schema(part, trail, depth + 1))
        return self.schema(item, trail, depth)

    @staticmethod
    def _map(value: dict[str, Any], write: Callable[[Any], Any]) -> dict[str, Any]:
        return {key: write(item) for key, item in value.items()}

    def _followed(self, reference: str, value: dict[str, Any], trail: tuple[str, ...], depth: int) -> Any:
        beside = self.schema({key: item for key, item in value.items() if key != "$ref"}, trail, depth + 1)
        if reference in trail:
            return beside
        target = self._find(reference)
        if target is None or target is True:
            return beside
        written = self.schema(target, (*trail, reference), depth + 1)
        if not isinstance(written, dict):
            return beside or written
        if any(key in beside and key != "description" and beside[key] != written[key] for key in written):
            return {"allOf": [written], **beside}
        return {**written, **beside}

    def _find(self, reference: str) -> Any:
        if reference == "#":
            return self._root
        if not reference.startswith("#/"):
            return None
        found: Any = self._root
        for part in reference[2:].split("/"):
            key = unquote(part).replace("~1", "/").replace("~0", "~")
            if isinstance(found, dict) and key in found:
                found = found[key]
            elif isinstance(found, list) and _INDEX.fullmatch(key) and int(key) < len(found):
                found = found[int(key)]
            else:
                return None
        return found

    def _spend(self, depth: int) -> None:
        self._room -= 1
        if self._room < 0:
            raise Unusable(f"its input schema has more than {MAX_NODES} values when its references are written out")
        if depth > MAX_DEPTH * 2:
            raise Unusable("its input schema is nested too deeply when its references are written out")
