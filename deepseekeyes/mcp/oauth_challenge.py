"""What a server says when it turns a request away: the Bearer challenge of `WWW-Authenticate` (RFC 6750, RFC 9728)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

LONGEST = 8_192

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # noqa: S105 - a grammar rule
_PIECE = re.compile(
    rf"[\s,]*(?:(?P<name>{_TOKEN})[ \t]*=[ \t]*(?:\"(?P<quoted>(?:[^\"\\]|\\.)*)\"|(?P<bare>[^\s,\"]+))"
    rf"|(?P<scheme>{_TOKEN}))"
)
_SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*")


@dataclass(frozen=True, slots=True)
class Challenge:
    """A request was turned away.

    Attributes:
        status: 401, or 403 when the token's scope is too small.
        metadata_url: where the server describes itself, as it says; not checked.
        scope: the scopes it wants.
        error: its error word, such as `invalid_token`.
    """

    status: int
    metadata_url: str | None = None
    scope: str | None = None
    error: str | None = None


def read_challenge(status: int, headers: Iterable[str]) -> Challenge | None:
    """The challenge of a response, or None when signing in anew cannot help.

    Args:
        status: of the response.
        headers: the values of its `WWW-Authenticate` headers.
    """
    if status not in (401, 403):
        return None
    found = _bearer(", ".join(headers)[:LONGEST])
    error = found.get("error")
    if status == 403 and error != "insufficient_scope":
        return None
    return Challenge(status, found.get("resource_metadata"), scope_of(found.get("scope")), error)


def scope_of(text: object) -> str | None:
    """A list of scopes as a request may carry it, or None when it is not one."""
    if not isinstance(text, str):
        return None
    joined = " ".join(text.split())
    return joined if len(joined) <= LONGEST and _SCOPE.fullmatch(joined) else None


def _bearer(header: str) -> dict[str, str]:
    """The parameters of the first Bearer challenge, names in lower case, the first of each name."""
    found: dict[str, str] = {}
    scheme = ""
    place = 0
    while (piece := _PIECE.match(header, place)) is not None:
        place = piece.end()
        if piece["scheme"] is not None:
            if scheme == "bearer":
                break
            scheme = piece["scheme"].lower()
        elif scheme == "bearer":
            value = piece["bare"] if piece["quoted"] is None else re.sub(r"\\(.)", r"\1", piece["quoted"])
            if value:
                found.setdefault(piece["name"].lower(), value)
    return found
