"""Addresses: which may be opened, and how they are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Literal
from urllib.parse import SplitResult, urlsplit

from deepseekeyes.browser.codes import BROWSER_URL_DENIED, BROWSER_URL_INVALID
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.redact import REDACTED, redact
from deepseekeyes.core.secrets import known_values

URL_CHARS = 2_000
_SCHEME = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]*:")
_INTERNAL = ("about:blank", "about:srcdoc", "chrome-error://")
Refusal = tuple[str, str]
"""Why an address must not be asked for, and what would change that."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Where pages of a session may be.

    Attributes:
        allow: host patterns; empty allows every public host and loopback.
        narrower: a second allow list that has to hold as well.
        deny: host patterns that are never opened.
        private: whether private, link-local and metadata addresses may be opened.
        files: whether `file:` may be opened.
        parts: what pages may fetch beside pages: nothing that is denied or private, only what `allow` names, anything.
    """

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    private: bool = False
    files: bool = False
    narrower: tuple[str, ...] = ()
    parts: Literal["denied", "allowed", "any"] = "denied"

    def refusal(self, url: str) -> Refusal | None:
        """Why an address must not be opened and what would change that; None when it may be."""
        if url.startswith(_INTERNAL) or url in ("", ":"):
            return None
        try:
            parts = urlsplit(url)
            host, port = (parts.hostname or "").rstrip("."), parts.port
        except ValueError:
            return "The address cannot be read.", "Give a whole address, such as https://example.org/"
        if parts.scheme == "file":
            return None if self.files else ("Local files may not be opened.", "Allow it: open with --allow-file")
        if parts.scheme in ("blob", "data"):
            return None
        if parts.scheme not in ("http", "https"):
            return f"Addresses that begin with {parts.scheme}: may not be opened.", "Use http or https."
        return self._host_refusal(host, port)

    def part_refusal(self, url: str, sources: Sequence[str]) -> Refusal | None:
        """Why a page must not fetch an address; what is no page and no web address passes.

        Args:
            sources: addresses of the pages that may have asked; those of other hosts must not ask this machine.
        """
        try:
            parts = urlsplit(url)
            host, port = (parts.hostname or "").rstrip("."), parts.port
        except ValueError:
            return self.refusal(url)
        if parts.scheme not in ("http", "https"):
            return self.refusal(url) if parts.scheme == "file" else None
        if is_loopback(host) and not self.private and not all(is_local(source) for source in sources):
            return f"A page of another host asked {host}.", "Allow it: open with --allow-private"
        return self._host_refusal(host, port) if self.parts == "allowed" else self._closed(host, port)

    def _closed(self, host: str, port: int | None) -> Refusal | None:
        if any(_matches(pattern, host, port) for pattern in self.deny):
            return f"{host} is on the deny list.", "Change deny under [browser], or --deny."
        if is_private(host) and not self.private:
            return f"{host} is a private address.", "Allow it: open with --allow-private"
        return None

    def _host_refusal(self, host: str, port: int | None) -> Refusal | None:
        closed = self._closed(host, port)
        if closed is not None:
            return closed
        for patterns in (self.allow, self.narrower):
            if patterns and not any(_matches(pattern, host, port) for pattern in patterns):
                return f"{host} is not on the allow list.", "Add it to allow under [browser], or to --allow."
        return None

    def check(self, url: str) -> None:
        """Whether somebody may go there by typing it; what pages make themselves is theirs alone.

        Raises:
            EyesError: BROWSER_URL_DENIED with the host, never with the whole address.
        """
        refused = self._not_typed(url) or self.refusal(url)
        if refused is not None:
            raise EyesError(BROWSER_URL_DENIED, refused[0], details={"dispatched": "no"}, fix=refused[1])

    def _not_typed(self, url: str) -> Refusal | None:
        scheme = url.partition(":")[0].lower()
        if scheme in ("blob", "data", "chrome-error") or (scheme == "about" and url.lower() != "about:blank"):
            return f"Addresses that begin with {scheme}: may not be opened.", "Use http or https."
        return None


def normal(text: str) -> str:
    """What a person types as an address: a bare host gets https, a bare loopback host http.

    Raises:
        EyesError: BROWSER_URL_INVALID.
    """
    given = text.strip()
    if (given and not _SCHEME.match(given.partition("/")[0] + "/")) or re.match(r"^[\w.-]+:\d+(/|$)", given):
        host = given.partition("/")[0].rpartition(":")[0] or given.partition("/")[0]
        given = f"{'http' if is_loopback(host) else 'https'}://{given}"
    try:
        parts = urlsplit(given)
        usable = bool(parts.scheme) and (parts.scheme not in ("http", "https") or bool(parts.hostname))
    except ValueError:
        usable = False
    if not usable or any(ord(letter) < 32 for letter in given) or " " in parts.netloc:
        raise EyesError(BROWSER_URL_INVALID, "The address cannot be read.", details={"dispatched": "no"})
    return given


def shown(url: str, secrets: Sequence[str] | None = None) -> str:
    """An address as documents carry it: no user name, no password, no credential in its query, cut to a length.

    Args:
        secrets: texts that appear nowhere; None asks for what is known now.
    """
    if url.startswith("data:"):
        return url[:64] + ("…" if len(url) > 64 else "")
    try:
        parts: SplitResult = urlsplit(url)
        if "@" in parts.netloc:
            url = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    except ValueError:
        return ""
    known = known_values() if secrets is None else secrets
    cleaned = redact(unspelled(url, known), known)
    return cleaned if len(cleaned) <= URL_CHARS else cleaned[: URL_CHARS - 1] + "…"


def unspelled(text: str, secrets: Iterable[str]) -> str:
    """A text in which no secret stands as addresses may spell it: any of its letters as %XX, a blank as +."""
    if "%" not in text and "+" not in text:
        return text
    for secret in secrets:
        text = _spellings(secret).sub(REDACTED, text)
    return text


@lru_cache(maxsize=256)
def _spellings(secret: str) -> re.Pattern[str]:
    letters = []
    for letter in secret:
        code = "".join(f"%{byte:02x}" for byte in letter.encode("utf-8", "surrogatepass"))
        letters.append(f"(?:{re.escape(letter)}|(?i:{code}){'|[+]' if letter == ' ' else ''})")
    return re.compile("".join(letters))


def place(url: str) -> str:
    """An address without query and fragment, for keys that hold over visits."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return (
        f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        if parts.netloc
        else url.partition("#")[0][:200]
    )


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    bare = host.strip("[]").lower()
    if bare == "localhost" or bare.endswith(".localhost"):
        return True
    address = _address(bare)
    return address is not None and address.is_loopback


