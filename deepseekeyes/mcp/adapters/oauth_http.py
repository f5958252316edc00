"""HTTP for signing in: small answers, short waits, redirects of a document within its origin only."""

from __future__ import annotations

import asyncio

import httpx2

from deepseekeyes import __version__
from deepseekeyes.mcp.addresses import is_loopback
from deepseekeyes.mcp.oauth_discovery import Reply
from deepseekeyes.mcp.oauth_urls import shown
from deepseekeyes.mcp.settings import McpSettings

REDIRECTS = 3
SHARE = 3
"""One request gets at most this part of the time for the whole."""

LONGEST_RETRY_S = 86_400.0


class HttpExchange:
    """Sends the requests of a sign-in. A client lives for one request, since there are few of them.

    Args:
        settings: limits of bytes and time.
    """

    def __init__(self, settings: McpSettings) -> None:
        self._limit = settings.max_oauth_bytes
        self._seconds = settings.oauth_timeout_ms / 1000 / SHARE

    async def get(self, url: str) -> Reply:
        """The document at an address; redirects are followed three times while they stay in its origin."""
        return await self._guarded("GET", url, {"Accept": "application/json"}, None, REDIRECTS)

    async def post(self, url: str, headers: dict[str, str], body: bytes) -> Reply:
        """The answer to a form. A redirect is an answer: credentials go where they were meant to go or nowhere."""
        return await self._guarded("POST", url, headers, body, 0)

    async def _guarded(self, method: str, url: str, headers: dict[str, str], body: bytes | None, hops: int) -> Reply:
        try:
            async with asyncio.timeout(self._seconds):
                return await self._exchanged(method, url, headers, body, hops)
        except (TimeoutError, httpx2.TimeoutException):
            return Reply(None, problem=f"no answer within {self._seconds:g} s")
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError) as failed:
            return Reply(None, problem=_reason(failed))

    async def _exchanged(self, method: str, url: str, headers: dict[str, str], body: bytes | None, hops: int) -> Reply:
        target = httpx2.URL(url)
        fixed = {"User-Agent": f"deepseekeyes/{__version__}", "Accept-Encoding": "identity", **headers}
        async with httpx2.AsyncClient(
            timeout=self._seconds, trust_env=not is_loopback(target.host), follow_redirects=False
        ) as client:
            request = client.build_request(method, target, headers=fixed, content=body)
            for hop in range(hops + 1):
                response = await client.send(request, stream=True)
                try:
                    following = _within_origin(response) if hop < hops else None
                    if following is None:
                        return await self._read(response)
                finally:
                    await response.aclose()
                request = following
        raise AssertionError("the last hop returns")

    async def _read(self, response: httpx2.Response) -> Reply:
        status = response.status_code
        wait = _retry_after(response.headers.get("retry-after"))
        if response.has_redirect_location:
            to = shown(str(response.next_request.url)) if response.next_request else "nowhere"
            return Reply(status, problem=f"a redirect to {to}, not followed")
        problem = None if status in (200, 201) else f"HTTP status {status}"
        if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
            return Reply(status, problem="a compressed answer that was not asked for", retry_after_s=wait)
        body = bytearray()
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > self._limit:
                return Reply(status, problem=f"more than {self._limit:,} bytes (mcp.max_oauth_bytes)")
        return Reply(status, bytes(body), problem, wait)


def _within_origin(response: httpx2.Response) -> httpx2.Request | None:
    """The request that a redirect asks for, if it stays where the first one went."""
    following = response.next_request
    if following is None or following.method != "GET" or following.url.userinfo:
        return None
    before, after = response.request.url, following.url
    same = (before.scheme, before.host, before.port) == (after.scheme, after.host, after.port)
    return following if same else None


def _reason(failed: Exception) -> str:
    """Why there was no answer, in our own words: the library's may quote what the other side sent."""
    if isinstance(failed, httpx2.ConnectError):
        tls = "certificate" in str(failed).lower() or "ssl" in str(failed).lower()
        return "its certificate was not accepted" if tls else "the connection was refused or failed"
    if isinstance(failed, httpx2.InvalidURL | httpx2.UnsupportedProtocol):
        return "the address cannot be used"
    if isinstance(failed, httpx2.ProxyError):
        return "the proxy refused"
    return "the connection broke off"


def _retry_after(text: str | None) -> float | None:
    if text is None or not text.strip().isascii() or not text.strip().isdigit():
        return None
    return min(float(text.strip()[:9]), LONGEST_RETRY_S)
