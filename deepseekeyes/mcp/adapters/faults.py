"""What the SDK's errors mean for a call."""

from __future__ import annotations

from collections.abc import Iterator

from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR, REQUEST_TIMEOUT

from deepseekeyes.mcp.adapters.pulse import DEPTH_LIMIT, UNREADABLE, Pulse
from deepseekeyes.mcp.ports import Fault, WireError

_CLOSED_TEXTS = ("Connection closed", "SSE stream ended", "SSE stream failed")
_LOST_TEXTS = ("session terminated", "session not found", "invalid session", "no valid session", "unknown session")


def is_closed(error: MCPError) -> bool:
    """Whether an error is the SDK's own word for a connection that ended; servers use its code for other things."""
    return error.code == CONNECTION_CLOSED and str(error).startswith(_CLOSED_TEXTS)


def translate(error: MCPError, pulse: Pulse, *, http: bool) -> WireError:
    """An SDK error of a request as one of ours."""
    fault = _fault(error, pulse, http=http)
    message = str(error)
    if fault == "answered" and error.code == INTERNAL_ERROR and http and _is_stand_in(error):
        message = f"the endpoint answered with HTTP status {pulse.http_status}"
    return WireError(fault, message, error.code)


def _is_stand_in(error: MCPError) -> bool:
    return str(error) == "Server returned an error response"


def _fault(error: MCPError, pulse: Pulse, *, http: bool) -> Fault:
    text = str(error)
    if error.code == DEPTH_LIMIT:
        return "depth-limit"
    if error.code == UNREADABLE:
        return "unreadable"
    if error.code == REQUEST_TIMEOUT and text.startswith("Request '"):
        return "timeout"
    if is_closed(error):
        return "frame-limit" if "byte limit" in text else pulse.fault or "closed"
    return _http_fault(error, pulse, text) if http else "answered"


def _http_fault(error: MCPError, pulse: Pulse, text: str) -> Fault:
    if error.code == PARSE_ERROR and text.startswith("Failed to parse"):
        return "frame-limit" if pulse.over_limit else "unreadable"
    if error.code == INVALID_REQUEST and text.lower().startswith(_LOST_TEXTS):
        return "session-lost"
    if _is_stand_in(error):
        status = pulse.http_status or 500
        if status in (401, 403):
            return "auth"
        return "answered" if status < 500 else "closed"
    return "answered"


def leaves(error: BaseException) -> Iterator[BaseException]:
    """The real errors inside nested exception groups, in order."""
    stack = [error]
    while stack:
        current = stack.pop()
        if isinstance(current, BaseExceptionGroup):
            stack.extend(reversed(current.exceptions))
        else:
            yield current
