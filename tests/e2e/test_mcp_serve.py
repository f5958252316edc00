"""`deepseekeyes mcp serve` as a process: both transports, both eras, and every way it ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.service

ROOT = Path(__file__).resolve().parents[2]
PICTURE = str(ROOT / "examples/images/error-dialog.png")
SERVE = [sys.executable, "-m", "deepseekeyes", "mcp", "serve"]
GREETING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
TOKEN = "a-token-of-the-right-length"
PATIENCE_S = 100
ERAS = pytest.mark.parametrize("mode", ["legacy", "auto"])


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, **more}


def lines(*messages: Any) -> bytes:
    return b"".join((each if isinstance(each, bytes) else json.dumps(each).encode()) + b"\n" for each in messages)


def call(number: int, name: str, **arguments: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


def answers(output: bytes) -> dict[Any, Any]:
    """Every line of standard output is a message; answers by id."""
    return {message.get("id"): message for message in map(json.loads, output.splitlines())}


def spoken(*messages: Any, words: tuple[str, ...] = (), **more: str) -> subprocess.CompletedProcess[bytes]:
    """A whole session: these lines, then the end of the input."""
    return subprocess.run(
        [*SERVE, *words],
        input=lines(*messages),
        capture_output=True,
        env=environment(**more),
        timeout=PATIENCE_S,
        check=False,
    )


@ERAS
def test_the_sdks_client_reads_a_picture_over_stdio(mode: str, home: Path) -> None:
    from mcp import Client, StdioServerParameters

    async def steps() -> None:
        server = StdioServerParameters(command=SERVE[0], args=SERVE[1:], env=environment())
        async with Client(server, mode=mode) as client:
            assert len((await client.list_tools()).tools) > 10
            result = await client.call_tool("vision_read", {"image": PICTURE, "withImages": True})
            assert not result.is_error
            assert "BK-4107" in result.content[0].text
            assert [block.type for block in result.content] == ["text", "image"]
            missing = await client.call_tool("vision_read", {"image": str(home / "missing.png")})
            assert (missing.is_error, missing.structured_content["error"]["code"]) == (True, "INPUT_MISSING")

    asyncio.run(steps())


def test_the_end_of_the_input_ends_the_process_after_the_last_answers() -> None:
    ping = {"jsonrpc": "2.0", "id": 3, "method": "ping"}
    done = spoken(GREETING, READY, call(2, "vision_read", image=PICTURE), ping, DEEPSEEKEYES_SERVE_DRAIN_MS="90000")
    found = answers(done.stdout)
    assert (done.returncode, sorted(found)) == (0, [1, 2, 3])
    assert found[2]["result"]["structuredContent"]["schema"] == "deepseekeyes.evidence-record.v1"


def test_an_input_that_is_empty_or_noise_ends_quietly() -> None:
    assert (spoken().returncode, spoken().stdout) == (0, b"")
    done = spoken(
        b"no json", b"\xff\xfe", b"[]", b"{}", GREETING, READY, b"", {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    )
    assert (done.returncode, answers(done.stdout)[2]["result"]) == (0, {})


def test_a_message_over_the_cap_is_refused_under_its_id_and_the_session_goes_on() -> None:
    big = call(2, "vision_read", image="x" * 100_000)
    ping = {"jsonrpc": "2.0", "id": 3, "method": "ping"}
    done = spoken(GREETING, READY, big, ping, DEEPSEEKEYES_SERVE_MAX_REQUEST_BYTES="65536")
    found = answers(done.stdout)
    assert (done.returncode, found[3]["result"], found[2]["error"]["code"]) == (0, {}, -32600)
    assert found[2]["error"]["message"].startswith("REQUEST_TOO_LARGE")


@contextmanager
def running(*words: str, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [*SERVE, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**more),
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE_S)


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly_while_the_input_stays_open(sign: signal.Signals) -> None:
    with running() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines(GREETING))
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.send_signal(sign)
        assert process.wait(PATIENCE_S) == 0


def test_a_client_that_is_gone_ends_it_without_waiting_for_calls() -> None:
    with running(DEEPSEEKEYES_SERVE_DRAIN_MS="600000") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines(GREETING, READY))
        process.stdin.flush()
        process.stdout.readline()
        process.stdin.write(lines(call(2, "vision_read", image=PICTURE)))
        process.stdin.flush()
        process.stdout.close()
        process.stdin.close()
        assert process.wait(PATIENCE_S) in (0, 1)
        process.stdin = process.stdout = None


@contextmanager
def over_http(*words: str, **more: str) -> Iterator[str]:
    """A server over HTTP; its address."""
    with running("--transport", "http", "--port", "0", *words, **more) as process:
        assert process.stdout is not None
        document = json.loads(process.stdout.readline())
        assert document["schema"] == "deepseekeyes.mcp-serving.v1"
        yield document["url"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0


@ERAS
def test_the_sdks_client_reads_a_picture_over_http_by_data_url_only(mode: str) -> None:
    import base64

    from mcp import Client

    data = "data:image/png;base64," + base64.b64encode(Path(PICTURE).read_bytes()).decode()

    async def steps(url: str) -> None:
        async with Client(url, mode=mode) as client:
            result = await client.call_tool("vision_read", {"image": data})
            assert not result.is_error
            assert "BK-4107" in result.content[0].text
            sha256 = result.structured_content["source"]["sha256"]
            again = await client.call_tool("vision_read", {"image": f"sha256:{sha256}"})
            assert again.structured_content["cacheHit"] is True
            refused = await client.call_tool("vision_read", {"image": PICTURE})
            assert refused.structured_content["error"]["code"] == "INPUT_PATH_REFUSED"

    with over_http() as url:
        asyncio.run(steps(url))


def test_sessions_over_http_are_counted_and_end_when_nobody_speaks() -> None:
    import httpx

    first = {"jsonrpc": "2.0", "id": 1, "method": "initialize"} | {
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    }
    accepted = {"accept": "application/json, text/event-stream"}
    settings = {"DEEPSEEKEYES_SERVE_MAX_SESSIONS": "1", "DEEPSEEKEYES_SERVE_SESSION_IDLE_S": "3"}
    with over_http(**settings) as url, httpx.Client(timeout=60, headers=accepted) as client:
        assert client.post(url, json=first).status_code == 200
        seen = [client.post(url, json=first).status_code]
        until = time.monotonic() + 60
        while seen[-1] != 200 and time.monotonic() < until:
            seen.append(client.post(url, json=first).status_code)
        assert {*seen} == {503, 200}


def test_over_http_the_token_the_origin_and_the_size_are_checked() -> None:
    import httpx

    body = json.dumps(GREETING)
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    shown = {**headers, "authorization": f"Bearer {TOKEN}"}
    with (
        over_http("--token-env", "T", T=TOKEN, DEEPSEEKEYES_SERVE_MAX_REQUEST_BYTES="65536") as url,
        httpx.Client(trust_env=False, timeout=PATIENCE_S) as client,
    ):
        assert client.post(url, content=body, headers=headers).status_code == 401
        assert client.post(url, content=body, headers={**shown, "origin": "http://evil.example"}).status_code == 403
        assert client.post(url, content=body, headers={**shown, "host": "evil.example"}).status_code == 421
        assert client.post(url, content=b"x" * 70_000, headers=shown).status_code == 413
        greeted = client.post(url, content=body, headers=shown)
        assert greeted.status_code == 200
        assert TOKEN not in greeted.text
        odd = client.post(url, content=json.dumps({**GREETING, "id": 1.5}), headers=shown)
        assert (odd.status_code, odd.json()["error"]["code"]) == (400, -32600)


@pytest.mark.parametrize(
    ("words", "code", "status"),
    [
        (("--transport", "http", "--host", "0.0.0.0"), "SERVE_TOKEN_REQUIRED", 9),
        (("--transport", "http", "--token-env", "NOT_SET"), "CREDENTIAL_MISSING", 4),
        (("--group", "vison"), "SERVE_GROUP_UNKNOWN", 3),
        (("--group", "browser"), "SERVE_AUTOMATION_DISABLED", 9),
        (("--upstream",), "MCP_DISABLED", 9),
    ],
)
def test_what_may_not_be_served_is_refused_before_anything_starts(
    words: tuple[str, ...], code: str, status: int
) -> None:
    done = spoken(words=("--json", *words))
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (status, code)


def test_the_table_of_tools_is_a_document() -> None:
    done = spoken(words=("--print-tools", "--json"))
    document = json.loads(done.stdout)
    assert (done.returncode, document["schema"]) == (0, "deepseekeyes.served-tool-list.v1")
    assert all(len(item["name"]) <= 40 for item in document["items"])
    assert "config.trust" in {item["name"] for item in document["leftOut"]}


EXAMPLES = json.loads((ROOT / "examples/mcp-client.json").read_text(encoding="utf-8"))["mcpServers"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_client_configuration_of_the_examples_starts_a_server(name: str) -> None:
    program = Path(sys.executable).parent / EXAMPLES[name]["command"]
    done = subprocess.run(
        [program, *EXAMPLES[name]["args"]],
        input=lines(GREETING),
        capture_output=True,
        env=environment(),
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.returncode, answers(done.stdout)[1]["result"]["serverInfo"]["name"]) == (0, "deepseekeyes")


def test_enable_covers_the_groups_that_are_configured(home: Path) -> None:
    home.mkdir(mode=0o700, exist_ok=True)
    (home / "config.toml").write_text('[serve]\nmcp_groups = ["vision", "browser"]\n', encoding="utf-8")
    command = [sys.executable, "-m", "deepseekeyes", "--json", "mcp", "serve", "--print-tools"]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=110, check=False)
    assert (refused.returncode, json.loads(refused.stdout)["error"]["code"]) == (9, "SERVE_AUTOMATION_DISABLED")
    enabled = subprocess.run([*command, "--enable"], capture_output=True, text=True, timeout=110, check=True)
    assert "browser_click" in {item["name"] for item in json.loads(enabled.stdout)["items"]}
