"""Spotting credentials that someone wrote into a command line.

Arguments are visible to every process of the machine and end up in configuration files, so a server's secrets belong
into its environment or its headers, by the name of a variable. The detector judges forms, never values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

OPTIONS = frozenset(
    """
    access-token access-key api-key apikey api-token auth auth-token authorization app-secret basic-auth bearer
    bearer-token client-secret consumer-secret cookie cookies credential credentials oauth-token oauth2-token pass
    passphrase password password-file passwd pat personal-access-token private-key proxy-password proxy-user pwd
    refresh-token secret secret-key session-token token token-file user username
    """.split()  # noqa: SIM905 - a list of forty words reads better without quotes
)
HEADER_OPTIONS = frozenset({"--header", "--headers", "--http-header", "--proxy-header", "--request-header"})
HEADERS = frozenset(
    """
    authorization proxy-authorization cookie set-cookie api-key x-api-key x-auth-token x-access-token x-csrf-token
    x-goog-api-key x-amz-security-token
    """.split()  # noqa: SIM905
)

_KEYS = (
    r"access[-_]?key|access[-_]?token|api[-_]?key|api[-_]?token|auth|authorization|client[-_]?secret|credential|cookie"
    r"|oauth2?[-_]?token|pass|password|passwd|pat|private[-_]?key|refresh[-_]?token|secret|secret[-_]?key"
    r"|session[-_]?token|token"
)
_SCHEME = re.compile(r"(?:^|[:=])\s*(?:basic|bearer)\s+[A-Za-z0-9._~+/=-]{3,}", re.IGNORECASE)
_BARE_SCHEME = re.compile(r"^(?:basic|bearer)\s+[A-Za-z0-9._~+/=-]{3,}", re.IGNORECASE)
_ASSIGNMENT = re.compile(
    rf"(?:^-{{0,2}}|[?&,\s{{\[\"';])(?:[A-Za-z0-9]+[-_])*(?:{_KEYS})[\"']?\s*[:=]\s*\S", re.IGNORECASE
)
_TOKEN = re.compile(
    r"(?:^|[^A-Za-z0-9])(?:github_pat_|gh[opusr]_|npm_|pypi-|glpat-|hf_|xox[baprs]-|sk-|sk_)[A-Za-z0-9_-]{8,}"
)
_USERINFO = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#\s@]*:[^/?#\s@]+@")
_USER = re.compile(r"^-u(?:=.*|[^:]+:.+)$", re.DOTALL)
_WINDOWS = re.compile(r"^/([A-Za-z0-9_-]+)[:=]", re.ASCII)


def exposed_credential(arguments: Sequence[str]) -> int | None:
    """The position of the first argument that carries or announces a credential, or None.

    Stricter than a list of known forms in three places: keys with a prefix (`MY_TOKEN=...`), assignments after a
    semicolon, and user names with passwords inside URLs count too.
    """
    for position, argument in enumerate(arguments):
        following = arguments[position + 1] if position + 1 < len(arguments) else ""
        if _names_credential(argument) or _header_option(argument, following) or _looks_secret(argument):
            return position
    return None


def _names_credential(argument: str) -> bool:
    if argument == "-u" or _USER.fullmatch(argument):
        return True
    windows = _WINDOWS.match(argument)
    if windows is not None:
        return windows[1].lower().replace("_", "-") in OPTIONS
    if not argument.startswith("--"):
        return False
    name = re.split(r"[=:]", argument[2:], maxsplit=1)[0]
    return name.lower().replace("_", "-") in OPTIONS


def _header_option(argument: str, following: str) -> bool:
    header = _header_value(argument, following)
    if header is None:
        return False
    name = re.split(r"[:=]", header.strip().strip("\"'"), maxsplit=1)[0].strip().lower()
    return name in HEADERS or _looks_secret(header)


def _header_value(argument: str, following: str) -> str | None:
    if argument == "-H" or argument.lower() in HEADER_OPTIONS:
        return following
    if argument.startswith("-H"):
        return argument[2:].removeprefix("=")
    option, found, value = argument.partition("=")
    return value if found and option.lower() in HEADER_OPTIONS else None


def _looks_secret(text: str) -> bool:
    return any(pattern.search(text) for pattern in (_SCHEME, _BARE_SCHEME, _ASSIGNMENT, _TOKEN, _USERINFO))
