"""Bounds on foreign JSON."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.core.codes import JSON_DEPTH_LIMIT, JSON_NODE_LIMIT, JSON_STRING_LIMIT
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.limits import Ceiling, Ceilings, Node, Size, measure, walk

TEXT_RESULT = {"content": [{"type": "text", "text": "hi"}]}
IMAGE_RESULT = {"content": [{"type": "image", "mimeType": "image/png", "data": "AQID"}]}


def ceilings(depth: int = 64, nodes: int = 50_000, characters: int = 1000) -> Ceilings:
    return Ceilings(
        Ceiling(depth, JSON_DEPTH_LIMIT, "x.depth"),
        Ceiling(nodes, JSON_NODE_LIMIT, "x.nodes"),
        Ceiling(characters, JSON_STRING_LIMIT),
    )


@pytest.mark.parametrize(
    ("value", "size"),
    [
        (None, Size(0, 1, 0)),
        ("abc", Size(0, 1, 3)),
        ([], Size(1, 1, 0)),
        ({"k": {}}, Size(2, 2, 1)),
        (TEXT_RESULT, Size(3, 5, 21)),
        (IMAGE_RESULT, Size(3, 6, 41)),
        ((1, 2.5, True), Size(1, 4, 0)),
    ],
)
def test_a_document_is_measured_by_depth_values_and_characters(value: Any, size: Size) -> None:
    assert measure(value) == size


def test_the_walk_visits_parents_first_and_members_in_order() -> None:
    value = {"a": [1], "b": 2}
    assert list(walk(value)) == [
        Node(value, None, None, 0),
        Node([1], "a", value, 1),
        Node(1, 0, [1], 2),
        Node(2, "b", value, 1),
    ]


def test_a_document_exactly_at_every_ceiling_passes() -> None:
    assert measure(TEXT_RESULT, ceilings(depth=3, nodes=5, characters=21)) == Size(3, 5, 21)


@pytest.mark.parametrize(
    ("bounds", "code", "limit"),
    [
        (ceilings(depth=2), "JSON_DEPTH_LIMIT", {"name": "levels of nesting", "value": 2, "setting": "x.depth"}),
        (ceilings(nodes=4), "JSON_NODE_LIMIT", {"name": "values in a document", "value": 4, "setting": "x.nodes"}),
        (
            ceilings(characters=20),
            "JSON_STRING_LIMIT",
            {"name": "characters of text in a document", "value": 20, "setting": None},
        ),
    ],
)
def test_one_more_than_a_ceiling_names_the_limit(bounds: Ceilings, code: str, limit: dict[str, Any]) -> None:
    with pytest.raises(EyesError) as failure:
        measure(TEXT_RESULT, bounds)
    assert (failure.value.code.name, failure.value.details) == (code, {"limit": limit})


class Huge(list[int]):
    """A container that must not be entered."""

    def __len__(self) -> int:
        return 10**9

    def __iter__(self) -> Any:
        raise AssertionError("entered")


def test_a_container_over_the_remaining_room_is_refused_before_it_is_entered() -> None:
    with pytest.raises(EyesError) as failure:
        measure([Huge()])
    assert failure.value.code.name == "JSON_NODE_LIMIT"


def test_a_value_that_contains_itself_and_very_deep_nesting_end_at_the_depth_ceiling() -> None:
    circle: list[Any] = []
    circle.append(circle)
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for value in (circle, deep):
        with pytest.raises(EyesError) as failure:
            measure(value)
        assert failure.value.code.name == "JSON_DEPTH_LIMIT"
    while deep:
        deep = deep.pop()


@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_ceilings_at_the_measured_size_pass_and_one_node_less_fails(value: Any) -> None:
    size = measure(value)
    assert measure(value, ceilings(max(size.depth, 1), size.nodes, size.characters)) == size
    with pytest.raises(EyesError):
        measure(value, ceilings(nodes=size.nodes - 1))
