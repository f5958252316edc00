"""Answers to requests that cannot be read, so that nobody waits for them: whatever has an id is told."""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any, Final

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
MOST: Final = 100
"""Answers to one batch."""
ENDS: Final = 512
"""Bytes of the start and of the end of an overlong line that are kept to find its id."""

_ID = rb'"id"\s*:\s*(-?\d{1,18}|"[^"\\\x00-\x1f]{1,200}")'
# An id right at the start, or before the brace that ends the line, is the message's own and not one of its parameters.
_AT_START = re.compile(rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?' + _ID)
_AT_END = re.compile(_ID + rb'\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$')


def answer(line: bytes) -> bytes | None:
    """The error that answers a line which is no message of the protocol; None when nobody waits for one.

    A notification, a response, and what shows no id of its own are not answered. Requests in a batch, which older
    versions of the protocol knew, are refused one by one.
    """
    try:
        found: Any = json.loads(line)
    except (ValueError, RecursionError):
        return _by_ends(line[:ENDS], line[-ENDS:], PARSE_ERROR, "The message is not JSON.")
    if isinstance(found, list):
        said = "Messages are not taken in batches; send each on a line of its own."
        return b"".join(_error(name, INVALID_REQUEST, said) for name in map(_name, found[:MOST]) if name is not None)
    name = _name(found)
    return None if name is None else _error(name, INVALID_REQUEST, "The message is not one of the protocol's.")


def _name(found: Any) -> int | float | str | None:
    """The id under which a request waits for its answer; those of requests only, and only what an id may be."""
    if not isinstance(found, dict) or "method" not in found:
        return None
    name = found.get("id")
    if isinstance(name, bool) or not isinstance(name, int | float | str):
        return None
    return name if not isinstance(name, float) or isfinite(name) else None


def unusable_id(found: Any) -> bytes | None:
    """The error that answers a request whose id is neither text nor a whole number: under its id if it is a number."""
    if not isinstance(found, dict) or "method" not in found or "id" not in found:
        return None
    name = found["id"]
    if isinstance(name, int | str) and not isinstance(name, bool):
        return None
    return _error(_name(found), INVALID_REQUEST, "The id of a request is text or a whole number.")


def answer_long(head: bytes, tail: bytes, most: int) -> bytes | None:
    """The error that answers a line which was dropped over its size.

    Args:
        head, tail: its ends.
        most: bytes that one line may have.
    """
    said = f"REQUEST_TOO_LARGE: the message is larger than {most} bytes (serve.max_request_bytes)."
    return _by_ends(head, tail, INVALID_REQUEST, said)


def _by_ends(head: bytes, tail: bytes, code: int, message: str) -> bytes | None:
    match = _AT_START.match(head) or _AT_END.search(tail)
    if match is None:
        return None
    try:
        return _error(json.loads(match[1]), code, message)
    except ValueError:
        return None


def _error(name: float | str | None, code: int, message: str) -> bytes:
    error = {"jsonrpc": "2.0", "id": name, "error": {"code": code, "message": message}}
    return json.dumps(error).encode() + b"\n"
