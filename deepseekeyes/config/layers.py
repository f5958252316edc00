"""Lay sources over one another, keeping for every value where it came from. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from deepseekeyes.config.sources import KeyPath, Layer


def is_reference(value: object) -> bool:
    """Whether a value is `{ env = "NAME" }`, which is one value and not a table."""
    return isinstance(value, Mapping) and len(value) == 1 and isinstance(value.get("env"), str)


def leaves(values: Mapping[str, Any], prefix: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    """Every value that is no table, with its path. An empty table is a value; so is a reference."""
    for key, value in values.items():
        path = (*prefix, key)
        if isinstance(value, Mapping) and value and not is_reference(value):
            yield from leaves(value, path)
        else:
            yield path, value


def overlay(layers: Sequence[Layer]) -> tuple[dict[str, Any], dict[KeyPath, Layer]]:
    """Merge layers, the first being the highest.

    Tables merge key by key; any other value, lists included, replaces what lies below.

    Returns:
        The merged values, and for each leaf the layer it came from.
    """
    merged: dict[str, Any] = {}
    origins: dict[KeyPath, Layer] = {}
    for layer in reversed(layers):
        for path, value in leaves(layer.values):
            if _place(merged, path, value):
                _forget(origins, path)
                origins[path] = layer
    return merged, origins


def at(values: Mapping[str, Any], path: KeyPath) -> Any:
    """The value at a path, None where there is none."""
    here: Any = values
    for part in path:
        if not isinstance(here, Mapping) or part not in here:
            return None
        here = here[part]
    return here


def put(values: dict[str, Any], path: KeyPath, value: Any) -> None:
    """Set a value, making tables on the way."""
    _place(values, path, value)


def _place(values: dict[str, Any], path: KeyPath, value: Any) -> bool:
    here = values
    for part in path[:-1]:
        inner = here.get(part)
        if not isinstance(inner, dict) or is_reference(inner):
            inner = here[part] = {}
        here = inner
    below = here.get(path[-1])
    if value == {} and isinstance(below, dict) and not is_reference(below):
        return False
    here[path[-1]] = dict(value) if isinstance(value, Mapping) else value
    return True


def _forget(origins: dict[KeyPath, Layer], path: KeyPath) -> None:
    stale = [known for known in origins if known[: len(path)] == path or path[: len(known)] == known]
    for known in stale:
        del origins[known]
