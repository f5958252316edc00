"""From one line of a server's stdout to a message, and what to do with lines that are none."""

from __future__ import annotations

import json
import re
from typing import Any

import mcp_types as types
from mcp.shared.message import SessionMessage

from deepseekeyes.mcp.adapters.pulse import DEPTH_LIMIT, UNREADABLE, Pulse

_ID = re.compile(rb'"id"\s*:\s*(?:([0-9]{1,15})|"([^"\\]{1,64})")')
_EDGE = 256


def read_line(line: bytes, pulse: Pulse) -> SessionMessage | None:
    """The message of a line, or None for what the session need not see.

    Lines that are no messages are counted as noise. A response that the SDK's parser refuses (nested too deeply, a
    lone surrogate, bad UTF-8) is read by a more patient parser; where that fails too, the request it answers fails at
    once instead of running into its timeout.
    """
    if not line.strip():
        return None
    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return _salvage(line, pulse)
    return kept(SessionMessage(message), pulse)


def kept(item: SessionMessage, pulse: Pulse) -> SessionMessage | None:
    """The message unless it is a notification that nobody needs."""
    message = item.message
    if isinstance(message, types.JSONRPCNotification) and not pulse.notified(message.method):
        return None
    return item


def _salvage(line: bytes, pulse: Pulse) -> SessionMessage | None:
    if b'"jsonrpc"' not in line:
        pulse.noise += 1
        return None
    try:
        found = json.loads(line.decode("utf-8", "replace"))
    except RecursionError:
        return _failed(line, DEPTH_LIMIT, pulse)
    except ValueError:
        return _failed(line, UNREADABLE, pulse)
    if not isinstance(found, dict):
        pulse.noise += 1
        return None
    return _response(found, line, pulse)


def _response(found: dict[str, Any], line: bytes, pulse: Pulse) -> SessionMessage | None:
    request_id, result = found.get("id"), found.get("result")
    if isinstance(result, dict) and isinstance(request_id, int | str) and not isinstance(request_id, bool):
        return SessionMessage(types.JSONRPCResponse.model_construct(jsonrpc="2.0", id=request_id, result=result))
    if "method" in found:
        pulse.noise += 1
        return None
    return _failed(line, UNREADABLE, pulse)


def _failed(line: bytes, code: int, pulse: Pulse) -> SessionMessage | None:
    match = _ID.search(line[:_EDGE]) or _ID.search(line[-_EDGE:])
    if match is None:
        pulse.noise += 1
        return None
    request_id: int | str = int(match[1]) if match[1] else match[2].decode("ascii", "replace")
    error = types.ErrorData(code=code, message="The answer cannot be read.")
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=request_id, error=error))
