"""Fetch one picture over http or https, from public addresses only.

The connection goes to the very address that was checked, so a name that answers differently the second time (DNS
rebinding) changes nothing. Redirects are followed by hand and checked like the first address. No proxy, cookie or
credential is used.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from typing import Final

import httpx

from deepseekeyes import __version__
from deepseekeyes.core.errors import EyesError
from deepseekeyes.imaging import codes
from deepseekeyes.imaging.addresses import Resolve, is_public
from deepseekeyes.imaging.admit import check_bytes
from deepseekeyes.imaging.settings import IntakeLimits

MOST_ADDRESSES: Final = 4
MOST_PORT: Final = 65_535
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
HEADERS: Final = {"accept": "image/*", "accept-encoding": "identity", "user-agent": f"deepseekeyes/{__version__}"}


async def fetch(
    url: str, limits: IntakeLimits, *, resolve: Resolve | None = None, allowed: Callable[[str], bool] = is_public
) -> bytes:
    """The bytes behind a URL.

    Args:
        url: http or https, without user name and password.
        limits: bytes, time and redirects.
        resolve: host and port to addresses; None asks the system.
        allowed: whether an address may be connected to; every address of a host must pass.

    Raises:
        EyesError: `URL_INVALID`, `URL_ADDRESS_REFUSED`, `URL_REDIRECT_REFUSED`, `URL_STATUS`, `URL_UNREACHABLE`,
            `IMAGE_TOO_MANY_BYTES`.
    """
    seconds = limits.url_timeout_ms / 1000
    try:
        async with (
            asyncio.timeout(seconds),
            httpx.AsyncClient(follow_redirects=False, trust_env=False, timeout=seconds) as client,
        ):
            return await _followed(client, url, limits, resolve or _system, allowed)
    except TimeoutError as error:
        raise EyesError(
            codes.URL_UNREACHABLE,
            f"The picture did not arrive within {limits.url_timeout_ms} ms.",
            details=limits.exceeded("url_timeout_ms"),
        ) from error
    except (httpx.HTTPError, OSError) as error:
        raise EyesError(codes.URL_UNREACHABLE, "The address of the picture cannot be reached.") from error


async def _followed(
    client: httpx.AsyncClient, url: str, limits: IntakeLimits, resolve: Resolve, allowed: Callable[[str], bool]
) -> bytes:
    target = _parsed(url)
    for _ in range(limits.url_max_redirects + 1):
        addresses = await _addresses(target, resolve, allowed)
        response = await _connected(client, target, addresses)
        try:
            if response.status_code not in REDIRECTS or "location" not in response.headers:
                return await _body(response, limits)
            following = _parsed(str(_joined(target, response.headers["location"])))
        finally:
            await response.aclose()
        if target.scheme == "https" and following.scheme != "https":
            raise EyesError(codes.URL_REDIRECT_REFUSED, "The address redirects from https to plain http.")
        target = following
    raise EyesError(
        codes.URL_REDIRECT_REFUSED,
        f"The address redirects more than {limits.url_max_redirects} times.",
        details=limits.exceeded("url_max_redirects"),
    )


def _parsed(url: str) -> httpx.URL:
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, UnicodeError, ValueError) as error:
        raise EyesError(codes.URL_INVALID, "This is not a URL.") from error
    if parsed.scheme not in ("http", "https") or not parsed.host or (parsed.port or 0) > MOST_PORT:
        raise EyesError(codes.URL_INVALID, "Pictures are fetched over http and https only.")
    if parsed.userinfo:
        raise EyesError(codes.URL_INVALID, "The URL carries a user name or a password.")
    return parsed


def _joined(base: httpx.URL, location: str) -> httpx.URL:
    try:
        return base.join(location)
    except (httpx.InvalidURL, UnicodeError, ValueError) as error:
        raise EyesError(codes.URL_INVALID, "The address redirects to something that is not a URL.") from error


async def _addresses(target: httpx.URL, resolve: Resolve, allowed: Callable[[str], bool]) -> Sequence[str]:
    port = target.port or (443 if target.scheme == "https" else 80)
    try:
        found = list(dict.fromkeys(await resolve(target.host, port)))
    except (socket.gaierror, UnicodeError) as error:
        raise EyesError(codes.URL_UNREACHABLE, f"The host name {target.host} is not known.") from error
    if not found:
        raise EyesError(codes.URL_UNREACHABLE, f"The host name {target.host} has no address.")
    if not all(allowed(address) for address in found):
        raise EyesError(codes.URL_ADDRESS_REFUSED, f"The host {target.host} lies on an address that is not public.")
    return found[:MOST_ADDRESSES]


async def _connected(client: httpx.AsyncClient, target: httpx.URL, addresses: Sequence[str]) -> httpx.Response:
    failure: httpx.ConnectError | None = None
    for address in addresses:
        request = client.build_request(
            "GET",
            target.copy_with(host=address, fragment=None),
            headers={**HEADERS, "host": target.netloc.decode("ascii")},
            extensions={"sni_hostname": target.host},
        )
        try:
            return await client.send(request, stream=True)
        except httpx.ConnectError as error:
            failure = error
    assert failure is not None
    raise failure


async def _body(response: httpx.Response, limits: IntakeLimits) -> bytes:
    if response.status_code != 200:
        raise EyesError(codes.URL_STATUS, f"The server answered {response.status_code} instead of a picture.")
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise EyesError(codes.URL_STATUS, "The server packed the picture although it was asked not to.")
    declared = response.headers.get("content-length", "")
    if declared.isdecimal():
        check_bytes(int(declared[:20]), limits)
    data = bytearray()
    async for piece in response.aiter_raw():
        data += piece
        check_bytes(len(data), limits)
    return bytes(data)


async def _system(host: str, port: int) -> Sequence[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]
