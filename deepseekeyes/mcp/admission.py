"""The bounds of a raw result, checked iteratively before anything is hashed, decoded or written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.mcp.codes import (
    INVALID_IMAGE_BASE64,
    MCP_RESULT_BLOCK_LIMIT,
    MCP_RESULT_DEPTH_LIMIT,
    MCP_RESULT_IMAGE_COUNT_LIMIT,
    MCP_RESULT_IMAGE_DECODED_LIMIT,
    MCP_RESULT_IMAGE_ENCODED_LIMIT,
    MCP_RESULT_INVALID,
    MCP_RESULT_NODE_LIMIT,
    MCP_RESULT_STRING_LIMIT,
)
from deepseekeyes.mcp.settings import McpSettings

BASE64 = re.compile(r"^[A-Za-z0-9+/]+={0,2}$")


@dataclass(slots=True)
class Tally:
    """What a result amounts to. `string_chars` holds keys and strings, without the data of image blocks."""

    nodes: int = 0
    blocks: int = 0
    string_chars: int = 0
    images: int = 0
    encoded: int = 0
    decoded: int = 0


def decoded_size(encoded: str) -> int:
    """Bytes that base64 text stands for, from its length and padding alone."""
    return len(encoded) // 4 * 3 - (len(encoded) - len(encoded.rstrip("=")))


def check_base64(encoded: str) -> None:
    """Refuse anything but padded base64 of the standard alphabet.

    Raises:
        EyesError: INVALID_IMAGE_BASE64.
    """
    if len(encoded) % 4 or BASE64.fullmatch(encoded) is None:
        raise EyesError(INVALID_IMAGE_BASE64, "An image of the result is not valid base64.")


def over(code: Code, what: str, value: int, setting: str) -> EyesError:
    """The error for a result over one of its limits."""
    return EyesError(
        code,
        f"The result has more than {value:,} {what}.",
        details={"limit": {"name": what, "value": value, "setting": f"mcp.{setting}"}, "dispatched": "yes"},
    )


def admit_result(value: Any, settings: McpSettings) -> Tally:
    """Walk a raw result and count it; a value exactly at a limit passes.

    A content block is an element of a list under the key `content`, at any depth; the `data` of one whose type is
    `image` counts as an image and not as text.

    Raises:
        EyesError: MCP_RESULT_*_LIMIT, MCP_RESULT_INVALID, INVALID_IMAGE_BASE64.
    """
    return _Walk(settings).run(value)


class _Walk:
    def __init__(self, settings: McpSettings) -> None:
        self._settings = settings
        self._tally = Tally()

    def run(self, value: Any) -> Tally:
        # Each level yields (key or None, value, whether it is a content block, whether it is image data).
        stack: list[Iterator[tuple[str | None, Any, bool, bool]]] = [iter(((None, value, False, False),))]
        while stack:
            member = next(stack[-1], None)
            if member is None:
                stack.pop()
                continue
            key, item, is_block, is_image = member
            self._visit(key, is_block)
            if isinstance(item, dict | list):
                self._enter(item, len(stack))
                stack.append(_entries(item, key == "content", is_block))
            elif isinstance(item, str):
                self._image(item) if is_image else self._text(item)
            elif not (item is None or isinstance(item, bool | int | float)):
                raise EyesError(MCP_RESULT_INVALID, "The result holds a value that is not JSON.")
        return self._tally

    def _visit(self, key: str | None, is_block: bool) -> None:
        self._tally.nodes += 1
        if self._tally.nodes > self._settings.max_result_nodes:
            raise over(MCP_RESULT_NODE_LIMIT, "values", self._settings.max_result_nodes, "max_result_nodes")
        if key is not None:
            self._text(key)
        if is_block:
            self._tally.blocks += 1
            if self._tally.blocks > self._settings.max_result_blocks:
                raise over(MCP_RESULT_BLOCK_LIMIT, "blocks", self._settings.max_result_blocks, "max_result_blocks")

    def _enter(self, item: dict[str, Any] | list[Any], depth: int) -> None:
        if depth > self._settings.max_result_depth:
            raise over(MCP_RESULT_DEPTH_LIMIT, "levels of nesting", self._settings.max_result_depth, "max_result_depth")
        if self._tally.nodes + len(item) > self._settings.max_result_nodes:
            raise over(MCP_RESULT_NODE_LIMIT, "values", self._settings.max_result_nodes, "max_result_nodes")

    def _text(self, text: str) -> None:
        self._tally.string_chars += len(text)
        if self._tally.string_chars > self._settings.max_result_string_chars:
            raise over(
                MCP_RESULT_STRING_LIMIT, "characters", self._settings.max_result_string_chars, "max_result_string_chars"
            )

    def _image(self, encoded: str) -> None:
        self._tally.images += 1
        if self._tally.images > self._settings.max_images:
            raise over(MCP_RESULT_IMAGE_COUNT_LIMIT, "images", self._settings.max_images, "max_images")
        self._tally.encoded += len(encoded)
        limit = self._settings.max_image_encoded_chars
        if self._tally.encoded > limit:
            raise over(MCP_RESULT_IMAGE_ENCODED_LIMIT, "characters of images", limit, "max_image_encoded_chars")
        check_base64(encoded)
        self._tally.decoded += decoded_size(encoded)
        if self._tally.decoded > self._settings.max_image_bytes:
            raise over(
                MCP_RESULT_IMAGE_DECODED_LIMIT, "bytes of images", self._settings.max_image_bytes, "max_image_bytes"
            )


def _entries(
    item: dict[str, Any] | list[Any], under_content: bool, is_block: bool
) -> Iterator[tuple[str | None, Any, bool, bool]]:
    if isinstance(item, list):
        return ((None, each, under_content, False) for each in item)
    pictured = is_block and item.get("type") == "image"
    return ((key, each, False, pictured and key == "data") for key, each in item.items())
