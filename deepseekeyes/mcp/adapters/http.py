"""Streamable HTTP: the SDK's transport with caps on every body, statuses recorded, and a seam for sign-in."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Self

import httpx2
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification

from deepseekeyes.mcp.adapters.pulse import Pulse
from deepseekeyes.mcp.addresses import is_loopback
from deepseekeyes.mcp.settings import McpSettings

ERROR_BODY_LIMIT = 1024 * 1024


@asynccontextmanager
async def http_transport(
    url: str,
    headers: Mapping[str, str],
    auth: httpx2.Auth | None,
    settings: McpSettings,
    pulse: Pulse,
    *,
    timeout_s: float,
) -> AsyncIterator[tuple[_Incoming, Any]]:
    """Reach a server and yield the streams that a session runs on.

    Answers are asked for without compression, so that the cap on the wire is a cap in memory; a compressed one is
    refused. Proxies of the environment apply, except to loopback.

    Args:
        auth: adds and renews credentials; None sends the headers alone.
        timeout_s: longest silence while an answer is awaited, seconds.
    """
    limit = settings.max_frame_bytes

    async def inspect(response: httpx2.Response) -> None:
        if response.status_code >= 400:
            pulse.http_status = response.status_code
        streaming = response.headers.get("content-type", "").lower().startswith("text/event-stream")
        cap = None if streaming else limit if response.status_code < 400 else min(limit, ERROR_BODY_LIMIT)
        packed = response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Capped(response.stream, cap, pulse, refused=packed)

    seconds = settings.connect_timeout_ms / 1000
    client = httpx2.AsyncClient(
        headers={"Accept-Encoding": "identity", **headers},
        auth=auth,
        timeout=httpx2.Timeout(seconds, read=max(timeout_s, seconds)),
        trust_env=not is_loopback(httpx2.URL(url).host),
        event_hooks={"response": [inspect]},
    )
    async with client, streamable_http_client(url, http_client=client, max_sse_event_size=limit) as (read, write):
        yield _Incoming(read, pulse), write


class _Capped(httpx2.AsyncByteStream):
    """A body that ends in an error when it grows over its cap."""

    def __init__(self, inner: httpx2.AsyncByteStream, cap: int | None, pulse: Pulse, *, refused: bool) -> None:
        self._inner = inner
        self._cap = cap
        self._pulse = pulse
        self._refused = refused

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._refused:
            raise httpx2.StreamError("The answer is compressed although that was not asked for.")
        total = 0
        async for chunk in self._inner:
            total += len(chunk)
            if self._cap is not None and total > self._cap:
                self._pulse.over_limit = True
                raise httpx2.StreamError("The answer is larger than a message may be.")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Incoming:
    """The SDK's incoming stream without the notifications that nobody needs."""

    def __init__(self, inner: Any, pulse: Pulse) -> None:
        self._inner = inner
        self._pulse = pulse

    @property
    def last_context(self) -> Any:
        """The context of the last message's sender, as the SDK expects it."""
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        while True:
            item: SessionMessage | Exception = await self._inner.receive()
            message = item.message if isinstance(item, SessionMessage) else None
            if isinstance(message, JSONRPCNotification) and not self._pulse.notified(message.method):
                continue
            return item

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> _Incoming:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        from anyio import EndOfStream

        try:
            return await self.receive()
        except EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
