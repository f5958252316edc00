"""The transports' parts: framing, noise, faults, programs and resolved references."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.exceptions import MCPError

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.adapters import processes
from deepseekeyes.mcp.adapters.connect import SdkConnector
from deepseekeyes.mcp.adapters.faults import is_closed, leaves, translate
from deepseekeyes.mcp.adapters.frames import FrameTooLargeError, LineFrames
from deepseekeyes.mcp.adapters.messages import read_line
from deepseekeyes.mcp.adapters.pulse import DEPTH_LIMIT, UNREADABLE, Pulse, Tail
from deepseekeyes.mcp.programs import resolve
from deepseekeyes.mcp.settings import McpSettings


@given(st.lists(st.binary(max_size=20)), st.integers(1, 7))
def test_lines_are_the_same_however_the_bytes_arrive(lines, step):
    whole = [line.replace(b"\n", b"") for line in lines]
    stream = b"".join(line + b"\n" for line in whole)
    frames = LineFrames(100)
    found = [line for at in range(0, len(stream), step) for line in frames.feed(stream[at : at + step])]
    assert found == whole


@pytest.mark.parametrize(
    "chunks", [[b"x" * 11], [b"x" * 6, b"x" * 5], [b"ok\n" + b"x" * 11 + b"\n"], [b"ok\n" + b"x" * 11]]
)
def test_a_line_over_the_limit_is_refused_and_exactly_at_it_is_not(chunks):
    assert LineFrames(10).feed(b"x" * 10 + b"\n") == [b"x" * 10]
    frames = LineFrames(10)
    for chunk in chunks[:-1]:
        frames.feed(chunk)
    with pytest.raises(FrameTooLargeError):
        frames.feed(chunks[-1])


def test_a_long_line_in_small_pieces_is_joined_once():
    frames = LineFrames(64 * 1024 * 1024)
    for _ in range(512):
        assert frames.feed(b"x" * 65_536) == []
    assert len(frames.feed(b"\n")[0]) == 32 * 1024 * 1024


def test_the_tail_keeps_the_end_only():
    tail = Tail(10)
    for number in range(1000):
        tail.add(f"{number:04}\n".encode())
    assert tail.text() == "0998\n0999\n"


@pytest.mark.parametrize(
    ("line", "method", "noise"),
    [
        (b"", None, 0),
        (b"   ", None, 0),
        (b"hello", None, 1),
        (b'{"level":"info"}', None, 1),
        (b'[{"jsonrpc":"2.0"}]', None, 1),
        (b'"jsonrpc"', None, 1),
        (b'{"jsonrpc":"2.0","method":"notifications/message","params":{}}', None, 0),
        (b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', None, 0),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', "JSONRPCResponse", 0),
        (b'{"jsonrpc":"2.0","id":1,"result":{"a":"\\ud800"}}', "JSONRPCResponse", 0),
        (b'{"jsonrpc":"2.0","id":1,"result":{"a":"\xff"}}', "JSONRPCResponse", 0),
        (b'{"jsonrpc":"2.0","id":1,"result":{', "JSONRPCError", 0),
        (b'{"jsonrpc":"2.0","result":{', None, 1),
    ],
)
def test_a_line_is_a_message_noise_or_neither(line, method, noise):
    pulse = Pulse()
    found = read_line(line, pulse)
    assert (None if found is None else type(found.message).__name__, pulse.noise) == (method, noise)


def test_a_response_nested_beyond_every_parser_fails_the_request_it_answers():
    line = b'{"jsonrpc":"2.0","id":7,"result":' + b'{"x":' * 100_000 + b"1" + b"}" * 100_001
    found = read_line(line, Pulse())
    assert (found.message.id, found.message.error.code) == (7, DEPTH_LIMIT)


def test_announced_listings_are_noted_once_however_often_they_come():
    pulse = Pulse()
    for _ in range(1000):
        read_line(b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', pulse)
    assert (pulse.vitals(alive=True).changed, pulse.ignored) == ({"tools"}, 0)


@pytest.mark.parametrize(
    ("code", "text", "http", "fault"),
    [
        (-32001, "Request 'tools/call' timed out", False, "timeout"),
        (-32001, "my own code", False, "answered"),
        (-32000, "Connection closed", False, "closed"),
        (-32000, "database is closed", False, "answered"),
        (-32000, "SSE stream failed: Server-sent event exceeded the 5 byte limit.", True, "frame-limit"),
        (-32000, "SSE stream ended without a response", True, "closed"),
        (DEPTH_LIMIT, "", False, "depth-limit"),
        (UNREADABLE, "", False, "unreadable"),
        (-32600, "Session terminated", True, "session-lost"),
        (-32600, "Session not found", True, "session-lost"),
        (-32600, "Session not found", False, "answered"),
        (-32700, "Failed to parse JSON response: x", True, "unreadable"),
        (-32602, "bad", True, "answered"),
    ],
)
def test_what_the_sdk_says_becomes_one_fault(code, text, http, fault):
    assert translate(MCPError(code=code, message=text), Pulse(), http=http).fault == fault


@pytest.mark.parametrize(
    ("status", "fault"), [(401, "auth"), (403, "auth"), (429, "answered"), (500, "closed"), (502, "closed")]
)
def test_a_stand_in_error_is_judged_by_the_recorded_status(status, fault):
    pulse = Pulse(http_status=status)
    assert (
        translate(MCPError(code=-32603, message="Server returned an error response"), pulse, http=True).fault == fault
    )


def test_nested_groups_yield_their_errors_in_order():
    group = BaseExceptionGroup("a", [ExceptionGroup("b", [ValueError("1"), OSError("2")]), KeyError("3")])
    assert [type(each) for each in leaves(group)] == [ValueError, OSError, KeyError]


def test_a_command_is_found_on_the_path_beside_the_folder_or_not_at_all(tmp_path):
    program = tmp_path / "tool"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert resolve("tool", None, str(tmp_path)) == str(program)
    assert resolve("./tool", str(tmp_path), "") == str(program)
    assert resolve("absent", None, str(tmp_path)) is None
    program.chmod(0o644)
    assert resolve("tool", None, str(tmp_path)) is None or os.geteuid() == 0


def test_ending_a_process_ends_its_whole_group():
    script = "import subprocess,sys; p=subprocess.Popen(['sleep','60']); print(p.pid,flush=True); sys.stdin.read()"

    async def main():
        process = await processes.start("s", sys.executable, ["-S", "-c", script], dict(os.environ), None)
        helper = int(await process.stdout.readline())
        gone = await processes.end(process)
        return helper, gone

    helper, gone = asyncio.run(main())
    assert gone
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(helper)], capture_output=True, text=True, check=False).stdout
    assert state.strip()[:1] in ("", "Z")


def test_an_interrupted_connection_leaves_no_process(tmp_path):
    marker = tmp_path / "pid"
    script = f"import os,sys; open({str(marker)!r},'w').write(str(os.getpid())); sys.stdin.read(); sys.stdin.read()"
    section = McpSettings.model_validate(
        {"servers": {"s": {"transport": "stdio", "command": sys.executable, "args": ["-S", "-c", script]}}}
    )

    async def main():
        connecting = asyncio.create_task(SdkConnector(section)("s", section.servers["s"], era=None))
        while not (marker.exists() and marker.read_text()):
            await asyncio.sleep(0.01)
        connecting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await connecting

    asyncio.run(main())
    with pytest.raises(ProcessLookupError):
        os.kill(int(marker.read_text()), signal.SIG_DFL)


@pytest.mark.parametrize("value", ["", "  ", "a\nb"])
def test_a_reference_without_a_usable_value_stops_before_anything_starts(monkeypatch, value):
    monkeypatch.setenv("MINE", value)
    section = McpSettings.model_validate(
        {
            "servers": {
                "web": {
                    "transport": "streamable-http",
                    "url": "http://127.0.0.1:9/",
                    "headers": {"X-Key": {"env": "MINE"}},
                }
            }
        }
    )
    with pytest.raises(EyesError) as caught:
        asyncio.run(SdkConnector(section)("web", section.servers["web"], era=None))
    assert (caught.value.code.name, caught.value.hint) == ("MCP_CREDENTIAL_MISSING", "export MINE=...")


def test_importing_the_connector_and_the_operations_does_not_import_the_sdk():
    code = (
        "import sys, deepseekeyes.mcp.adapters.connect, deepseekeyes.mcp.servers, deepseekeyes.mcp.tools, "
        "deepseekeyes.mcp.call; "
        "print([name for name in ('mcp', 'mcp_types', 'httpx2', 'anyio', 'PIL', 'jsonschema', 'asyncio') "
        "if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("message", "closed"), [("Connection closed", True), ("Bad Request: Server not initialized", False)]
)
def test_a_server_that_uses_the_sdks_code_for_something_else_has_not_closed(message, closed):
    assert is_closed(MCPError(code=-32000, message=message)) is closed
