"""Streamable HTTP servers on loopback that misbehave."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.adapters.connect import SdkConnector
from deepseekeyes.mcp.call import CallRequest, call
from deepseekeyes.mcp.settings import McpSettings

pytestmark = pytest.mark.service

SERVER = Path(__file__).parents[1] / "hostile" / "mcp" / "over_http.py"
CALL = CallRequest(server="web", tool="echo")


@pytest.fixture
def over(bench):
    """Deps around a loopback server of the given mode."""
    started = []

    def build(mode, *, keep_open=False, server=None, **fields):
        process = subprocess.Popen([sys.executable, "-S", str(SERVER), mode], stdout=subprocess.PIPE, text=True)
        started.append(process)
        port = process.stdout.readline().strip()
        definition = {
            "transport": "streamable-http",
            "url": f"http://127.0.0.1:{port}/mcp",
            "allowed_tools": ["*"],
            "timeout_ms": 6000,
            **(server or {}),
        }
        section = McpSettings.model_validate({"enabled": True, "servers": {"web": definition}, **fields})
        return bench(SdkConnector(section), section, keep_open=keep_open)

    yield build
    for process in started:
        process.kill()
        process.stdout.close()
        process.wait()


def outcome(made):
    started = time.monotonic()
    try:
        result = asyncio.run(call(CALL, made.deps))
    except EyesError as error:
        result = error
    return result, time.monotonic() - started


def test_a_call_over_http_carries_its_header_and_nothing_keeps_the_value(over, monkeypatch):
    monkeypatch.setenv("MINE", "header-secret-1")
    made = over("plain", server={"headers": {"X-Key": {"env": "MINE"}}})
    result, _ = outcome(made)
    assert result.preview == "header-secret-1"
    stored = b"".join(path.read_bytes() for path in made.home.rglob("*") if path.is_file())
    assert b"header-secret-1" not in stored


@pytest.mark.parametrize(
    ("mode", "code", "exit_code"),
    [
        ("401", "MCP_AUTH_REJECTED", 4),
        ("403", "MCP_AUTH_REJECTED", 4),
        ("500", "MCP_CONNECT_FAILED", 5),
        ("401-call", "MCP_AUTH_REJECTED", 4),
        ("429-call", "MCP_TOOL_CALL_FAILED", 1),
        ("500-call", "MCP_TRANSPORT_CLOSED", 5),
        ("redirect", "MCP_TOOL_CALL_FAILED", 1),
        ("accepted", "MCP_TOOL_CALL_FAILED", 1),
        ("html", "MCP_TOOL_CALL_FAILED", 1),
        ("broken", "MCP_PROTOCOL_INVALID", 6),
        ("cut", "MCP_TRANSPORT_CLOSED", 5),
        ("big-json", "MCP_FRAME_LIMIT", 6),
        ("big-event", "MCP_FRAME_LIMIT", 6),
        ("bomb", "MCP_PROTOCOL_INVALID", 6),
        ("empty-stream", "MCP_TRANSPORT_CLOSED", 5),
        ("forget", "MCP_SESSION_LOST", 5),
    ],
)
def test_an_http_server_that_misbehaves_ends_in_its_code(over, mode, code, exit_code):
    result, took = outcome(over(mode, max_frame_bytes=65_536))
    assert isinstance(result, EyesError), result
    assert (result.code.name, result.exit_code) == (code, exit_code)
    assert "verysecret" not in result.message
    assert took < 8


def test_a_refused_port_is_a_failed_connection(over):
    made = over("plain", server={"url": "http://127.0.0.1:9/mcp"})
    result, _ = outcome(made)
    assert result.code.name == "MCP_CONNECT_FAILED"


def test_a_lost_session_is_opened_anew_for_the_next_call_and_the_lost_call_is_not_repeated(over):
    made = over("forget", keep_open=True)

    async def twice():
        codes = []
        for _ in range(2):
            try:
                await call(CALL, made.deps)
            except EyesError as error:
                codes.append(error.code.name)
        live = made.deps.upstreams.live("web")
        await made.deps.upstreams.aclose()
        return codes, live

    codes, live = asyncio.run(twice())
    assert codes == ["MCP_SESSION_LOST", "MCP_SESSION_LOST"]
    assert live is not None
