"""Whether a browser may send a request: the rules for addresses, and for what names resolve to.

A name is resolved here and once more by the browser. A name server that answers the second question differently (DNS
rebinding) is not seen through; names and addresses that are denied as such are mapped to nothing in the browser too.
Where a name cannot be resolved here (behind a proxy), only the rules for names hold.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

from deepseekeyes.browser.urls import Policy, Refusal, is_address, is_local, is_loopback, is_private

Resolve = Callable[[str], Awaitable[Sequence[str]]]

KEPT: Final = 512
KEPT_S: Final = 60.0
RESOLVE_S: Final = 5.0
STAND_INS: Final = ip_network("198.18.0.0/15")
"""Local proxies answer every name with an address of this range, which leads nowhere by itself."""


class Outgoing:
    """Judges requests of one session.

    Args:
        policy: of the session.
        resolve: a name to its addresses.
    """

    def __init__(self, policy: Policy, resolve: Resolve) -> None:
        self.policy = policy
        self._resolve = resolve
        self._known: OrderedDict[str, tuple[float, frozenset[str]]] = OrderedDict()

    async def page(self, url: str) -> Refusal | None:
        """Why a page or frame must not be opened, None when it may be."""
        refused = self.policy.refusal(url)
        if refused is None and "private" in await self._kinds(url):
            return _private(url)
        return refused

    async def part(self, url: str, sources: Sequence[str]) -> Refusal | None:
        """Why something that a page asks for must not be fetched, None when it may be.

        Args:
            sources: addresses of the pages that may have asked.
        """
        if self.policy.parts == "any":
            return None
        refused = self.policy.part_refusal(url, sources)
        kinds = frozenset() if refused is not None else await self._kinds(url)
        if "private" in kinds or ("loopback" in kinds and not all(is_local(source) for source in sources)):
            return _private(url)
        return refused

    async def _kinds(self, url: str) -> frozenset[str]:
        """What kinds of addresses a name has."""
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".").lower()
        named = parts.scheme in ("http", "https") and host and not is_address(host) and not is_loopback(host)
        if not named or self.policy.private:
            return frozenset()
        import asyncio

        now = asyncio.get_running_loop().time()
        known = self._known.get(host)
        if known is None or now - known[0] > KEPT_S:
            known = (now, await self._asked(host))
            self._known[host] = known
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
        return known[1]

    async def _asked(self, host: str) -> frozenset[str]:
        import asyncio

        try:
            async with asyncio.timeout(RESOLVE_S):
                return frozenset(map(_kind, await self._resolve(host)))
        except (OSError, UnicodeError, TimeoutError):
            return frozenset()


def resolver_rules(policy: Policy) -> str:
    """Rules for the browser's own resolver, for what cannot be stopped before it is sent, such as web sockets."""
    patterns = [] if policy.private else list(_PRIVATE)
    for entry in policy.deny:
        wanted = entry.strip().lower().partition("://")[2].rstrip("/") or entry.strip().lower()
        patterns += [wanted[2:], wanted] if wanted.startswith("*.") else [wanted]
    return ", ".join(f"MAP {pattern} ~NOTFOUND" for pattern in patterns if not set(pattern) & set(" ,\"'"))


_PRIVATE: Final = (
    "10.???.???.???",
    "192.168.*",
    "169.254.*",
    *(f"172.{number}.*" for number in range(16, 32)),
    "fd??:*:*",
    "fe80:*:*",
    "*.internal",
    "*.local",
    "*.lan",
    "*.home.arpa",
)


def _private(url: str) -> Refusal:
    return f"{urlsplit(url).hostname} resolves to a private address.", "Allow it: open with --allow-private"


def _kind(address: str) -> str:
    found = ip_address(address.partition("%")[0])
    if found.version == 4 and found in STAND_INS:
        return "public"
    return "loopback" if is_loopback(address) else "private" if is_private(address) else "public"
