"""An MCP client signed in to the guarded server of `authorization_server`, with the time in the test's hands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from authorization_server import AuthorizationServer

from deepseekeyes.core.clock import Clock
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.adapters.connect import SdkConnector
from deepseekeyes.mcp.adapters.oauth import OAuthSessions
from deepseekeyes.mcp.call import CallRequest, call
from deepseekeyes.mcp.settings import McpSettings

CALL = CallRequest(server="web", tool="echo")
BLOCK = {"enabled": True, "client_id": {"env": "THE_ID"}, "client_secret": {"env": "THE_KEY"}}


class Signed:
    """Deps around the loopback servers.

    Args:
        server: the running fixture.
        bench: builds deps around a connector.
        oauth, definition, section: over the usual oauth block, server and settings.
    """

    def __init__(
        self,
        server: AuthorizationServer,
        bench: Callable[..., Any],
        *,
        oauth: dict[str, Any] | None = None,
        definition: dict[str, Any] | None = None,
        section: dict[str, Any] | None = None,
        keep_open: bool = False,
    ) -> None:
        defined = {
            "transport": "streamable-http",
            "url": server.url,
            "oauth": {**BLOCK, **(oauth or {})},
            "allowed_tools": ["*"],
            "allowed_resources": ["*"],
            **(definition or {}),
        }
        settings = McpSettings.model_validate({"enabled": True, "servers": {"web": defined}, **(section or {})})
        plain = Clock()
        self.server = server
        self.late_s = 0.0
        self.rows: list[dict[str, Any]] = []
        self.sessions = OAuthSessions(
            settings, Clock(monotonic=lambda: plain.monotonic() + self.late_s), self.rows.append
        )
        self.made = bench(
            SdkConnector(settings, self.sessions), settings, keep_open=keep_open, sign_in=self.sessions.health
        )
        self.deps = self.made.deps

    def call(self) -> Any:
        """The result of one call, or its error."""
        return outcome(call(CALL, self.deps))

    def events(self) -> list[str]:
        """The audited events of signing in."""
        return [row["event"] for row in self.rows]


def builder(guarded: AuthorizationServer, bench: Callable[..., Any]) -> Callable[..., Signed]:
    """Makes clients; keywords that are no part of a client are quirks, added to those before."""

    def build(
        *, oauth: Any = None, server: Any = None, section: Any = None, keep_open: bool = False, **quirks: Any
    ) -> Signed:
        guarded.quirks = replace(guarded.quirks, **quirks)
        return Signed(guarded, bench, oauth=oauth, definition=server, section=section, keep_open=keep_open)

    return build


def outcome(operation: Coroutine[Any, Any, Any]) -> Any:
    """What an operation returns, or the error it raises."""
    try:
        return asyncio.run(operation)
    except EyesError as error:
        return error
