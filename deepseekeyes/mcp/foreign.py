"""Server definitions as other programs write them: JSON, often with comments, under one of a few well-known keys."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.codes import MCP_IMPORT_INVALID

MAX_SERVERS = 1000

SHAPES: tuple[tuple[str, ...], ...] = (
    ("mcpServers",),
    ("servers",),
    ("mcp", "servers"),
    ("mcp",),
    ("context_servers",),
)
_STARTS = frozenset({"command", "url", "httpUrl", "serverUrl"})
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Foreign:
    """What a foreign file holds.

    Attributes:
        shape: the key under which the servers were found.
        servers: definitions by name, unread.
        ignored: other keys beside that one.
    """

    shape: str
    servers: Mapping[str, Any]
    ignored: tuple[str, ...]


def foreign(data: bytes) -> Foreign:
    """The servers of a file.

    Raises:
        EyesError: MCP_IMPORT_INVALID.
    """
    root = _parsed(data)
    for path in SHAPES:
        found: Any = root
        for part in path:
            found = found.get(part) if isinstance(found, Mapping) else None
        if isinstance(found, Mapping) and found and all(isinstance(each, Mapping) for each in found.values()):
            return _bounded(Foreign(".".join(path), found, tuple(key for key in root if key != path[0])))
    if root and all(isinstance(each, Mapping) and _STARTS & set(each) for each in root.values()):
        return _bounded(Foreign("", root, ()))
    raise EyesError(MCP_IMPORT_INVALID, "The file names no MCP servers.")


def _bounded(found: Foreign) -> Foreign:
    if len(found.servers) > MAX_SERVERS:
        raise EyesError(
            MCP_IMPORT_INVALID,
            f"The file names more than {MAX_SERVERS} servers.",
            details={"limit": {"name": "servers", "value": MAX_SERVERS, "setting": None}},
        )
    return found


def _parsed(data: bytes) -> dict[str, Any]:
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        raise EyesError(MCP_IMPORT_INVALID, "The file is not UTF-8 text.") from None
    try:
        root = json.loads(text)
    except (ValueError, RecursionError):
        root = _patient(text)
    if not isinstance(root, dict):
        raise EyesError(MCP_IMPORT_INVALID, "The file is JSON, but no object.")
    return root


def _patient(text: str) -> Any:
    """JSON with comments and commas before a closing bracket."""
    plain = _without_extras(_without_extras(text))
    try:
        return json.loads(plain)
    except json.JSONDecodeError as wrong:
        raise EyesError(MCP_IMPORT_INVALID, f"The file is not JSON: line {wrong.lineno}: {wrong.msg}.") from None
    except (ValueError, RecursionError):
        raise EyesError(MCP_IMPORT_INVALID, "The file is not JSON that can be read.") from None


def _without_extras(text: str) -> str:
    """Strings stay; a comment becomes the line breaks it held, a comma before a closing bracket becomes nothing."""

    def kept(found: re.Match[str]) -> str:
        piece = found[0]
        if piece.startswith('"'):
            return piece
        return "" if piece == "," else "\n" * piece.count("\n") or " "

    return _TOKEN.sub(kept, text)
