"""What a desktop looks like in text."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from deepseekeyes.serve.desk_text import _tree


def one(name: str, depth: int, *, container: bool = False) -> Any:
    flags = dict.fromkeys(("protected", "focused", "checked", "selected", "expanded"), False)
    return SimpleNamespace(
        ref="el", role="x", name=name, depth=depth, container=container, value=None, enabled=True, bbox=None, **flags
    )


def test_a_row_is_indented_below_what_it_lies_in_and_not_below_its_neighbour() -> None:
    rows = [
        one("frame", 0, container=True),
        one("level", 2),
        one("group", 2, container=True),
        one("greet", 3),
        one("list", 3),
        one("pane", 4, container=True),
        one("row", 5),
        one("last", 1),
    ]
    assert [(line.split('"')[1], len(line) - len(line.lstrip())) for line in _tree(rows)] == [
        ("level", 2),
        ("greet", 2),
        ("list", 2),
        ("row", 4),
        ("last", 2),
    ]


def test_a_name_without_an_end_is_cut() -> None:
    (told,) = _tree([one("n" * 500, 0)])
    assert len(told) < 130
