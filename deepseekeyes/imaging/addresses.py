"""Which network addresses a picture may be fetched from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""A host name and port to numeric addresses."""

WIRE_SERVER = "168.63.129.16"
"""A public-looking address that answers only inside one cloud, with its metadata."""


def is_public(address: str) -> bool:
    """Whether a numeric address is one of the open Internet.

    Loopback, private, link-local (with every cloud's metadata address), shared, multicast and reserved ranges are not,
    nor are IPv6 forms that carry such an IPv4 address (mapped, 6to4, Teredo, NAT64).
    """
    from ipaddress import IPv4Address, IPv6Network, ip_address

    try:
        found = ip_address(address)
    except ValueError:
        return False
    if str(found) == WIRE_SERVER or not found.is_global or found.is_multicast:
        return False
    if isinstance(found, IPv4Address):
        return not found.is_reserved
    inner: list[IPv4Address | None] = [found.ipv4_mapped, found.sixtofour, *(found.teredo or ())]
    if found in IPv6Network("64:ff9b::/96") or found in IPv6Network("::/96"):
        inner.append(IPv4Address(int(found) & 0xFFFFFFFF))
    if found in IPv6Network("64:ff9b:1::/48"):
        return False
    return all(is_public(str(embedded)) for embedded in inner if embedded is not None)
