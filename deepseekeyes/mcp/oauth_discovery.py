"""Finding out whom to ask for a token: resource metadata, the issuer, its metadata; every try is written down."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.core.redact import surface
from deepseekeyes.mcp import codes
from deepseekeyes.mcp.definitions import OAuthSettings
from deepseekeyes.mcp.oauth_metadata import (
    GRANT,
    Authority,
    Method,
    Resource,
    UnusableError,
    choose_issuer,
    choose_method,
    issuer_stands,
    read_authority,
    read_resource,
)
from deepseekeyes.mcp.oauth_urls import (
    authority_metadata_urls,
    is_near,
    origin_of,
    refusal_of,
    resource_metadata_urls,
    resource_of,
    shown,
)

MESSAGE_CHARS = 1_500

Step = Literal["resource", "authority", "token"]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer to one request. `problem` says why there is no body: a status, a redirect, a size, no connection."""

    status: int | None
    body: bytes = b""
    problem: str | None = None
    retry_after_s: float | None = None


class Fetch(Protocol):
    """Gets one address, bounded, without credentials. Never raises for what the other side does."""

    async def __call__(self, url: str) -> Reply:
        """The answer at this address."""
        ...


@dataclass(frozen=True, slots=True)
class Trial:
    """One address that was tried. `passing` failures may be gone the next time."""

    step: Step
    url: str
    status: int | None
    problem: str | None = None
    passing: bool = False

    def row(self) -> dict[str, Any]:
        """As an entry of `details.attempts`."""
        return {"step": self.step, "url": self.url, "status": self.status, "problem": self.problem}

    def __str__(self) -> str:
        answered = "no answer" if self.status is None else str(self.status)
        return f"{self.url} -> {answered}{f' ({self.problem})' if self.problem else ''}"


@dataclass(frozen=True, slots=True)
class Found:
    """Whom to ask, for what, and how.

    Attributes:
        resource: the identifier that every token request names.
        scopes: what the resource knows, for where nothing is configured.
        issuer: as the metadata names it.
        trials: every address tried on the way.
    """

    resource: str
    scopes: str | None
    issuer: str
    token_endpoint: str
    method: Method
    trials: tuple[Trial, ...]


async def discover(
    fetch: Fetch, server_id: str, server_url: str, oauth: OAuthSettings, challenged: str | None
) -> Found:
    """Go from a server that turned a request away to the token endpoint it trusts.

    Nothing secret is sent on the way.

    Args:
        fetch: gets an address.
        server_id: for messages.
        server_url: the server as configured.
        oauth: its oauth block.
        challenged: the metadata address of its challenge, if any.

    Raises:
        EyesError: MCP_OAUTH_DISCOVERY_FAILED, MCP_OAUTH_UNAVAILABLE, MCP_OAUTH_ISSUER_MISMATCH,
            MCP_OAUTH_INTERACTIVE_UNSUPPORTED, MCP_OAUTH_METHOD_UNSUPPORTED; each with `details.attempts`.
    """
    return await _Walk(fetch, server_id, server_url, oauth).run(challenged)


