"""Which URLs a server may have: HTTPS, or plain HTTP to an explicit loopback host, and never a secret inside."""

from __future__ import annotations

import re
from ipaddress import IPv6Address
from urllib.parse import parse_qsl, urlsplit

_SECRET_KEY = re.compile(r"api[-_]?key|authorization|credential|password|secret|signature|token", re.IGNORECASE)
_NUMERIC = re.compile(r"^(?:0x[0-9a-f]*|[0-9]+)(?:\.(?:0x[0-9a-f]*|[0-9]+))*\.?$", re.IGNORECASE)
_QUAD = re.compile(r"^(?:(?:0|[1-9][0-9]{0,2})\.){3}(?:0|[1-9][0-9]{0,2})$")
_HOST = re.compile(r"^[A-Za-z0-9._-]+$")


def trouble_with(url: str) -> str | None:
    """What is wrong with a server's URL as one sentence, or None when it may be used.

    Hosts in unusual spellings (percent escapes, octal or short numbers, letters outside ASCII) are refused rather than
    guessed at, so that what is checked here is what the HTTP library connects to.
    """
    if any(ord(letter) <= 0x20 or letter in "\\\x7f" for letter in url):
        return "The URL holds blanks, control characters or backslashes."
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "The URL cannot be parsed."
    del port
    if parts.scheme not in ("http", "https"):
        return "The URL must start with https:// (or http:// for a loopback host)."
    if not host:
        return "The URL names no host."
    if "@" in parts.netloc:
        return "The URL holds a user name or password; name a variable under headers instead."
    return _host_trouble(parts.scheme, host, parts.netloc) or _query_trouble(parts.query)


def _host_trouble(scheme: str, host: str, netloc: str) -> str | None:
    bracketed = netloc.startswith("[")
    if bracketed:
        if "%" in host or _ipv6(host) is None:
            return "The URL's IPv6 host cannot be used."
    elif not _HOST.fullmatch(host):
        return "The URL's host must be plain ASCII; write an international name in its xn-- form."
    elif _NUMERIC.fullmatch(host) and not canonical_quad(host):
        return "The URL's host is a number in an unusual spelling; write it as four decimal parts."
    if scheme == "http" and not is_loopback(host):
        return "Plain http is accepted for loopback hosts only; use https."
    return None


def _query_trouble(query: str) -> str | None:
    pairs = parse_qsl(query, keep_blank_values=True, separator="&", max_num_fields=1000)
    if any(_SECRET_KEY.search(key) for key, _ in pairs):
        return "The URL's query names a credential; name a variable under headers instead."
    return None


def canonical_quad(host: str) -> bool:
    """Whether the host is four decimal parts of at most 255 without leading zeros."""
    return _QUAD.fullmatch(host) is not None and all(int(part) <= 255 for part in host.split("."))


def is_loopback(host: str) -> bool:
    """Whether a host can only mean this machine.

    `localhost` and names below it (one trailing dot allowed), 127.0.0.0/8 in its canonical form, `::1`, and IPv6 that
    embeds 127.0.0.0/8 in the compatible or the mapped form.
    """
    name = host.strip().lower().removeprefix("[").removesuffix("]")
    if ":" in name:
        return _ipv6_loopback(name)
    name = name.removesuffix(".")
    if name == "localhost" or (name.endswith(".localhost") and not name.startswith(".") and ".." not in name):
        return True
    return canonical_quad(name) and name.startswith("127.")


def _ipv6(text: str) -> IPv6Address | None:
    try:
        return IPv6Address(text)
    except ValueError:
        return None


def _ipv6_loopback(text: str) -> bool:
    address = _ipv6(text)
    if address is None or address.scope_id is not None:
        return False
    number = int(address)
    if number == 1:
        return True
    embedded = number >> 32 in (0, 0xFFFF)
    return embedded and (number >> 24) & 0xFF == 127
