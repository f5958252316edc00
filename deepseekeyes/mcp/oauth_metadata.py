"""Reading and judging OAuth metadata: whom it speaks for, who issues the tokens, and how a client may sign in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from deepseekeyes.mcp.oauth_challenge import scope_of
from deepseekeyes.mcp.oauth_urls import covers, refusal_of, same_issuer, shown

MOST_ENTRIES = 256

Method = Literal["client_secret_basic", "client_secret_post"]
METHODS: tuple[Method, ...] = ("client_secret_basic", "client_secret_post")
GRANT = "client_credentials"


class UnusableError(Exception):
    """A document that cannot be used. The message is the end of a sentence, without foreign text beyond addresses."""


@dataclass(frozen=True, slots=True)
class Resource:
    """What a protected resource says about itself.

    Attributes:
        identifier: the resource that tokens are for.
        issuers: its authorization servers.
        scopes: the scopes it knows.
    """

    identifier: str
    issuers: tuple[str, ...]
    scopes: str | None


@dataclass(frozen=True, slots=True)
class Authority:
    """What an authorization server says about itself. `methods` and `grants` are None where it says nothing."""

    issuer: str
    token_endpoint: str
    methods: tuple[str, ...] | None
    grants: tuple[str, ...] | None


def read_resource(document: Mapping[str, Any], server_url: str) -> Resource:
    """Protected resource metadata (RFC 9728).

    Args:
        document: the parsed JSON object.
        server_url: whom it must speak for.

    Raises:
        UnusableError: it names no resource, or another one.
    """
    identifier = document.get("resource")
    if not isinstance(identifier, str) or not identifier:
        raise UnusableError("names no resource")
    if not covers(identifier, server_url):
        raise UnusableError(f"speaks for {shown(identifier)}, not for this server")
    scopes = _words(document.get("scopes_supported"))
    return Resource(identifier, _words(document.get("authorization_servers")) or (), scope_of(" ".join(scopes or ())))


def read_authority(document: Mapping[str, Any], *, near: bool) -> Authority:
    """Authorization server metadata (RFC 8414) or an OpenID configuration.

    Args:
        document: the parsed JSON object.
        near: whether its token endpoint may be on this machine.

    Raises:
        UnusableError: no issuer, or no token endpoint that may be contacted.
    """
    issuer, endpoint = document.get("issuer"), document.get("token_endpoint")
    if not isinstance(issuer, str) or not issuer:
        raise UnusableError("names no issuer")
    if not isinstance(endpoint, str) or not endpoint:
        raise UnusableError("names no token endpoint")
    if (trouble := refusal_of(endpoint, near=near)) is not None:
        raise UnusableError(
            f"names a token endpoint that cannot be used: {trouble[0].lower()}{trouble[1:].rstrip('.')}"
        )
    return Authority(
        issuer,
        endpoint,
        _words(document.get("token_endpoint_auth_methods_supported")),
        _words(document.get("grant_types_supported")),
    )


def issuer_stands(named: str, expected: str, accepted: str | None) -> bool:
    """Whether metadata that calls itself `named` may be used where `expected` was looked up.

    Args:
        named: `issuer` of the metadata.
        expected: the identifier that led to it.
        accepted: the one other name that the operator allows for this server.
    """
    return same_issuer(named, expected) or (accepted is not None and named == accepted)


def choose_issuer(advertised: tuple[str, ...], configured: str | None) -> str | None:
    """The authorization server to use: the configured one if it is advertised, else the first; None if none fits."""
    if configured is None:
        return advertised[0] if advertised else None
    return next((each for each in advertised if same_issuer(each, configured)), None)


def choose_method(advertised: tuple[str, ...] | None, configured: Method | None) -> Method | None:
    """How the client authenticates: as configured, else basic or post, whichever is advertised, basic first.

    A server that advertises nothing takes basic (RFC 8414, section 2). None when it advertises only ways that a client
    secret cannot serve.
    """
    if configured is not None:
        return configured
    if advertised is None:
        return "client_secret_basic"
    return next((each for each in METHODS if each in advertised), None)


def other_method(method: Method) -> Method:
    """The method to try by hand when one was refused."""
    return "client_secret_post" if method == "client_secret_basic" else "client_secret_basic"


def _words(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    return tuple(word for word in value[:MOST_ENTRIES] if isinstance(word, str) and word)
