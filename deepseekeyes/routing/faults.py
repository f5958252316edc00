"""Whose fault a failure is: it decides whether the walk goes on and whether the route rests."""

from __future__ import annotations

from typing import Final, Literal

from deepseekeyes.core.errors import EyesError

Fault = Literal["route", "quota", "request", "stop"]

STOP_CODES: Final = frozenset(
    {
        "ATTACHMENT_READ_FAILED",
        "EVIDENCE_PERSIST_FAILED",
        "VISION_STATE_MISMATCH",
        "UNKNOWN_PRESERVED_IMAGE",
        "INVALID_VISION_REQUEST",
        "VISION_CLARIFICATION_LIMIT",
        "POLICY_DISABLED",
        "DISK_FULL",
        "HOME_NOT_WRITABLE",
        "FILE_UNREADABLE",
        "WRITE_FAILED",
        "LOCK_TIMEOUT",
        "NOT_JSON",
        "INVOCATION_UNRESOLVED",
        "INVOCATION_ABORTED",
        "CLUSTER_LOST",
        "WORKER_DIFFERS",
    }
)
"""Nothing another route could mend."""

STOP_PREFIXES: Final = ("IMAGE_", "BLOB_", "RECORD_", "DOCUMENT_", "AUTOMATION_")

REQUEST_CODES: Final = frozenset(
    {
        "CREDENTIAL_MISSING",
        "ENGINE_UNSUPPORTED",
        "ENGINE_URL_REFUSED",
        "ENGINE_CONTEXT_OVERFLOW",
        "ENGINE_BUDGET_REJECTED",
        "ENGINE_BAD_REQUEST",
        "ENGINE_IMAGE_REJECTED",
        "ANSWER_TOO_LARGE",
        "VISION_OUTPUT_TRUNCATED",
        "CONTENT_FILTERED",
        "VISION_ROUTE_ERROR",
        "RECORDING_MISSING",
        "RECORDING_INVALID",
        "PROBE_BUSY",
        "WORKER_LOST",
    }
)
"""Another route may do better, but this one is not the worse for it: the request or the local setup is at fault."""

ROUTE_CODES: Final = frozenset({"IMAGE_NOT_CONSUMED"})
"""The route's own fault although the name begins like those of a bad picture."""

QUOTA_CODES: Final = frozenset({"ENGINE_QUOTA"})
STOP_KINDS: Final = frozenset({"usage", "refused-stale", "unresolved", "policy", "interrupt"})


def fault(error: EyesError) -> Fault:
    """Classify a failure of one route.

    Returns:
        `stop`: independent of the route, the walk ends; `request`: the next route may serve, this one does not rest;
        `route` and `quota`: the next route may serve and this one rests, long for quota.
    """
    name = error.code.name
    if name in QUOTA_CODES:
        return "quota"
    if name in ROUTE_CODES:
        return "route"
    if name in REQUEST_CODES:
        return "request"
    if name in STOP_CODES or name.startswith(STOP_PREFIXES) or error.kind in STOP_KINDS:
        return "stop"
    return "request" if error.kind == "input" else "route"
