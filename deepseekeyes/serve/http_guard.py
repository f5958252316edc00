"""Who may speak to a door over HTTP: loopback names against rebinding, known origins, a token, bounded bodies."""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from deepseekeyes.core.errors import EyesError
from deepseekeyes.serve.codes import SERVE_TOKEN_REQUIRED, SERVE_TOKEN_WEAK

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

SHORTEST_TOKEN: Final = 16
LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_ALLOWED_HEADERS: Final = (
    "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id"
)
_ARGUMENT_HEADERS: Final = re.compile(r"mcp-param-[a-z0-9!#$%&'*+.^_`|~-]{1,64}")


def is_loopback(host: str) -> bool:
    """Whether an address to listen on can be reached from this machine only."""
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def checked_token(token: str | None, host: str) -> str | None:
    """The token callers must show.

    Raises:
        EyesError: SERVE_TOKEN_REQUIRED beyond loopback without one, SERVE_TOKEN_WEAK for one that is short or has
            blanks.
    """
    if token is None:
        if not is_loopback(host):
            raise EyesError(SERVE_TOKEN_REQUIRED, f"Listening on {host} needs a token.")
        return None
    if len(token) < SHORTEST_TOKEN or any(mark.isspace() or not mark.isascii() for mark in token):
        raise EyesError(SERVE_TOKEN_WEAK, "The token is short, or holds blanks.", least=SHORTEST_TOKEN)
    return token


class Guard:
    """Refuses requests before the application sees them.

    Args:
        app: what is guarded.
        host: the address it listens on.
        token: the bearer token callers must show; None for none.
        origins: browser origins that may call, beside the door's own on loopback.
        max_bytes: of one request's body, as declared; the application bounds what really arrives.
    """

    def __init__(
        self, app: AsgiApp, *, host: str, token: str | None, origins: Iterable[str] = (), max_bytes: int
    ) -> None:
        self._app = app
        self._only_loopback = is_loopback(host)
        self._token = token.encode() if token is not None else None
        self._origins = frozenset(origin.rstrip("/").lower() for origin in origins)
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = _headers(scope)
        origin = headers.get("origin")
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(send, *refusal)
        elif origin is not None and origin.lower() in self._origins:
            await self._from_browser(scope, receive, send, origin)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str, str] | None:
        host = headers.get("host", "")
        if self._only_loopback and _host_name(host) not in LOOPBACK_NAMES:
            return 421, "HOST_REFUSED", "This door answers to loopback names only."
        origin = headers.get("origin")
        if origin is not None and not self._origin_allowed(origin.lower(), host):
            return 403, "ORIGIN_REFUSED", "This origin may not call; name it in serve.origins."
        if scope["method"] == "OPTIONS" and origin is not None:
            return None
        if self._token is not None and not _shows(headers.get("authorization", ""), self._token):
            return 401, "TOKEN_REFUSED", "A bearer token is needed."
        declared = headers.get("content-length", "0")
        if not declared.isdecimal() or int(declared) > self._max_bytes:
            return 413, "REQUEST_TOO_LARGE", "The request is larger than serve.max_request_bytes."
        return None

    def _origin_allowed(self, origin: str, host: str) -> bool:
        if origin in self._origins:
            return True
        own = urlsplit(origin)
        return self._only_loopback and own.hostname in LOOPBACK_NAMES and own.netloc == host.lower()

    async def _from_browser(self, scope: Scope, receive: Receive, send: Send, origin: str) -> None:
        """Let a page of an allowed origin read the answers."""
        extra = [(b"access-control-allow-origin", origin.encode("latin-1")), (b"vary", b"origin"),
                 (b"access-control-expose-headers", b"mcp-session-id")]  # fmt: skip
        if scope["method"] == "OPTIONS":
            extra += [(b"access-control-allow-methods", b"GET, POST, DELETE"),
                      (b"access-control-allow-headers", _allowed(scope).encode())]  # fmt: skip
            await send({"type": "http.response.start", "status": 204, "headers": extra})
            await send({"type": "http.response.body", "body": b""})
            return

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *extra]}
            await send(message)

        await self._app(scope, receive, with_headers)


def _allowed(scope: Scope) -> str:
    """The headers a page may send: the protocol's own, and those that repeat arguments as far as it asks for them."""
    asked = _headers(scope).get("access-control-request-headers", "").lower().split(",")
    repeated = [name.strip() for name in asked[:64] if _ARGUMENT_HEADERS.fullmatch(name.strip())]
    return ", ".join((_ALLOWED_HEADERS, *repeated))


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def _host_name(host: str) -> str:
    return (urlsplit(f"//{host}").hostname or "") if host.isascii() and not set(host) & set("/?#@ ") else ""


def _shows(authorization: str, token: bytes) -> bool:
    scheme, _, value = authorization.partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(value.strip().encode("latin-1", "replace"), token)


async def _refuse(send: Send, status: int, code: str, message: str) -> None:
    body = json.dumps({"error": {"code": code, "message": message}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b'Bearer realm="deepseekeyes"'))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
