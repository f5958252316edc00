"""Servers that nobody here wrote, through the command line: added, tested, listed, called, read, and linted."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from real_mcp import RealServers

pytestmark = [pytest.mark.service, pytest.mark.timeout(900), pytest.mark.xdist_group("mcp-servers")]

EYES = [sys.executable, "-m", "deepseekeyes"]
PICTURES = Path(__file__).resolve().parents[2] / "examples" / "images"
PATIENCE_S = 200
EVERYTHING = "@modelcontextprotocol/server-everything"
OLD, MODERN = "2025-11-25", "2026-07-28"


@pytest.fixture(scope="session")
def real() -> RealServers:
    return RealServers()


@pytest.fixture(autouse=True)
def switched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEKEYES_MCP_ENABLED", "true")
    monkeypatch.setenv("DEEPSEEKEYES_VISION_ACTIVE_PROBE", "false")
    for name in ("CONNECT", "NEGOTIATE", "TOOL_CALL"):
        monkeypatch.setenv(f"DEEPSEEKEYES_MCP_{name}_TIMEOUT_MS", "60000")


def eyes(*words: str, stdin: bytes | None = None) -> tuple[int, Any]:
    done = subprocess.run([*EYES, "--json", *words], input=stdin, capture_output=True, check=False, timeout=PATIENCE_S)
    assert b"Traceback" not in done.stderr
    return done.returncode, json.loads(done.stdout)


def add(name: str, command: list[str], *options: str) -> None:
    status, added = eyes("mcp", "add", name, *options, "--", *command)
    assert (status, added["replaced"]) == (0, False)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    git = ["git", "-C", str(place), "-c", "user.name=t", "-c", "user.email=t@example.invalid"]
    subprocess.run(["git", "init", "--quiet", str(place)], check=True)
    (place / "a.txt").write_text("one\n")
    subprocess.run([*git, "add", "a.txt"], check=True)
    subprocess.run([*git, "commit", "--quiet", "-m", "first"], check=True)
    return place


@pytest.fixture
def page(tmp_path: Path) -> Iterator[str]:
    """A page on loopback."""
    (tmp_path / "index.html").write_text("<title>Lamps</title><h1>Lamp shop</h1><button>Buy a lamp</button>")

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *arguments: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/index.html"
    server.shutdown()
    server.server_close()


def check(
    name: str,
    command: list[str],
    *options: str,
    protocol: str,
    tools: int,
    tool: str,
    arguments: Any,
    said: str,
) -> None:
    """What every server must do: answer one call, and be listed from what that connection saw."""
    add(name, command, "--allow", "*", *options)
    status, answer = eyes("mcp", "call", name, tool, "--args", json.dumps(arguments))
    assert (status, answer["status"], said in answer["preview"]) == (0, "success", True), answer
    status, listed = eyes("mcp", "tools", name, "--schema")
    assert (status, listed["listed"], listed["sources"][0]["source"]) == (0, tools, "cache")
    assert all("$ref" not in json.dumps(each["parameters"]) for each in listed["items"])
    status, servers = eyes("mcp", "servers")
    assert (status, [each["protocolVersion"] for each in servers["items"]]) == (0, [protocol])


def test_the_everything_server(real: RealServers) -> None:
    command = real.node(EVERYTHING, "stdio")
    check("all", command, protocol=OLD, tools=13, tool="get-sum", arguments={"a": 2, "b": 3}, said="2 and 3 is 5")


def test_servers_of_three_kinds_are_tested_and_calls_are_remembered(real: RealServers, tmp_path: Path) -> None:
    add("all", real.node(EVERYTHING, "stdio"), "--allow", "echo", "--resources", "--prompts")
    add("time", real.python("mcp-server-time"))
    add("db", real.python("mcp-server-sqlite", "--db-path", str(tmp_path / "x.db"), place="older"))
    seen = {}
    for name in ("all", "time", "db"):
        status, tested = eyes("mcp", "test", name)
        server = tested["server"]
        counts = (server["toolCount"], server["resourceCount"], server["promptCount"])
        seen[name] = (status, tested["error"], server["protocolVersion"], tested["noiseLines"], *counts)
    assert seen == {
        "all": (0, None, OLD, 0, 13, 7, 4),
        "time": (0, None, MODERN, 0, 2, None, None),
        "db": (0, None, OLD, 0, 6, None, None),
    }
    status, answer = eyes("mcp", "call", "all", "echo", "--args", '{"message": "hello"}', "--run-id", "night")
    assert (status, answer["preview"], answer["runId"]) == (0, "Echo: hello", "night")
    status, audit = eyes("mcp", "audit", "--server", "all")
    assert [(row["tool"], row["status"], row["resultSha256"]) for row in audit["items"]] == [
        ("echo", "success", answer["sha256"])
    ]
    status, runs = eyes("mcp", "runs", "show", "night")
    assert (runs["items"][0]["calls"], len(runs["items"][0]["markers"])) == (1, 1)
    status, refused = eyes("mcp", "call", "time", "get_current_time", "--args", "{}")
    assert (status, refused["error"]["code"]) == (9, "MCP_TOOL_NOT_ALLOWED")


def test_the_filesystem_server(real: RealServers, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("the lamp is on")
    command = real.node("@modelcontextprotocol/server-filesystem", str(tmp_path))
    note = {"path": str(tmp_path / "note.txt")}
    check("files", command, protocol=OLD, tools=14, tool="read_text_file", arguments=note, said="the lamp is on")


def test_the_memory_server(real: RealServers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_PLACE", str(tmp_path / "memory.jsonl"))
    command = real.node("@modelcontextprotocol/server-memory")
    lamp = {"entities": [{"name": "lamp", "entityType": "thing", "observations": ["is on"]}]}
    check(
        "memory",
        command,
        "--env",
        "MEMORY_FILE_PATH=MEMORY_PLACE",
        protocol=OLD,
        tools=9,
        tool="create_entities",
        arguments=lamp,
        said="lamp",
    )
    assert "lamp" in (tmp_path / "memory.jsonl").read_text()


def test_the_time_server(real: RealServers) -> None:
    arguments = {"timezone": "Europe/Berlin"}
    command = real.python("mcp-server-time")
    check("time", command, protocol=MODERN, tools=2, tool="get_current_time", arguments=arguments, said="Europe/Berlin")


def test_the_fetch_server(real: RealServers, page: str) -> None:
    command = real.python("mcp-server-fetch", "--ignore-robots-txt", "--allow-private-ips")
    check("web", command, protocol=MODERN, tools=1, tool="fetch", arguments={"url": page}, said="Lamp shop")


def test_the_sqlite_server(real: RealServers, tmp_path: Path) -> None:
    command = real.python("mcp-server-sqlite", "--db-path", str(tmp_path / "x.db"), place="older")
    check("db", command, protocol=OLD, tools=6, tool="list_tables", arguments={}, said="[]")


def test_the_git_server_behind_a_read_only_policy(real: RealServers, repository: Path) -> None:
    add("git", real.python("mcp-server-git"), "--allow", "*", "--risk-policy", "read-only")
    status, listed = eyes("mcp", "tools", "git")
    withheld = {each["name"]: each["reason"] for each in listed["withheld"]}
    seen = (status, listed["sources"][0]["error"], listed["listed"], withheld.get("git_commit"))
    assert seen == (0, None, 12, "risk-policy-read-only")
    assert len(listed["items"]) + len(withheld) == listed["listed"]
    place = {"repo_path": str(repository)}
    status, log = eyes("mcp", "call", "git", "git_log", "--args", json.dumps(place))
    assert (status, "first" in log["preview"]) == (0, True)
    status, refused = eyes("mcp", "call", "git", "git_commit", "--args", json.dumps({**place, "message": "no"}))
    assert (status, refused["error"]["code"]) == (9, "MCP_TOOL_RISK_BLOCKED")
    count = subprocess.run(
        ["git", "-C", str(repository), "rev-list", "--count", "HEAD"], capture_output=True, check=True
    )
    assert count.stdout.strip() == b"1"


def test_a_browser_of_someone_else(real: RealServers, page: str, tmp_path: Path) -> None:
    chromium = shutil.which("chromium")
    assert chromium is not None, "the tests need chromium: see scripts/system.sh"
    options = ["--headless", "--isolated", "--no-sandbox", "--executable-path", chromium]
    add("browser", real.node("@playwright/mcp", *options, file="cli.js"), "--allow", "*", "--cwd", str(tmp_path))
    status, answer = eyes("mcp", "call", "browser", "browser_navigate", "--args", json.dumps({"url": page}))
    assert (status, answer.get("error"), "Lamp" in answer.get("preview", "")) == (0, None, True)
    status, listed = eyes("mcp", "tools", "browser")
    assert (listed["listed"], len(listed["items"])) == (25, 16)
    assert {each["reason"] for each in listed["withheld"]} == {"max-tools"}


def test_resources_and_prompts_of_the_everything_server(real: RealServers) -> None:
    add("all", real.node(EVERYTHING, "stdio"), "--allow-resource", "demo://*", "--allow-prompt", "*-prompt")
    status, listed = eyes("mcp", "resources", "all")
    uris = [each["uri"] for each in listed["items"] if each["uri"]]
    assert (status, len(listed["items"]), len(uris)) == (0, 9, 7)
    status, read = eyes("mcp", "read", "all", "demo://resource/dynamic/text/7")
    assert (status, read["kind"], "Resource 7" in read["preview"]) == (0, "resource", True)
    status, listed = eyes("mcp", "prompts", "all")
    assert (status, [each["name"] for each in listed["items"]][:2]) == (0, ["simple-prompt", "args-prompt"])
    status, prompt = eyes("mcp", "prompt", "all", "args-prompt", "--arg", "city=Paris")
    assert (status, "Paris" in prompt["preview"]) == (0, True)
    status, refused = eyes("mcp", "prompt", "all", "args-prompt")
    assert (status, refused["error"]["code"]) == (3, "MCP_PROMPT_ARGUMENT_REQUIRED")


def test_a_picture_of_a_tool_becomes_evidence(real: RealServers) -> None:
    add("all", real.node(EVERYTHING, "stdio"), "--allow", "get-tiny-image")
    status, answer = eyes("mcp", "call", "all", "get-tiny-image")
    assert (status, len(answer["images"]), "iVBOR" in json.dumps(answer)) == (0, 1, False)
    status, record = eyes("vision", "read", "-", stdin=json.dumps(answer).encode())
    assert (status, record["schema"]) == (0, "deepseekeyes.evidence-record.v1")
    assert record["source"]["sha256"] == answer["images"][0]["sha256"]


def test_a_picture_that_hides_in_structured_content_is_lifted_out_and_read(real: RealServers, tmp_path: Path) -> None:
    shutil.copy(PICTURES / "error-dialog.png", tmp_path)
    command = real.node("@modelcontextprotocol/server-filesystem", str(tmp_path))
    add("files", command, "--allow", "read_*")
    arguments = json.dumps({"path": str(tmp_path / "error-dialog.png")})
    status, answer = eyes("mcp", "call", "files", "read_media_file", "--args", arguments)
    assert (status, len(answer["images"]), "iVBOR" in json.dumps(answer)) == (0, 1, False)
    status, record = eyes("vision", "read", "-", stdin=json.dumps(answer).encode())
    texts = [entry["text"] for entry in record["evidence"]["ocr"]]
    assert (status, any("BK-4107" in text for text in texts)) == (0, True)
    status, answer = eyes("mcp", "call", "files", "read_text_file", "--args", '{"path": "/etc/passwd"}')
    assert (status, answer["status"]) == (1, "error")


def test_a_server_over_http(real: RealServers) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as free:
        port = free.server_address[1]
    command = real.node(EVERYTHING, "streamableHttp")
    process = subprocess.Popen(
        command, env={**os.environ, "PORT": str(port)}, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    try:
        assert process.stderr is not None
        while b"listening" not in (line := process.stderr.readline()):
            assert line, "the server ended"
        url = f"http://127.0.0.1:{port}/mcp"
        assert eyes("mcp", "add", "all", "--url", url, "--allow", "*")[0] == 0
        status, tested = eyes("mcp", "test", "all")
        assert (status, tested["ok"], tested["server"]["toolCount"]) == (0, True, 13)
        status, answer = eyes("mcp", "call", "all", "echo", "--args", "-", stdin=b'{"message": "over HTTP"}')
        assert (status, answer["preview"]) == (0, "Echo: over HTTP")
        status, report = eyes("mcp", "lint", "all")
        assert (status, failures(report)) == (0, [])
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        process.stderr.close()


def failures(report: Any) -> list[str]:
    return [check["id"] for check in report["checks"] if check["status"] == "failed"]


def test_real_servers_pass_the_lint_or_fail_for_a_known_reason(real: RealServers, tmp_path: Path) -> None:
    commands = {
        "filesystem": real.node("@modelcontextprotocol/server-filesystem", str(tmp_path)),
        "time": real.python("mcp-server-time"),
        "sqlite": real.python("mcp-server-sqlite", "--db-path", str(tmp_path / "x.db"), place="older"),
    }
    seen = {}
    for name, command in commands.items():
        status, report = eyes("mcp", "lint", "--call", "--command", " ".join(command))
        seen[name] = (status, failures(report), report["score"] >= 85)
    assert seen == {
        "filesystem": (0, [], True),
        "time": (0, [], True),
        "sqlite": (1, ["tools.unknown"], True),
    }


def test_the_example_script_reads_a_picture_of_a_tool(real: RealServers) -> None:
    script = PICTURES.parent / "mcp" / "picture_to_evidence.sh"
    words = ["sh", str(script), "get-tiny-image", *real.node(EVERYTHING, "stdio")]
    done = subprocess.run(
        words, env={**os.environ, "EYES": " ".join(EYES)}, capture_output=True, check=False, timeout=PATIENCE_S
    )
    record = json.loads(done.stdout)
    assert (done.returncode, record["schema"], record["source"]["width"]) == (
        0,
        "deepseekeyes.evidence-record.v1",
        20,
    )
