"""Where OAuth metadata lives, and which of the addresses that others name may be contacted (RFC 9728, 8414, OIDC)."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from deepseekeyes.core.redact import surface
from deepseekeyes.mcp.addresses import is_loopback, trouble_with

SHOWN_CHARS = 200

_RESOURCE = "/.well-known/oauth-protected-resource"
_AUTHORITY = "/.well-known/oauth-authorization-server"
_OPENID = "/.well-known/openid-configuration"
_PORTS = {"http": 80, "https": 443}


def resource_of(server_url: str) -> str:
    """A server's URL as the resource that a token is asked for: scheme and host in lower case, no fragment."""
    parts = urlsplit(server_url)
    return parts._replace(scheme=parts.scheme.lower(), netloc=parts.netloc.lower(), fragment="").geturl()


def origin_of(url: str) -> str:
    """Scheme, host and port of a URL, nothing after."""
    parts = urlsplit(url)
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}"


def resource_metadata_urls(server_url: str, challenged: str | None) -> tuple[str, ...]:
    """Where a protected resource may describe itself, in the order to try.

    The URL of the 401 challenge, then the well-known path with the server's own path behind it, then without
    (RFC 9728, section 3.1).

    Args:
        server_url: the configured URL.
        challenged: `resource_metadata` of the challenge, if it had one.
    """
    parts = urlsplit(server_url)
    origin = origin_of(server_url)
    path = "" if parts.path == "/" else parts.path
    query = f"?{parts.query}" if parts.query else ""
    found = [challenged] if challenged else []
    found += [f"{origin}{_RESOURCE}{path}{query}", f"{origin}{_RESOURCE}"]
    return tuple(dict.fromkeys(found))


def authority_metadata_urls(issuer: str) -> tuple[str, ...]:
    """Where an authorization server may describe itself, in the order to try.

    With a path in the issuer: both well-known names put before the path, then OpenID's name put behind it; without:
    both names at the root (RFC 8414, sections 3.1 and 5; OpenID Connect Discovery 1.0, section 4).
    """
    path = urlsplit(issuer).path.rstrip("/")
    origin = origin_of(issuer)
    found = (f"{origin}{_AUTHORITY}{path}", f"{origin}{_OPENID}{path}", f"{origin}{path}{_OPENID}")
    return tuple(dict.fromkeys(found))


def covers(resource: str, server_url: str) -> bool:
    """Whether a resource identifier stands for a server: the same origin, and its path is the server's or above it."""
    try:
        claimed, actual = urlsplit(resource), urlsplit(server_url)
        same = _origin(claimed) == _origin(actual)
    except ValueError:
        return False
    if not same or claimed.fragment or claimed.username is not None:
        return False
    above = claimed.path if claimed.path.endswith("/") else f"{claimed.path}/"
    return f"{actual.path}/".startswith(above) and claimed.query in ("", actual.query)


def same_issuer(one: str, other: str) -> bool:
    """Whether two issuer identifiers are the same text.

    Only a root issuer may have its slash or not: both forms lead to the same metadata URL, so nothing is told apart
    by it.
    """
    return one == other or _rootless(one) == _rootless(other)


def refusal_of(url: str, *, near: bool) -> str | None:
    """Why an address that metadata or a challenge names must not be contacted, or None.

    Args:
        url: the address.
        near: whether loopback may be contacted, which only a server or issuer on loopback may ask for.
    """
    trouble = trouble_with(url)
    if trouble is not None:
        return trouble
    if not near and is_loopback(urlsplit(url).hostname or ""):
        return "A server elsewhere may not name an address of this machine."
    return None


def is_near(url: str | None) -> bool:
    """Whether a configured URL is on this machine."""
    return url is not None and is_loopback(urlsplit(url).hostname or "")


def shown(url: str) -> str:
    """A URL fit for a message: no user information, query or fragment, no known secret, and not long."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "an address that cannot be parsed"
    host = parts.netloc.rpartition("@")[2]
    text = f"{parts.scheme}://{host}{parts.path}" if host else parts.path
    return surface("".join(letter for letter in text if letter.isprintable()), SHOWN_CHARS)


def _origin(parts: SplitResult) -> tuple[str, str, int | None]:
    scheme = parts.scheme.lower()
    return scheme, (parts.hostname or "").lower(), parts.port or _PORTS.get(scheme)


def _rootless(issuer: str) -> str:
    return issuer[:-1] if issuer.endswith("/") and issuer.count("/") == 3 else issuer
