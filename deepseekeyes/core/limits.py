"""Bounds on JSON values that come from outside, checked without recursion before anything else looks at them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from deepseekeyes.core.codes import JSON_DEPTH_LIMIT, JSON_NODE_LIMIT, JSON_STRING_LIMIT
from deepseekeyes.core.errors import Code, EyesError


@dataclass(frozen=True, slots=True)
class Ceiling:
    """One bound: the largest value that still passes, the code of an excess, the setting that moves it."""

    value: int
    code: Code
    setting: str | None = None


@dataclass(frozen=True, slots=True)
class Ceilings:
    """The bounds of a walk.

    Attributes:
        depth: levels of nesting; a bare scalar and the members of the outermost container are level 1.
        nodes: values visited, containers included, keys not.
        characters: characters of all strings, keys included; other scalars count nothing.
    """

    depth: Ceiling = Ceiling(64, JSON_DEPTH_LIMIT)
    nodes: Ceiling = Ceiling(50_000, JSON_NODE_LIMIT)
    characters: Ceiling = Ceiling(16_777_216, JSON_STRING_LIMIT)


class Node(NamedTuple):
    """A value on the walk: its key or index in `parent` (None at the root) and how many containers enclose it."""

    value: Any
    key: str | int | None
    parent: Any
    depth: int


class Size(NamedTuple):
    """What a value measures; `depth` counts nested containers."""

    depth: int
    nodes: int
    characters: int


def walk(value: Any, ceilings: Ceilings | None = None) -> Iterator[Node]:
    """Every value of a document, parents before children, members in order.

    Nesting and the number of values are bounded while it goes: a container that alone would break the node ceiling is
    refused before it is entered, and a value that contains itself ends at the depth ceiling.

    Raises:
        EyesError: the codes of `ceilings` for depth and nodes.
    """
    ceilings = ceilings or Ceilings()
    room = ceilings.nodes.value
    stack: list[Iterator[Node]] = [iter((Node(value, None, None, 0),))]
    while stack:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
            continue
        room -= 1
        if room < 0:
            raise exceeded(ceilings.nodes, "values in a document")
        yield node
        if isinstance(node.value, dict | list | tuple):
            if node.depth >= ceilings.depth.value:
                raise exceeded(ceilings.depth, "levels of nesting")
            if len(node.value) > room:
                raise exceeded(ceilings.nodes, "values in a document")
            stack.append(_members(node.value, node.depth + 1))


def measure(value: Any, ceilings: Ceilings | None = None) -> Size:
    """The size of a document within the ceilings; a value that is exactly at a ceiling passes.

    Raises:
        EyesError: the codes of `ceilings`, with the limit in its details.
    """
    ceilings = ceilings or Ceilings()
    depth = nodes = characters = 0
    for node in walk(value, ceilings):
        nodes += 1
        if isinstance(node.key, str):
            characters += len(node.key)
        if isinstance(node.value, str):
            characters += len(node.value)
        elif isinstance(node.value, dict | list | tuple):
            depth = max(depth, node.depth + 1)
        if characters > ceilings.characters.value:
            raise exceeded(ceilings.characters, "characters of text in a document")
    return Size(depth, nodes, characters)


def exceeded(ceiling: Ceiling, what: str) -> EyesError:
    """The error for a broken ceiling; `what` names the counted thing in the plural."""
    return EyesError(
        ceiling.code,
        f"There are more than {ceiling.value:,} {what}.",
        details={"limit": {"name": what, "value": ceiling.value, "setting": ceiling.setting}},
    )


def _members(value: Any, depth: int) -> Iterator[Node]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in pairs:
        yield Node(item, key, value, depth)
