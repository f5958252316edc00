"""What a request that brought no result means for its caller."""

from __future__ import annotations

from collections.abc import Mapping

from deepseekeyes.core.errors import Code, Dispatched, EyesError
from deepseekeyes.core.redact import surface
from deepseekeyes.mcp import codes
from deepseekeyes.mcp.gates import Planned
from deepseekeyes.mcp.ports import Fault, WireError, again

_PLAIN: Mapping[Fault, tuple[Code, Dispatched]] = {
    "unsent": (codes.MCP_TRANSPORT_CLOSED, "no"),
    "session-lost": (codes.MCP_SESSION_LOST, "no"),
    "auth": (codes.MCP_AUTH_REJECTED, "no"),
    "frame-limit": (codes.MCP_FRAME_LIMIT, "yes"),
    "depth-limit": (codes.MCP_RESULT_DEPTH_LIMIT, "yes"),
    "unreadable": (codes.MCP_PROTOCOL_INVALID, "yes"),
}
_LOST: Mapping[Fault, Code] = {
    "timeout": codes.MCP_TIMEOUT,
    "closed": codes.MCP_TRANSPORT_CLOSED,
    "noise": codes.MCP_STDOUT_NOISE,
}


def unsent(failed: WireError) -> bool:
    """Whether the call never left this process or was turned away unread, so that its place in the quota is free."""
    return failed.fault in ("unsent", "session-lost", "auth")


def call_error(planned: Planned, failed: WireError) -> EyesError:
    """The error of a call.

    A lost answer to something that is not declared harmless to repeat is unresolved: it may or may not have happened.
    """
    subject = planned.subject
    if failed.reason is not None:
        return again(failed.reason)
    says = surface(failed.message)
    if failed.fault == "answered":
        return EyesError(
            planned.failed,
            f"{subject.public_name or subject.name}: {says}",
            details={"dispatched": "yes"},
            server=subject.server_id,
        )
    if failed.fault in _PLAIN:
        code, dispatched = _PLAIN[failed.fault]
        return _error(planned, code, dispatched, says)
    if subject.classification.repeatable:
        return _error(planned, _LOST[failed.fault], "unknown", says)
    return _error(planned, codes.MCP_CALL_UNRESOLVED, "unknown", says)


def _error(planned: Planned, code: Code, dispatched: Dispatched, says: str) -> EyesError:
    subject = planned.subject
    return EyesError(
        code,
        f"{subject.name[:200]} of the server {subject.server_id} brought no result: {says}.",
        details={"dispatched": dispatched},
        server=subject.server_id,
    )
