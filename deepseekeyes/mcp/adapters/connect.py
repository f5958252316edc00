"""The connector that wiring hands to the planes. Importing this file does not import the SDK."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.secrets import SecretRef, reveal
from deepseekeyes.mcp.codes import MCP_CREDENTIAL_MISSING, MCP_EXTRA_MISSING
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.ports import Connector, Era, Wire
from deepseekeyes.mcp.settings import McpSettings

if TYPE_CHECKING:
    import httpx2

    from deepseekeyes.mcp.adapters.pulse import Pulse
    from deepseekeyes.mcp.adapters.sdk import SdkWire
    from deepseekeyes.mcp.oauth_events import Health


class AuthProvider(Protocol):
    """Signs in to servers that are configured so."""

    def __call__(self, server_id: str, server: ServerSettings) -> Callable[[Pulse], httpx2.Auth] | None:
        """Makes the sign-in of one connection, or None where none is configured."""
        ...

    def health(self, server_id: str) -> Health | None:
        """How signing in to a server stands; None before its first connection."""
        ...

    def inherit(self, old: Any) -> None:
        """Go on with the sign-ins of another provider of the same kind."""
        ...


class SdkConnector:
    """Opens connections through the MCP SDK.

    Args:
        settings: timeouts and caps.
        auth: makes the sign-in of an HTTP server (OAuth); None signs nobody in.
        watch: hear of changed listings, for connections that are held.
    """

    def __init__(self, settings: McpSettings, auth: AuthProvider | None = None, *, watch: bool = False) -> None:
        self._settings = settings
        self._auth = auth
        self._watch = watch

    @property
    def auth(self) -> AuthProvider | None:
        """What signs in to servers."""
        return self._auth

    def inherit(self, old: Connector) -> None:
        """Go on with the sign-ins of another connector, under the limits of this one."""
        if isinstance(old, SdkConnector) and self._auth is not None and old.auth is not None:
            self._auth.inherit(old.auth)

    def sign_in(self, server_id: str) -> Health | None:
        """How signing in to a server stands; None where it was not needed yet."""
        return self._auth.health(server_id) if self._auth is not None else None

    async def __call__(self, server_id: str, server: ServerSettings, *, era: Era | None) -> Wire:
        resolved = self._resolve(server_id, server)
        _require_sdk()
        pulse = self._pulse()
        try:
            return await self._connect(server_id, server, resolved, era, pulse)
        except EyesError:
            # Some servers of the older kind end themselves at a greeting they do not know: once more, the older way.
            if era is not None or pulse.exit_status is None:
                raise
            return await self._connect(server_id, server, resolved, "handshake", self._pulse())

    def _pulse(self) -> Pulse:
        from deepseekeyes.mcp.adapters.pulse import Pulse, Tail

        return Pulse(stderr=Tail(self._settings.max_stderr_bytes))

    async def _connect(
        self, server_id: str, server: ServerSettings, resolved: Mapping[str, str], era: Era | None, pulse: Pulse
    ) -> SdkWire:
        from deepseekeyes.mcp.adapters.sdk import SdkWire

        wire = SdkWire(
            server_id,
            self._transport(server_id, server, resolved),
            pulse,
            http=server.transport != "stdio",
            watch=self._watch,
        )
        await wire.connect(
            era=era,
            within_s=self._settings.connect_timeout_ms / 1000,
            greet_s=self._settings.negotiate_timeout_ms / 1000,
        )
        return wire

    def _transport(self, server_id: str, server: ServerSettings, resolved: Mapping[str, str]) -> Any:
        settings = self._settings
        if server.transport == "stdio":
            from mcp.client.stdio import get_default_environment

            from deepseekeyes.mcp.adapters.stdio import stdio_transport

            env = {**get_default_environment(), **resolved}
            return lambda pulse: stdio_transport(server_id, server, env, settings, pulse)
        from deepseekeyes.mcp.adapters.http import http_transport

        sign_in = self._auth(server_id, server) if self._auth is not None else None
        return lambda pulse: http_transport(
            server.url or "",
            resolved,
            sign_in(pulse) if sign_in is not None else None,
            settings,
            pulse,
            timeout_s=settings.timeout_s(server),
        )

    def _resolve(self, server_id: str, server: ServerSettings) -> dict[str, str]:
        """The values behind a server's references, all of them before anything is started."""
        references = server.env if server.transport == "stdio" else server.headers
        return {name: _revealed(server_id, name, ref) for name, ref in references.items()}


def _revealed(server_id: str, name: str, ref: SecretRef) -> str:
    try:
        value = reveal(ref)
    except EyesError as missing:
        raise EyesError(
            MCP_CREDENTIAL_MISSING,
            f"The server {server_id} needs {name} from the environment variable {ref.env}, which is not set.",
            details={"dispatched": "no"},
            variable=ref.env,
        ) from missing
    if any(letter in value for letter in "\r\n\0"):
        raise EyesError(
            MCP_CREDENTIAL_MISSING,
            f"The environment variable {ref.env} for {name} of the server {server_id} holds a line break.",
            details={"dispatched": "no"},
            variable=ref.env,
        )
    return value


def _require_sdk() -> None:
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise EyesError(MCP_EXTRA_MISSING, "The MCP client is not installed.")
