"""Laws of merging."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.config.layers import at, leaves, overlay
from deepseekeyes.config.sources import Layer

values = st.recursive(
    st.integers() | st.lists(st.integers(), max_size=2) | st.just({"env": "NAME"}),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, min_size=1, max_size=3),
    max_leaves=8,
)
tables = st.dictionaries(st.sampled_from("abc"), values, max_size=3)


def _layer(name: str, table: dict[str, Any]) -> Layer:
    return Layer(name, table, Path("/"))


@given(tables)
def test_one_layer_is_itself(table: dict[str, Any]) -> None:
    merged, origins = overlay([_layer("only", table)])
    assert merged == table
    assert sorted(origins) == sorted(path for path, _ in leaves(table))


@given(tables, tables)
def test_every_value_of_the_highest_layer_is_in_force(high: dict[str, Any], low: dict[str, Any]) -> None:
    merged, origins = overlay([_layer("high", high), _layer("low", low)])
    for path, value in leaves(high):
        assert at(merged, path) == value
        assert origins[path].origin == "high"


@given(tables, tables)
def test_every_leaf_has_one_origin_that_really_said_it(high: dict[str, Any], low: dict[str, Any]) -> None:
    merged, origins = overlay([_layer("high", high), _layer("low", low)])
    assert sorted(path for path, _ in leaves(merged)) == sorted(origins)
    assert [path for path, layer in origins.items() if at(layer.values, path) != at(merged, path)] == []


@given(tables, tables)
def test_sources_are_not_changed(high: dict[str, Any], low: dict[str, Any]) -> None:
    import copy

    before = copy.deepcopy((high, low))
    overlay([_layer("high", high), _layer("low", low)])
    assert (high, low) == before