class _Walk:
    def __init__(self, fetch: Fetch, server_id: str, server_url: str, oauth: OAuthSettings) -> None:
        self._fetch = fetch
        self._server_id = server_id
        self._server_url = server_url
        self._oauth = oauth
        self._near = is_near(server_url) or is_near(oauth.issuer)
        self._trials: list[Trial] = []

    async def run(self, challenged: str | None) -> Found:
        resource = await self._resource(challenged)
        issuer = self._issuer(resource)
        authority = await self._authority(issuer)
        return Found(
            resource=resource.identifier if resource is not None else resource_of(self._server_url),
            scopes=resource.scopes if resource is not None else None,
            issuer=authority.issuer,
            token_endpoint=authority.token_endpoint,
            method=self._method(authority),
            trials=tuple(self._trials),
        )

    async def _resource(self, challenged: str | None) -> Resource | None:
        """The server's own metadata, or None where it plainly publishes none."""
        for url in resource_metadata_urls(self._server_url, challenged):
            document = await self._document("resource", url)
            if document is None:
                continue
            try:
                return read_resource(document, self._server_url)
            except UnusableError as unusable:
                self._spoil(str(unusable))
        if self._oauth.issuer is None and any(trial.passing for trial in self._trials):
            raise self._failure("The server {} could not be asked who issues its tokens.")
        return None

    def _issuer(self, resource: Resource | None) -> str:
        """Whom the tokens come from. A server without metadata is its own issuer, as before RFC 9728."""
        configured = self._oauth.issuer
        if resource is None:
            return configured or origin_of(self._server_url)
        chosen = choose_issuer(resource.issuers, configured)
        if chosen is not None:
            return chosen
        if not resource.issuers or configured is None:
            raise self._failure("The server {} names no authorization server.", codes.MCP_OAUTH_DISCOVERY_FAILED)
        named = ", ".join(f'"{shown(each)}"' for each in resource.issuers[:3])
        raise self._failure(
            f"The server {{}} names {named} as its authorization server, and the configuration says"
            f' "{shown(configured)}". The credentials go to the configured one only, so they were not sent.',
            codes.MCP_OAUTH_ISSUER_MISMATCH,
            setting=f'issuer = "{shown(resource.issuers[0])}"',
        )

    async def _authority(self, issuer: str) -> Authority:
        if (trouble := refusal_of(issuer, near=self._near)) is not None:
            self._trials.append(Trial("authority", shown(issuer), None, trouble.rstrip(".")))
            raise self._failure("The authorization server of {} cannot be used.", codes.MCP_OAUTH_DISCOVERY_FAILED)
        stranger: str | None = None
        for url in authority_metadata_urls(issuer):
            document = await self._document("authority", url)
            if document is None:
                continue
            try:
                authority = read_authority(document, near=self._near)
            except UnusableError as unusable:
                self._spoil(str(unusable))
                continue
            if issuer_stands(authority.issuer, issuer, self._oauth.accept_issuer):
                return authority
            stranger = stranger or authority.issuer
            self._spoil(f'calls itself "{shown(authority.issuer)}"')
        if stranger is not None:
            raise self._mismatch(stranger, issuer)
        raise self._failure("The authorization server of {} publishes no metadata that can be used.", step="authority")

    def _method(self, authority: Authority) -> Method:
        if authority.grants is not None and GRANT not in authority.grants:
            raise self._failure(
                f"The authorization server of {{}} offers {', '.join(authority.grants[:8]) or 'nothing'} and not"
                f" {GRANT}; signing in through a browser is not supported.",
                codes.MCP_OAUTH_INTERACTIVE_UNSUPPORTED,
            )
        method = choose_method(authority.methods, self._oauth.auth_method)
        if method is None:
            raise self._failure(
                f"The authorization server of {{}} accepts {', '.join((authority.methods or ())[:8]) or 'no method'},"
                " none of which a client secret serves.",
                codes.MCP_OAUTH_METHOD_UNSUPPORTED,
            )
        return method

    async def _document(self, step: Step, url: str) -> Mapping[str, Any] | None:
        """The JSON object at an address, or None; either way the address is written down."""
        trouble = refusal_of(url, near=self._near)
        if trouble is not None:
            self._trials.append(Trial(step, shown(url), None, trouble.rstrip(".")))
            return None
        reply = await self._fetch(url)
        document, problem = None, reply.problem
        if problem is None:
            document = json_object(reply.body)
            problem = None if document is not None else "no JSON object"
        self._trials.append(Trial(step, shown(url), reply.status, problem, passing(reply.status)))
        return document

    def _spoil(self, problem: str) -> None:
        """The last document cannot be used after all."""
        last = self._trials[-1]
        self._trials[-1] = Trial(last.step, last.url, last.status, problem)

    def _mismatch(self, named: str, expected: str) -> EyesError:
        return self._failure(
            f'The authorization server of {{}} calls itself "{shown(named)}" and was looked up as "{shown(expected)}".'
            " RFC 8414 wants the name in the metadata to be, letter for letter, the one it was looked up by, so the"
            " credentials were not sent.",
            codes.MCP_OAUTH_ISSUER_MISMATCH,
            setting=f'accept_issuer = "{shown(named)}"',
        )

    def _failure(
        self, sentence: str, code: Code | None = None, *, step: Step = "resource", **fields: object
    ) -> EyesError:
        """An error with all addresses; without a code, the kind of failure of this step decides it."""
        if code is None:
            down = any(trial.passing for trial in self._trials if trial.step == step)
            code = codes.MCP_OAUTH_UNAVAILABLE if down else codes.MCP_OAUTH_DISCOVERY_FAILED
        tried = "; ".join(str(trial) for trial in self._trials)
        message = f"{sentence.replace('{}', self._server_id, 1)} Tried: {tried}."
        return EyesError(
            code,
            surface(message, MESSAGE_CHARS),
            details={"attempts": [trial.row() for trial in self._trials], "dispatched": "no"},
            server=self._server_id,
            **fields,
        )


def passing(status: int | None) -> bool:
    """Whether a failure with this status may be gone the next time: no answer, too many requests, a server error."""
    return status is None or status == 429 or status >= 500


def json_object(body: bytes) -> Mapping[str, Any] | None:
    """The JSON object of a body, or None."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