def is_private(host: str) -> bool:
    """Whether a host is a private, link-local, metadata or otherwise not public address; loopback is none."""
    bare = host.strip("[]").lower()
    if is_loopback(bare):
        return False
    if bare.endswith((".internal", ".local", ".lan", ".home.arpa")) or bare == "metadata":
        return True
    address = _address(bare)
    return address is not None and not address.is_global


def is_address(host: str) -> bool:
    """Whether a host is an address and no name."""
    return _address(host.strip("[]").lower()) is not None


def is_local(url: str) -> bool:
    """Whether a page is of this machine or of none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme not in ("http", "https") or is_loopback(parts.hostname or "")


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return _odd_address(text)
    mapped = getattr(found, "ipv4_mapped", None)
    return mapped if mapped is not None else found


def _odd_address(text: str) -> IPv4Address | None:
    """Addresses in the shapes browsers accept: one number, octal and hexadecimal parts, fewer than four parts."""
    pieces = text.split(".")
    if not 1 <= len(pieces) <= 4 or not all(re.fullmatch(r"0[xX][0-9a-fA-F]+|\d+", piece) for piece in pieces):
        return None
    try:
        numbers = [
            int(piece, 16 if piece[:2].lower() == "0x" else 8 if len(piece) > 1 and piece[0] == "0" else 10)
            for piece in pieces
        ]
        value = numbers[-1]
        for index, number in enumerate(numbers[:-1]):
            value += number << (24 - 8 * index)
        return IPv4Address(value)
    except ValueError:
        return None


def _matches(pattern: str, host: str, port: int | None) -> bool:
    wanted = pattern.strip().lower()
    if "://" in wanted:
        wanted = wanted.partition("://")[2].rstrip("/")
    name, found, number = wanted.rpartition(":")
    if found and number.isdigit():
        if port != int(number):
            return False
        wanted = name
    if wanted.startswith("*."):
        return host == wanted[2:] or host.endswith(wanted[1:])
    return wanted in ("*", host)
