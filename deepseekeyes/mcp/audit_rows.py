"""What the audit remembers of a call: digests and stable codes, never arguments, results or error text."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from deepseekeyes.core.canonical import canonical
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.limits import Ceilings, measure
from deepseekeyes.mcp.risk import Classification, RiskPolicy, permitted

UNAVAILABLE = "hash-unavailable"
Status = Literal["success", "error", "denied"]


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a call was for. Fields are empty as long as the gates have not resolved them."""

    server_id: str
    server_name: str
    kind: Literal["tool", "resource", "prompt"]
    name: str
    public_name: str
    classification: Classification
    risk_policy: RiskPolicy


def arguments_digest(arguments: Any) -> str:
    """SHA-256 of the canonical arguments, or `hash-unavailable` when they are too large or no JSON."""
    try:
        measure(arguments, _ARGUMENT_CEILINGS)
        return sha256(canonical(arguments).encode()).hexdigest()
    except (EyesError, RecursionError, ValueError, TypeError):
        return UNAVAILABLE


def call_row(
    subject: Subject,
    *,
    row_id: str,
    at: str,
    status: Status,
    duration_ms: int,
    arguments: Any,
    run: str | None,
    result: tuple[str, int, bool] | None = None,
    error: EyesError | None = None,
) -> dict[str, Any]:
    """One audit row.

    Args:
        subject: whom the call was for.
        row_id: unique.
        at: RFC 3339.
        status: `denied` when a gate refused it.
        duration_ms: from the first gate to the end.
        arguments: hashed, not kept.
        run: the run id, if any.
        result: digest, bytes and whether the preview was cut.
        error: its code is kept, its message only as a digest.
    """
    row: dict[str, Any] = {
        "id": row_id,
        "at": at,
        "plane": "tools" if subject.kind == "tool" else "content",
        "serverId": subject.server_id,
        "serverName": subject.server_name,
        "kind": subject.kind,
        "tool": subject.name[:256],
        "publicName": subject.public_name,
        "risk": subject.classification.risk,
        "riskPolicy": subject.risk_policy,
        "riskPolicyAllowed": permitted(subject.risk_policy, subject.classification),
        "openWorld": subject.classification.open_world,
        "status": status,
        "durationMs": duration_ms,
        "argsSha256": arguments_digest(arguments),
        "runId": run,
    }
    if result is not None:
        row["resultSha256"], row["resultBytes"], row["resultTruncated"] = result
    if error is not None:
        row["error"] = {
            "code": error.code.name,
            "messageSha256": sha256(error.message.encode("utf-8", "replace")).hexdigest(),
        }
    return row


def _ceilings() -> Ceilings:
    from deepseekeyes.core.codes import JSON_NODE_LIMIT, JSON_STRING_LIMIT
    from deepseekeyes.core.limits import Ceiling

    return Ceilings(
        nodes=Ceiling(10_000, JSON_NODE_LIMIT),
        characters=Ceiling(1_048_576, JSON_STRING_LIMIT),
    )


_ARGUMENT_CEILINGS = _ceilings()
