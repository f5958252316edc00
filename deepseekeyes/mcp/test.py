"""`mcp test SERVER`: a fresh connection, both planes drained, and how it all went."""

from __future__ import annotations

from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.mcp import McpTest
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.core.redact import surface
from deepseekeyes.mcp.deps import McpDeps, require_enabled
from deepseekeyes.mcp.describe import known_server, live_server
from deepseekeyes.mcp.oauth_document import with_sign_in


class TestRequest(Contract):
    """`server` is an id."""

    __test__ = False

    server: str
    enable: bool = False


async def test(request: TestRequest, deps: McpDeps) -> McpTest:
    """Connect anew, never from memory, and report what was found.

    A failed connection is a document with its error. `stderr_tail` is there when something is wrong.

    Raises:
        EyesError: MCP_DISABLED, MCP_SERVER_UNKNOWN, MCP_SERVER_DISABLED.
    """
    require_enabled(deps, enable=request.enable)
    server = deps.upstreams.server(request.server)
    await loop_needed()
    try:
        async with deps.upstreams.using(request.server, fresh=True) as live:
            document = live_server(live, deps.upstreams.exposure([request.server]))
            document = with_sign_in(document, server, deps.sign_in(request.server))
            vitals, error = live.wire.vitals(), live.tools_error or live.content_error
            connect_ms = live.connect_ms
            closing = deps.clock.monotonic()
    except EyesError as failed:
        known = known_server(request.server, server, deps.settings, None, {}, failed)
        return McpTest(
            ok=False,
            server=with_sign_in(known, server, deps.sign_in(request.server)),
            error=ErrorBody.of(failed),
        )
    return McpTest(
        ok=error is None,
        server=document,
        connect_ms=connect_ms,
        close_ms=deps.clock.milliseconds_since(closing),
        noise_lines=vitals.noise,
        stderr_tail=surface(vitals.stderr_tail[-500:]) or None if error is not None or vitals.noise else None,
        error=ErrorBody.of(error) if error is not None else None,
    )
