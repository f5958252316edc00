"""How signing in stands, as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.mcp import McpServer, McpSignIn, McpSignInAttempt
from deepseekeyes.mcp.definitions import ServerSettings

if TYPE_CHECKING:
    from deepseekeyes.mcp.oauth_events import Health


def with_sign_in(document: McpServer, server: ServerSettings, health: Health | None) -> McpServer:
    """A server's document with its sign-in; unchanged where none is configured."""
    if not server.oauth.enabled:
        return document
    return document.model_copy(update={"sign_in": sign_in_document(health)})


def sign_in_document(health: Health | None) -> McpSignIn:
    """The snapshot of a session; None is one that was not needed yet."""
    if health is None:
        return McpSignIn()
    return McpSignIn(
        status=health.state,
        authenticated=health.authenticated,
        expires_at=health.expires_at,
        issuer=health.issuer,
        scope=health.scope,
        error=ErrorBody.of(health.error) if health.error is not None else None,
        event_at=health.event_at,
        attempts=tuple(
            McpSignInAttempt(step=each.step, url=each.url, status=each.status, problem=each.problem)
            for each in health.trials
        ),
    )
