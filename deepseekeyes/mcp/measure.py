"""The size of JSON values as compact text, counted without building the text and without recursion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from deepseekeyes.core.canonical import number
from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.mcp.codes import (
    MCP_CATALOG_SCHEMA_BYTES_LIMIT,
    MCP_CATALOG_SCHEMA_CHARS_LIMIT,
    MCP_CATALOG_SCHEMA_DEPTH_LIMIT,
    MCP_CATALOG_SCHEMA_INVALID,
    MCP_CATALOG_SCHEMA_NODES_LIMIT,
    MCP_CONTENT_CATALOG_BYTE_LIMIT,
    MCP_CONTENT_CATALOG_CHAR_LIMIT,
    MCP_CONTENT_CATALOG_INVALID,
)
from deepseekeyes.mcp.settings import McpSettings

_SHORT_ESCAPE = re.compile(r'["\\\b\t\n\f\r]')
_CONTROL = re.compile(r"[\x00-\x07\x0b\x0e-\x1f]")
_ASTRAL = re.compile(r"[\U00010000-\U0010ffff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Bounds:
    """The ceilings of one catalog and the codes of an excess."""

    chars: int
    bytes: int
    depth: int
    nodes: int
    over_chars: Code
    over_bytes: Code
    over_depth: Code
    over_nodes: Code
    invalid: Code


def tool_bounds(settings: McpSettings) -> Bounds:
    """The ceilings of a tool catalog."""
    return Bounds(
        settings.max_catalog_chars,
        settings.max_catalog_bytes,
        settings.max_catalog_depth,
        settings.max_catalog_nodes,
        MCP_CATALOG_SCHEMA_CHARS_LIMIT,
        MCP_CATALOG_SCHEMA_BYTES_LIMIT,
        MCP_CATALOG_SCHEMA_DEPTH_LIMIT,
        MCP_CATALOG_SCHEMA_NODES_LIMIT,
        MCP_CATALOG_SCHEMA_INVALID,
    )


def content_bounds(settings: McpSettings) -> Bounds:
    """The ceilings of a content catalog."""
    return Bounds(
        settings.max_catalog_chars,
        settings.max_catalog_bytes,
        settings.max_catalog_depth,
        settings.max_catalog_nodes,
        MCP_CONTENT_CATALOG_CHAR_LIMIT,
        MCP_CONTENT_CATALOG_BYTE_LIMIT,
        MCP_CONTENT_CATALOG_INVALID,
        MCP_CONTENT_CATALOG_INVALID,
        MCP_CONTENT_CATALOG_INVALID,
    )


def text_size(text: str) -> tuple[int, int]:
    """Characters (UTF-16 units) and UTF-8 bytes of a string as compact JSON, quotes included."""
    short = len(_SHORT_ESCAPE.findall(text))
    if text.isascii():
        size = 2 + len(text) + short + 5 * len(_CONTROL.findall(text))
        return size, size
    control = len(_CONTROL.findall(text))
    lone = len(_SURROGATE.findall(text))
    astral = len(_ASTRAL.findall(text))
    chars = 2 + len(text) + astral + short + 5 * (control + lone)
    encoded = len(text.encode("utf-8", "surrogatepass"))
    return chars, 2 + encoded + short + 5 * control + 3 * lone


class Meter:
    """Adds up the values of one catalog; a value over any ceiling raises before more work is done."""

    __slots__ = ("_bounds", "bytes", "chars", "nodes")

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self.chars = self.bytes = self.nodes = 0

    def add(self, value: Any) -> int:
        """Count one value and return its own characters.

        Raises:
            EyesError: the codes of the bounds.
        """
        before = self.chars
        stack: list[Iterator[tuple[str | None, Any]]] = [iter(((None, value),))]
        while stack:
            member = next(stack[-1], None)
            if member is None:
                stack.pop()
                continue
            key, item = member
            self._count_key(key)
            self.nodes += 1
            if isinstance(item, dict | list):
                self._enter(item, len(stack))
                stack.append(self._members(item))
            else:
                self._count(*self._scalar(item))
            self._check()
        return self.chars - before

    def _enter(self, item: dict[str, Any] | list[Any], depth: int) -> None:
        if depth > self._bounds.depth:
            raise self._over(self._bounds.over_depth, "levels of nesting", self._bounds.depth, "max_catalog_depth")
        if self.nodes + len(item) > self._bounds.nodes:
            raise self._over(self._bounds.over_nodes, "values", self._bounds.nodes, "max_catalog_nodes")
        commas = max(0, len(item) - 1)
        self._count(2 + commas, 2 + commas)

    def _members(self, item: dict[str, Any] | list[Any]) -> Iterator[tuple[str | None, Any]]:
        if isinstance(item, list):
            return iter([(None, value) for value in item])
        if not all(isinstance(key, str) for key in item):
            raise EyesError(self._bounds.invalid, "A definition has a key that is not text.")
        return iter(item.items())

    def _count_key(self, key: str | None) -> None:
        if key is not None:
            chars, size = text_size(key)
            self._count(chars + 1, size + 1)

    def _scalar(self, item: Any) -> tuple[int, int]:
        if isinstance(item, str):
            return text_size(item)
        if item is None or item is True:
            return 4, 4
        if item is False:
            return 5, 5
        if isinstance(item, int | float):
            return self._number(item)
        raise EyesError(self._bounds.invalid, "A definition holds a value that is not JSON.")

    def _number(self, item: float) -> tuple[int, int]:
        try:
            size = len(number(item))
        except EyesError:
            raise EyesError(self._bounds.invalid, "A definition holds a number that is not finite.") from None
        return size, size

    def _count(self, chars: int, size: int) -> None:
        self.chars += chars
        self.bytes += size

    def _check(self) -> None:
        if self.chars > self._bounds.chars:
            raise self._over(self._bounds.over_chars, "characters", self._bounds.chars, "max_catalog_chars")
        if self.bytes > self._bounds.bytes:
            raise self._over(self._bounds.over_bytes, "bytes", self._bounds.bytes, "max_catalog_bytes")

    def _over(self, code: Code, what: str, value: int, setting: str) -> EyesError:
        return EyesError(
            code,
            f"The server's catalog has more than {value:,} {what}.",
            details={"limit": {"name": what, "value": value, "setting": f"mcp.{setting}"}},
        )
