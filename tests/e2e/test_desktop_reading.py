"""A desktop's pixels become evidence, and the same flow by the MCP SDK's client over standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from typing import Any

import pytest
from desktop_driving import PATIENCE_S, Hands

pytestmark = [pytest.mark.service, pytest.mark.timeout(600)]

EYES = (sys.executable, "-m", "deepseekeyes")
SERVE = ("-m", "deepseekeyes", "mcp", "serve", "--group", "desktop", "--group", "vision", "--enable")


def lines(record: dict[str, Any]) -> set[str]:
    return {entry["text"].strip() for entry in record["evidence"]["ocr"]}


def test_an_observation_is_piped_into_the_eye_which_reads_the_window(hands: Hands) -> None:
    hands.desktop.run("tk")
    seen = hands("observe", "--title", "tk form")
    assert (seen["semanticStatus"]["quality"], seen["visualDelivery"]["delivered"]) == ("empty", True)
    done = subprocess.run(
        [*EYES, "vision", "read", "-", "--json"],
        input=hands.answers[-1],
        env=hands.environ,
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
    )
    record = json.loads(done.stdout)
    assert (done.returncode, record["source"]["sha256"]) == (0, seen["screenshot"]["sha256"]), done.stderr
    assert lines(record) >= {"Name", "Greet", "Nothing yet"}


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_same_flow_by_a_client_of_the_protocol(hands: Hands, mode: str) -> None:
    from mcp import Client, StdioServerParameters

    hands.desktop.run("tk")
    program = hands.desktop.run("gtk3")
    server = StdioServerParameters(command=sys.executable, args=list(SERVE), env={**os.environ, **hands.environ})

    async def steps() -> None:
        async with Client(server, mode=mode) as client:

            async def call(tool: str, *, wrong: bool = False, **arguments: Any) -> Any:
                result = await client.call_tool(tool, arguments)
                assert bool(result.is_error) == wrong, (tool, result.content)
                return result.structured_content

            async def shown(**arguments: Any) -> int:
                result = await client.call_tool("desktop_observe", arguments)
                return sum(block.type == "image" for block in result.content)

            where = {"title": "gtk3 form"}
            assert (await shown(**where), await shown(**where, screenshot=True)) == (0, 1)
            assert (await shown(title="tk form"), await shown(title="tk form", screenshot=False)) == (1, 0)
            seen = await call("desktop_observe", **where)
            typed = await call("desktop_type", **where, role="text", name="Name", value="Ada 😀")
            assert (typed["verdict"], typed["delta"]["fromStateId"] is None) == ("verified", False)
            stale = await call("desktop_click", wrong=True, ref=seen["elements"][0]["ref"], state=seen["stateId"])
            assert stale["error"]["code"] == "DESKTOP_STATE_STALE"
            clicked = await call("desktop_click", **where, role="push_button", name="Greet")
            assert clicked["verdict"] == "verified"
            record = await call("vision_read", image=f"sha256:{clicked['state']['screenshot']['sha256']}")
            assert any("Hello Ada" in line for line in lines(record))
            report = await call("desktop_report")
            assert (report["summary"]["actionFailureCount"], report["summary"]["actionCount"]) == (1, 3)
            await call("desktop_close")

    asyncio.run(steps())
    program.tells("greet", value="Ada 😀")
