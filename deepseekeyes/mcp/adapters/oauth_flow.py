"""The sign-in of one connection, as the HTTP client asks for it.

The SDK's own provider holds its lock while the signed request runs, replaces the configured scope, asks without a
token whenever one has run out, and puts answers of the token endpoint into its errors; this flow does none of that.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator

import httpx2

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.adapters.pulse import Pulse
from deepseekeyes.mcp.oauth_challenge import Challenge, read_challenge
from deepseekeyes.mcp.oauth_session import OAuthSession


class SignIn(httpx2.Auth):
    """Adds the token of a shared session to each request and renews it when the server turns a request away.

    A request that was turned away was not carried out, so it is sent again. When signing in fails, the refusal
    stands as the answer and `pulse.refused` says why: raising here would end the connection under other calls.

    Args:
        session: the token, shared with other connections.
        pulse: of this connection.
    """

    def __init__(self, session: OAuthSession, pulse: Pulse) -> None:
        self._session = session
        self._pulse = pulse

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        sent = await self._token()
        answered: set[int] = set()
        while True:
            _stamp(request, sent)
            response = yield request
            challenge = _challenge(response)
            if challenge is None:
                self._welcomed(response, sent)
                return
            fresh = await self._renewed(sent, challenge, answered)
            if fresh is None:
                _settle(response)
                return
            self._pulse.http_status = None
            sent = fresh

    async def _token(self) -> str | None:
        try:
            return await self._session.current()
        except EyesError as failed:
            self._pulse.refused = failed
            return self._session.last()

    async def _renewed(self, sent: str | None, challenge: Challenge, answered: set[int]) -> str | None:
        """The token to try next, once for a refused token and once for a scope that is too small, or None."""
        if challenge.status in answered and sent is not None:
            self._pulse.refused = self._session.refused(sent, challenge)
            return None
        answered.add(challenge.status)
        try:
            return await self._session.renewed(sent, challenge)
        except EyesError as failed:
            self._pulse.refused = failed
            return None

    def _welcomed(self, response: httpx2.Response, token: str | None) -> None:
        if response.status_code < 400:
            self._pulse.refused = None
            if token is not None:
                self._session.welcomed(token)


def _stamp(request: httpx2.Request, token: str | None) -> None:
    if token is not None:
        request.headers["Authorization"] = f"Bearer {token}"


def _challenge(response: httpx2.Response) -> Challenge | None:
    return read_challenge(response.status_code, response.headers.get_list("www-authenticate"))


def _settle(response: httpx2.Response) -> None:
    """Have the transport report the status rather than a JSON-RPC error that the body may hold."""
    response.headers["content-type"] = "text/plain"
