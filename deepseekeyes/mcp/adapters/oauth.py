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

    from deepseekeyes.mcp.adapters.oauth_http import HttpExchange
    from deepseekeyes.mcp.adapters.pulse import Pulse

SignInOf = Callable[["Pulse"], "httpx2.Auth"]


class OAuthSessions:
    """Hands out sign-ins. Both planes and every connection of a server share one session while its definition stands.

    Args:
        settings: limits.
        clock: time and ids.
        record: takes audit rows; None takes none.
        note: takes warnings for people, each once.
    """

    def __init__(
        self,
        settings: McpSettings,
        clock: Clock | None = None,
        record: Callable[[dict[str, Any]], None] | None = None,
        note: Callable[[str], None] = lambda sentence: None,  # noqa: ARG005
    ) -> None:
        self._settings = settings
        self._clock = clock or Clock()
        self._record = record
        self._note = note
        self._noted: set[str] = set()
        self._sessions: dict[str, tuple[str, OAuthSession]] = {}

    def inherit(self, old: OAuthSessions) -> None:
        """Take over the sessions of another set, so that nobody signs in again; from now on under these limits."""
        for server_id, (key, session) in old._sessions.items():
            if server_id not in self._settings.servers:
                continue
            session.limited(self._settings, self._exchange(), self._record)
            self._sessions[server_id] = key, session
        self._noted |= old._noted

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
        session = OAuthSession(
            server_id, server, credentials, self._exchange(), self._settings, self._clock, self._record
        )
        self._sessions[server_id] = (key, session)
        if server.oauth.issuer is None and server_id not in self._noted:
            self._noted.add(server_id)
            self._note(
                f"The server {server_id} itself says which authorization server gets the client secret; "
                f"mcp.servers.{server_id}.oauth.issuer holds it to one."
            )
        return session

    def _exchange(self) -> HttpExchange:
        from deepseekeyes.mcp.adapters.oauth_http import HttpExchange

        return HttpExchange(self._settings)


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
