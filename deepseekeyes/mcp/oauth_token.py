"""The token request and its answer (RFC 6749, sections 2.3.1, 4.4 and 5; RFC 8707)."""

from __future__ import annotations

import math
import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote_plus, urlencode

from deepseekeyes.core.redact import clip, surface
from deepseekeyes.core.secrets import SHORTEST_SECRET
from deepseekeyes.mcp.oauth_challenge import scope_of
from deepseekeyes.mcp.oauth_metadata import GRANT, Method, UnusableError

DESCRIPTION_CHARS = 200
LONGEST_TOKEN = 64 * 1024
UNNAMED = "an error of its own"

_ERRORS = frozenset(
    """
    invalid_request invalid_client invalid_grant unauthorized_client unsupported_grant_type invalid_scope invalid_target
    access_denied server_error temporarily_unavailable
    """.split()  # noqa: SIM905
)
_VISIBLE = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True, slots=True)
class Credentials:
    """A client's id and secret. Neither shows in a repr."""

    client_id: str = field(repr=False)
    client_secret: str = field(repr=False)

    def spellings(self) -> tuple[str, ...]:
        """Every form in which the secret travels, for the redactor."""
        return self.client_secret, quote_plus(self.client_secret), basic(self).removeprefix("Basic ")

    @property
    def short(self) -> bool:
        """Whether the secret is too short for the redactor to find it in foreign text."""
        return len(self.client_secret) < SHORTEST_SECRET


@dataclass(frozen=True, slots=True)
class Grant:
    """An issued token. `lifetime_s` is None where the server does not say how long it is good for."""

    token: str = field(repr=False)
    lifetime_s: float | None
    scope: str | None


def basic(credentials: Credentials) -> str:
    """The Basic header. Both halves are form-encoded first, so that a colon or plus inside them survives."""
    pair = f"{quote_plus(credentials.client_id)}:{quote_plus(credentials.client_secret)}"
    return f"Basic {b64encode(pair.encode()).decode()}"


def token_request(
    credentials: Credentials, method: Method, *, scope: str | None, resource: str
) -> tuple[dict[str, str], bytes]:
    """Headers and body of the request for a token.

    What is not there is left out, never sent empty; the secret travels in one place only.

    Args:
        credentials: both parts non-empty.
        method: how the client authenticates.
        scope: the scopes to ask for.
        resource: whom the token is for; always sent.
    """
    form = {"grant_type": GRANT}
    if scope:
        form["scope"] = scope
    form["resource"] = resource
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    if method == "client_secret_basic":
        headers["Authorization"] = basic(credentials)
    else:
        form |= {"client_id": credentials.client_id, "client_secret": credentials.client_secret}
    return headers, urlencode(form).encode()


def read_grant(document: Mapping[str, Any]) -> Grant:
    """The token of a successful answer. Anything beyond its text, lifetime and scope is dropped.

    Raises:
        UnusableError: no token, one that no header can carry, or one of another type than Bearer.
    """
    token = document.get("access_token")
    if not isinstance(token, str) or not token:
        raise UnusableError("holds no access token")
    if len(token) > LONGEST_TOKEN or _VISIBLE.fullmatch(token) is None:
        raise UnusableError("holds an access token that no header can carry")
    kind = document.get("token_type", "Bearer")
    if not isinstance(kind, str) or kind.lower() != "bearer":
        raise UnusableError("holds a token of another type than Bearer")
    return Grant(token, _lifetime(document.get("expires_in")), scope_of(document.get("scope")))


def refusal(document: Mapping[str, Any] | None, credentials: Credentials) -> tuple[str | None, str]:
    """The registered error word of an answer that is none, and what the server says, fit for a message.

    The server's own words are redacted; where the secret is too short to be found in them they are left out.
    """
    found = document if document is not None else {}
    error, description = found.get("error"), found.get("error_description")
    word = error if isinstance(error, str) and error in _ERRORS else None
    says = word or (UNNAMED if error is not None else "")
    if isinstance(description, str) and description.strip() and not credentials.short:
        told = clip(surface(description), DESCRIPTION_CHARS).rstrip(".")
        says = f"{says}: {told}" if says else told
    return word, says


def _lifetime(value: Any) -> float | None:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        seconds = math.floor(value * 1000) / 1000
    except (OverflowError, ValueError):
        return None
    return seconds if 0 < seconds < 1e12 else None
