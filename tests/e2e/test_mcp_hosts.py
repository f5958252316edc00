"""Clients and judges that nobody here wrote, in front of `mcp serve`: fastmcp, the official inspector and its suite.

The programs from npm are installed once into a folder of the virtual environment.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock

ROOT = Path(__file__).resolve().parents[2]
PICTURE = str(ROOT / "examples/images/error-dialog.png")
SERVE = [sys.executable, "-m", "deepseekeyes", "mcp", "serve"]
NODE = Path(sys.prefix) / "mcp-hosts" / "node"
TOOLS = Path(sys.prefix) / "mcp-hosts" / "tools"
PATIENCE_S = 110
INSTALL_S = 600
PACKAGES = ("@modelcontextprotocol/inspector@2", "@modelcontextprotocol/conformance@0.2.0-alpha.12")

# What the suite may ask of any server, and of one with tools, resources and prompts of fixed names. Left out
# is what we do not offer: sampling, elicitation, completion, subscriptions to single resources, logging, audio.
SCENARIOS = (
    "server-initialize",
    "server-session-lifecycle",
    "ping",
    "tools-list",
    "resources-list",
    "dns-rebinding-protection",
    "http-header-validation",
    "sep-2164-resource-not-found",
    "server-sse-multiple-streams",
)
WITH_FIXTURES = (
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-error",
    "tools-call-with-progress",
    "json-schema-2020-12",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-with-image",
    "caching",
)
FIXTURES = [sys.executable, str(ROOT / "tests/servers/conformance_server.py")]


def test_fastmcps_client_reads_a_picture() -> None:
    from fastmcp import Client
    from fastmcp.client.transports import StdioTransport

    async def steps() -> None:
        transport = StdioTransport(command=SERVE[0], args=SERVE[1:], env=dict(os.environ))
        async with Client(transport) as client:
            assert "vision_read" in {tool.name for tool in await client.list_tools()}
            result = await client.call_tool("vision_read", {"image": PICTURE})
            assert "BK-4107" in result.content[0].text
            assert result.structured_content is not None
            assert result.structured_content["source"]["mediaType"] == "image/png"
            uris = [str(resource.uri) for resource in await client.list_resources()]
            read = await client.read_resource(uris[0])
            assert json.loads(read[0].text)["recordSha256"] == result.structured_content["recordSha256"]

    asyncio.run(steps())


def _npm(place: Path, packages: tuple[str, ...], path: str) -> None:
    place.mkdir(parents=True, exist_ok=True)
    (place / "package.json").write_text('{"private": true}', encoding="utf-8")
    npm = shutil.which("npm")
    assert npm is not None, "npm is needed for these tests"
    subprocess.run(
        [npm, "install", "--no-audit", "--no-fund", "--loglevel=error", *packages],
        cwd=place,
        env={**os.environ, "PATH": path},
        check=True,
        capture_output=True,
        timeout=INSTALL_S,
    )


@pytest.fixture(scope="session")
def node() -> str:
    """A PATH that begins with Node 22 and the programs under test; made before a test's own environment is."""
    NODE.parent.mkdir(parents=True, exist_ok=True)
    binaries = f"{TOOLS / 'node_modules' / '.bin'}:{NODE / 'node_modules' / 'node' / 'bin'}:{os.environ['PATH']}"
    with FileLock(NODE.parent / "install.lock"):
        done = NODE.parent / "installed"
        if not done.exists():
            _npm(NODE, ("node@22",), os.environ["PATH"])
            _npm(TOOLS, PACKAGES, binaries)
            done.touch()
    return binaries


def inspected(path: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["mcp-inspector", "--cli", "--format", "json", "-q", *words],
        env={**os.environ, "PATH": path},
        executable=shutil.which("mcp-inspector", path=path),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


@pytest.mark.service
@pytest.mark.xdist_group("mcp-hosts")
@pytest.mark.timeout(INSTALL_S + PATIENCE_S)
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector_finds_every_schema_portable_and_calls_a_tool(node: str, era: str) -> None:
    words = ("--protocol-era", era, "--method")
    listed = inspected(node, "--strict", *words, "tools/list", *SERVE)
    assert listed.returncode == 0, listed.stderr
    assert "0 errors" not in listed.stderr
    names = {tool["name"] for tool in json.loads(listed.stdout)["result"]["tools"]}
    assert {"vision_read", "vision_look", "probe_run", "usage_show", "doctor_run"} <= names
    arguments = json.dumps({"image": PICTURE, "withImages": True})
    called = inspected(
        node, *words, "tools/call", "--tool-name", "vision_read", "--tool-args-json", arguments, *SERVE
    )  # fmt: skip
    assert called.returncode == 0, called.stderr
    assert "BK-4107" in called.stdout
    assert '"type":"image"' in called.stdout


@contextmanager
def over_http(command: list[str]) -> Iterator[str]:
    """A server over HTTP; its address."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=dict(os.environ))
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["url"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE_S)


@pytest.mark.service
@pytest.mark.xdist_group("mcp-hosts")
@pytest.mark.timeout(INSTALL_S + PATIENCE_S * 3)
@pytest.mark.parametrize(
    ("command", "scenarios"),
    [([*SERVE, "--transport", "http", "--port", "0"], SCENARIOS), (FIXTURES, WITH_FIXTURES)],
    ids=["operations", "fixtures"],
)
def test_the_conformance_suite_passes_where_it_applies(
    node: str, tmp_path: Path, command: list[str], scenarios: tuple[str, ...]
) -> None:
    results = {}
    with over_http(command) as url:
        for scenario in scenarios:
            done = subprocess.run(
                ["conformance", "server", "--url", url, "--scenario", scenario],
                env={**os.environ, "PATH": node, "NO_COLOR": "1"},
                executable=shutil.which("conformance", path=node),
                cwd=tmp_path,
                capture_output=True,
                text=True,
                timeout=PATIENCE_S,
                check=False,
            )
            counted = re.search(r"Passed: (\d+)/(\d+), (\d+) failed, (\d+) warnings", done.stdout)
            assert counted is not None, done.stdout + done.stderr
            results[scenario] = tuple(map(int, counted.groups()))
    assert {name: result for name, result in results.items() if result[2:] != (0, 0)} == {}
    assert all(result[0] == result[1] > 0 for result in results.values())
