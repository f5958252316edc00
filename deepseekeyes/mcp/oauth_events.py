"""What is told about signing in: a snapshot for people, and audit rows of stable words and digests."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.oauth_discovery import Trial

Event = Literal[
    "discovery-cached",
    "token-acquired",
    "token-expired",
    "token-invalid",
    "credentials-invalidated",
    "connected",
    "auth-error",
]
State = Literal["idle", "discovering", "authenticated", "connected", "expired", "error"]


@dataclass(frozen=True, slots=True)
class Health:
    """How signing in to one server stands.

    Attributes:
        state: `connected` once the server took a token.
        authenticated: a token is there and not over.
        expires_at: when it is over (RFC 3339); None where there is none or nobody says.
        issuer, scope: who issued it, and for what; None before.
        error: why the last attempt failed; None when it did not.
        event_at: when the last event was (RFC 3339).
        trials: the addresses that the last discovery tried.
    """

    state: State
    authenticated: bool = False
    expires_at: str | None = None
    discovery_cached: bool = False
    issuer: str | None = None
    scope: str | None = None
    error: EyesError | None = None
    event_at: str | None = None
    trials: tuple[Trial, ...] = ()


def event_row(
    server_id: str, server_name: str, event: Event, *, row_id: str, at: str, error: EyesError | None = None
) -> dict[str, Any]:
    """One audit row. Of an error it keeps the code, and the message as a digest."""
    row: dict[str, Any] = {
        "id": row_id,
        "at": at,
        "plane": "oauth",
        "serverId": server_id,
        "serverName": server_name,
        "event": event,
        "status": "success" if error is None else "error",
    }
    if error is not None:
        row["error"] = {
            "code": error.code.name,
            "messageSha256": sha256(error.message.encode("utf-8", "replace")).hexdigest(),
        }
    return row
