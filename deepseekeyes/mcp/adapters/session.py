"""The SDK's session with raw results, and the agreement on a protocol version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio
import mcp_types as types
from mcp.client.session import ClientSession
from mcp.shared.dispatcher import CallOptions
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import find_invalid_x_mcp_header, x_mcp_header_map
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_MODERN_VERSION, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from deepseekeyes import __version__
from deepseekeyes.mcp.adapters.faults import is_closed
from deepseekeyes.mcp.ports import Era, Greeting, Progress

CERTAIN = 10
"""How much longer a modern greeting may take once the server has said that it speaks nothing else."""

UNSUPPORTED_VERSION = types.UNSUPPORTED_PROTOCOL_VERSION


class RawSession(ClientSession):
    """A session whose requests return what the server sent.

    The SDK's typed methods refuse a whole answer over one odd field, after a call has run, drop fields they do not
    know, and coerce annotations. Framing, correlation, cancellation, progress and the handshake stay the SDK's.
    """

    def __init__(self, read: Any, write: Any) -> None:
        super().__init__(
            dispatcher=JSONRPCDispatcher(read, write),
            client_info=types.Implementation(name="deepseekeyes", version=__version__),
        )

    async def raw(
        self, method: str, params: Mapping[str, Any], *, timeout_s: float, progress: Progress | None
    ) -> dict[str, Any]:
        """Send one request under the agreed version and return its raw result.

        Raises:
            MCPError: the server answered with an error, the answer took too long, or the connection ended.
        """
        data: dict[str, Any] = {"method": method, "params": dict(params)}
        options: CallOptions = {"timeout": timeout_s}
        if progress is not None:
            options["on_progress"] = progress
        self._stamp(data, options)
        result: dict[str, Any] = await self._dispatcher.send_raw_request(method, data["params"], options)
        if method == "tools/list" and self.protocol_version in MODERN_PROTOCOL_VERSIONS:
            self._mirror(result.get("tools"))
        return result

    def _mirror(self, tools: Any) -> None:
        """Remember which arguments a modern HTTP server wants repeated as headers."""
        for tool in tools if isinstance(tools, list) else ():
            if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
                continue
            schema = tool.get("inputSchema")
            if isinstance(schema, dict) and find_invalid_x_mcp_header(schema) is None:
                self._x_mcp_header_maps[tool["name"]] = x_mcp_header_map(schema)


async def negotiate(session: RawSession, era: Era | None, cap_s: float) -> Greeting:
    """Agree on a protocol version, the remembered era first.

    Args:
        session: entered, nothing sent yet.
        era: what worked the last time; None tries the modern greeting first.
        cap_s: longest wait for the modern greeting, seconds; then the older handshake is tried.

    Raises:
        MCPError: neither way led to an agreement.
    """
    if era != "handshake" and (discovered := await _discover(session, LATEST_MODERN_VERSION, cap_s)):
        return discovered
    try:
        return await _handshake(session)
    except MCPError as refused:
        # A modern server says so here too: one that was slow to start answers the greeting after we stopped waiting.
        if refused.code != UNSUPPORTED_VERSION:
            raise
        discovered = await _discover(session, LATEST_MODERN_VERSION, cap_s * CERTAIN)
        if discovered is None:
            raise
        return discovered


async def _discover(session: RawSession, version: str, cap_s: float, *, again: bool = True) -> Greeting | None:
    """The modern greeting, or None when the server is of the older kind."""
    try:
        with anyio.fail_after(cap_s):
            raw = await session.send_discover(version)
        found = types.DiscoverResult.model_validate(raw)
    except TimeoutError:
        return None
    except ValidationError:
        return None
    except MCPError as refused:
        if is_closed(refused):
            raise
        supported = _supported(refused)
        mutual = [each for each in MODERN_PROTOCOL_VERSIONS if each in supported]
        if mutual and again:
            return await _discover(session, mutual[-1], cap_s, again=False)
        if supported and not any(each in HANDSHAKE_PROTOCOL_VERSIONS for each in supported):
            raise
        return None
    if not any(each in found.supported_versions for each in MODERN_PROTOCOL_VERSIONS):
        return None
    session.adopt(found)
    return _greeting(session, "modern")


def _supported(refused: MCPError) -> list[str]:
    data = refused.error.data
    listed = data.get("supported") if refused.code == UNSUPPORTED_VERSION and isinstance(data, dict) else None
    return [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []


async def _handshake(session: RawSession) -> Greeting:
    await session.initialize()
    return _greeting(session, "handshake")


def _greeting(session: RawSession, era: Era) -> Greeting:
    info = session.server_info
    capabilities = session.server_capabilities
    return Greeting(
        era=era,
        protocol_version=session.protocol_version or "",
        server_name=info.name if info else None,
        server_version=info.version if info else None,
        capabilities=capabilities.model_dump(by_alias=True, mode="json", exclude_none=True) if capabilities else {},
        instructions=session.instructions,
    )
