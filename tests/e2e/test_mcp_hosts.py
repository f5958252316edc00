"""Clients that nobody here wrote, in front of `mcp serve`: fastmcp and the official inspector."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from node_programs import INSTALL_S

ROOT = Path(__file__).resolve().parents[2]
PICTURE = str(ROOT / "examples/images/error-dialog.png")
SERVE = [sys.executable, "-m", "deepseekeyes", "mcp", "serve"]
PATIENCE_S = 110


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
    wrong = json.dumps({"image": "/absent/a.png"})
    refused = inspected(
        node, *words, "tools/call", "--tool-name", "vision_read", "--tool-args-json", wrong, *SERVE
    )  # fmt: skip
    assert "deepseekeyes.error.v1" in refused.stdout, refused.stderr
