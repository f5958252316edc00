"""The OAuth sessions of a process, one a server; a connection asks here for its sign-in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from deepseekeyes.core.clock import Clock
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.secrets import SecretRef, reveal
from deepseekeyes.mcp.codes import MCP_OAUTH_CREDENTIAL_MISSING
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.oauth_events import Health
from deepseekeyes.mcp.oauth_session import OAuthSession
from deepseekeyes.mcp.oauth_token import Credentials
from deepseekeyes.mcp.settings import McpSettings

if TYPE_CHECKING:
    import httpx2

    from deepseekeyes.mcp.adapters.pulse import Pulse

SignInOf = Callable[["Pulse"], "httpx2.Auth"]


class OAuthSessions:
    """Hands out sign-ins. Both planes and every connection of a server share one session while its definition stands.

    Args:
        settings: limits.
        clock: time and ids.
        record: takes audit rows; None takes none.
    """

    def __init__(
        self, settings: McpSettings, clock: Clock | None = None, record: Callable[[dict[str, Any]], None] | None = None
    ) -> None:
        self._settings = settings
        self._clock = clock or Clock()
        self._record = record
        self._sessions: dict[str, tuple[str, OAuthSession]] = {}

    def __call__(self, server_id: str, server: ServerSettings) -> SignInOf | None:
        """The sign-in of a server, or None where none is configured. The credentials are read now.

        Raises:
            EyesError: MCP_OAUTH_CREDENTIAL_MISSING, before anything is sent.
        """
        if not server.oauth.enabled:
            return None
        credentials = Credentials(
            _revealed(server_id, "client_id", server.oauth.client_id),
            _revealed(server_id, "client_secret", server.oauth.client_secret),
        )
        session = self._session(server_id, server, credentials)

        def sign_in(pulse: Pulse) -> httpx2.Auth:
            from deepseekeyes.mcp.adapters.oauth_flow import SignIn

            return SignIn(session, pulse)

        return sign_in

    def health(self, server_id: str) -> Health | None:
        """How signing in to a server stands; None before its first connection."""
        known = self._sessions.get(server_id)
        return known[1].health() if known is not None else None

    def _session(self, server_id: str, server: ServerSettings, credentials: Credentials) -> OAuthSession:
        from deepseekeyes.core.canonical import canonical

        key = canonical({"url": server.url, "oauth": server.oauth.model_dump(mode="json")})
        known = self._sessions.get(server_id)
        if known is not None and known[0] == key:
            known[1].renamed(credentials)
            return known[1]
        from deepseekeyes.mcp.adapters.oauth_http import HttpExchange

        session = OAuthSession(
            server_id, server, credentials, HttpExchange(self._settings), self._settings, self._clock, self._record
        )
        self._sessions[server_id] = (key, session)
        return session


def _revealed(server_id: str, name: str, ref: SecretRef | None) -> str:
    assert ref is not None, "an enabled oauth block has both"
    try:
        return reveal(ref)
    except EyesError as missing:
        raise EyesError(
            MCP_OAUTH_CREDENTIAL_MISSING,
            f"The server {server_id} needs oauth.{name} from the environment variable {ref.env}, which is not set.",
            details={"dispatched": "no"},
            variable=ref.env,
        ) from missing
