"""One connection on the MCP SDK: a task of its own opens, owns and closes it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any

from mcp.client.subscriptions import SubscriptionLost, listen
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import find_invalid_x_mcp_header

from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.core.redact import surface
from deepseekeyes.mcp.adapters.faults import leaves, translate
from deepseekeyes.mcp.adapters.pulse import Pulse
from deepseekeyes.mcp.adapters.session import RawSession, negotiate
from deepseekeyes.mcp.codes import (
    MCP_AUTH_REJECTED,
    MCP_CONNECT_FAILED,
    MCP_CONNECT_TIMEOUT,
    MCP_FRAME_LIMIT,
    MCP_STDOUT_NOISE,
)
from deepseekeyes.mcp.ports import Changed, Era, Fault, Greeting, Progress, Vitals, WireError

CLOSE_S = 3.5
WRITE_SLACK_S = 0.5

Open = Callable[[Pulse], AbstractAsyncContextManager[tuple[Any, Any]]]

# The SDK logs bodies of failed requests, tokens included; what is worth knowing reaches the caller as an error.
for _name in ("client", "mcp", "httpx2"):
    logging.getLogger(_name).setLevel(logging.CRITICAL + 1)


class SdkWire:
    """A `Wire`. Enter and leave happen in the owner task only, since the SDK's scopes are bound to one task.

    Args:
        server_id: for messages.
        open_transport: makes the transport around a fresh pulse.
        pulse: shared with the transport.
        http: whether HTTP statuses mean something here.
        watch: ask a modern server to announce changed listings; older ones do so unasked.
    """

    def __init__(self, server_id: str, open_transport: Open, pulse: Pulse, *, http: bool, watch: bool = False) -> None:
        self._server_id = server_id
        self._open = open_transport
        self._pulse = pulse
        self._http = http
        self._watch = watch
        self._over = asyncio.Event()
        self._ready: asyncio.Future[Greeting] = asyncio.get_running_loop().create_future()
        self._session: RawSession | None = None
        self._owner: asyncio.Task[None] | None = None
        pulse.on_end = self._over.set

    async def connect(self, *, era: Era | None, within_s: float, greet_s: float) -> None:
        """Open the transport and agree on a version.

        Raises:
            EyesError: MCP_CONNECT_TIMEOUT, MCP_CONNECT_FAILED, MCP_AUTH_REJECTED, MCP_FRAME_LIMIT, MCP_STDOUT_NOISE,
                or what the transport raises.
        """
        self._owner = asyncio.create_task(self._own(era, greet_s), name=f"mcp {self._server_id}")
        try:
            async with asyncio.timeout(within_s):
                await asyncio.shield(self._ready)
        except TimeoutError:
            await self._abandon()
            raise EyesError(
                MCP_CONNECT_TIMEOUT,
                f"The server {self._server_id} was not ready within {within_s:g} s.{self._aftermath()}",
                details={
                    "limit": {"name": "connect", "value": within_s * 1000, "setting": "mcp.connect_timeout_ms"},
                    "dispatched": "no",
                },
                server=self._server_id,
            ) from None
        except BaseException:
            await self._abandon()
            raise

    async def _own(self, era: Era | None, greet_s: float) -> None:
        try:
            async with self._open(self._pulse) as (read, write), RawSession(read, write) as session:
                greeting = await negotiate(session, era, greet_s)
                self._session = session
                if not self._ready.done():
                    self._ready.set_result(greeting)
                watching = asyncio.create_task(self._announced(session, greeting))
                try:
                    await self._over.wait()
                finally:
                    watching.cancel()
                    await asyncio.gather(watching, return_exceptions=True)
        except asyncio.CancelledError:
            if not self._ready.done():
                self._ready.cancel()
            raise
        except BaseException as failed:  # noqa: BLE001 - the owner has nobody above it; the waiter gets the reason
            self._pulse.end("closed")
            if not self._ready.done():
                self._ready.set_exception(self._connect_error(failed))
        finally:
            self._session = None
            self._pulse.end("closed")

    async def _announced(self, session: RawSession, greeting: Greeting) -> None:
        """Keep a subscription to changed listings open; the pulse hears them on their way in."""
        if not self._watch or greeting.era != "modern":
            return
        with suppress(MCPError, SubscriptionLost, TimeoutError):
            async with listen(session, tools_list_changed=True, resources_list_changed=True, prompts_list_changed=True):
                await self._over.wait()

    @property
    def greeting(self) -> Greeting:
        return self._ready.result()

    def vitals(self) -> Vitals:
        return self._pulse.vitals(alive=self._session is not None and self._pulse.fault is None)

    def objection(self, input_schema: Any) -> str | None:
        """Arguments that must be repeated as headers, which cannot: such a tool is not to be called over HTTP."""
        if not self._http or self.greeting.era != "modern":
            return None
        found = find_invalid_x_mcp_header(input_schema)
        return None if found is None else f"its header annotations are invalid: {surface(found)[:200]}"

    def settled(self, listing: Changed) -> None:
        self._pulse.changed.discard(listing)

    async def request(
        self, method: str, params: Mapping[str, Any], *, timeout_s: float, progress: Progress | None = None
    ) -> dict[str, Any]:
        session = self._session
        if session is None or self._pulse.fault is not None:
            raise WireError("unsent", f"the connection is over{self._aftermath()}")
        try:
            # The SDK's own clock starts after the write; a server that never reads its pipe is caught by ours.
            async with asyncio.timeout(timeout_s + WRITE_SLACK_S):
                return await session.raw(method, params, timeout_s=timeout_s, progress=progress)
        except TimeoutError:
            raise WireError("timeout", f"no answer to {method} within {timeout_s:g} s") from None
        except MCPError as error:
            fault = translate(error, self._pulse, http=self._http)
            if fault.fault == "session-lost":
                self._pulse.end("session-lost")
            if fault.fault == "closed":
                await self._settle()
                fault = WireError("closed", f"the connection ended{self._aftermath()}")
            if fault.fault == "auth" and self._pulse.refused is not None:
                fault = WireError("auth", self._pulse.refused.message, reason=self._pulse.refused)
            raise fault from error

    async def close(self) -> None:
        self._over.set()
        owner = self._owner
        if owner is None:
            return
        with suppress(asyncio.CancelledError):
            done, _ = await asyncio.wait({owner}, timeout=CLOSE_S)
            if not done:
                self._pulse.close_failed = True
        await self._abandon()

    async def _abandon(self) -> None:
        owner = self._owner
        if owner is None:
            return
        if not owner.done():
            owner.cancel()
            await asyncio.wait({owner}, timeout=CLOSE_S)
        if self._ready.done() and not self._ready.cancelled():
            self._ready.exception()
        if owner.done() and not owner.cancelled():
            owner.exception()

    async def _settle(self) -> None:
        """Give the watcher a moment to see the exit status, so that the error can name it."""
        for _ in range(20):
            if self._pulse.exit_status is not None or self._http:
                return
            await asyncio.sleep(0.01)

    def _aftermath(self) -> str:
        """Exit status and the end of stderr, for a message."""
        parts = []
        if self._pulse.exit_status is not None:
            status = self._pulse.exit_status
            parts.append(f"it was ended by signal {-status}" if status < 0 else f"it exited with status {status}")
        elif self._http and self._pulse.http_status is not None:
            parts.append(f"the last HTTP status was {self._pulse.http_status}")
        tail = surface(self._pulse.stderr.text()[-400:])
        if tail:
            parts.append(f"its stderr ends: {tail}")
        return f" ({'; '.join(parts)})" if parts else ""

    def _connect_error(self, failed: BaseException) -> EyesError:
        errors = list(leaves(failed))
        ours = next((each for each in errors if isinstance(each, EyesError)), None)
        ours = ours or self._pulse.refused
        if ours is not None:
            return ours
        first = next((each for each in errors if not isinstance(each, asyncio.CancelledError)), failed)
        code = self._connect_code(first)
        reason = surface(str(first)) or type(first).__name__
        return EyesError(
            code,
            f"The server {self._server_id} could not be reached: {reason}.{self._aftermath()}",
            details={"dispatched": "no"},
            server=self._server_id,
        )

    def _connect_code(self, first: BaseException) -> Code:
        by_fault: dict[Fault | None, Code] = {"frame-limit": MCP_FRAME_LIMIT, "noise": MCP_STDOUT_NOISE}
        if self._pulse.fault in by_fault:
            return by_fault[self._pulse.fault]
        if isinstance(first, MCPError) and self._http and self._pulse.http_status in (401, 403):
            return MCP_AUTH_REJECTED
        return MCP_CONNECT_FAILED
