"""Reading the results of `resources/read` and `prompts/get` as content blocks."""

from __future__ import annotations

from typing import Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.redact import clip
from deepseekeyes.mcp.blocks import BlockReader
from deepseekeyes.mcp.codes import MCP_PROMPT_RESULT_INVALID, MCP_RESOURCE_RESULT_INVALID

MAX_DESCRIPTION = 100_000


def resource_blocks(value: Any, reader: BlockReader) -> None:
    """The contents of a read resource.

    Raises:
        EyesError: MCP_RESOURCE_RESULT_INVALID.
    """
    contents = value.get("contents") if isinstance(value, dict) else None
    if not isinstance(contents, list):
        raise EyesError(MCP_RESOURCE_RESULT_INVALID, "The answer has no list of contents.")
    for item in contents:
        if isinstance(item, dict) and isinstance(item.get("blob"), str) and _kind(item) == "audio":
            reader.block({"type": "audio", "mimeType": item["mimeType"]})
        else:
            reader.resource(item)


def prompt_blocks(value: Any, reader: BlockReader) -> None:
    """The messages of a fetched prompt, each under its role.

    Raises:
        EyesError: MCP_PROMPT_RESULT_INVALID.
    """
    messages = value.get("messages") if isinstance(value, dict) else None
    if not isinstance(messages, list):
        raise EyesError(MCP_PROMPT_RESULT_INVALID, "The answer has no list of messages.")
    description = value.get("description")
    if isinstance(description, str) and description:
        reader.text(f"[MCP prompt description]\n{clip(description, MAX_DESCRIPTION)}")
    for message in messages:
        _message(message, reader)


def _message(message: Any, reader: BlockReader) -> None:
    fields = message if isinstance(message, dict) else {}
    role = fields.get("role")
    reader.text(f"[MCP prompt {role if role in ('user', 'assistant') else 'unknown role'}]")
    content = fields.get("content")
    for block in content if isinstance(content, list) else (content,):
        reader.block(block)


def _kind(item: dict[str, Any]) -> str:
    media_type = item.get("mimeType")
    return media_type.partition("/")[0] if isinstance(media_type, str) else ""
