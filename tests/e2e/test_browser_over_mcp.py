"""The example flow of a browser, by the MCP SDK's client over standard input and output, tool by tool."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from site_under_test import RECEIPT, site

pytestmark = [pytest.mark.service, pytest.mark.timeout(600)]

PASSWORD = "open-sesame-42"
SERVE = ("-m", "deepseekeyes", "mcp", "serve", "--group", "browser", "--enable")
CONFIG = '[browser]\nheadless = true\nsettle_ms = 60\ntimeout_ms = 60000\nlocale = "en-US"\n'


class Flow:
    """Calls tools of one client, each of which must succeed, and keeps all that was answered."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.answers: list[str] = []

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self.client.call_tool(f"browser_{tool}", arguments)
        self.answers.append(result.model_dump_json())
        assert not result.is_error, (tool, result.content)
        found: dict[str, Any] = result.structured_content
        assert found["schema"].startswith("deepseekeyes.browser-")
        return found

    async def refused(self, tool: str, **arguments: Any) -> str:
        result = await self.client.call_tool(f"browser_{tool}", arguments)
        self.answers.append(result.model_dump_json())
        assert result.is_error
        return str(result.structured_content["error"]["code"])


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_flow_by_the_sdks_client_ends_in_a_report_that_passes(mode: str, home: Path) -> None:
    from mcp import Client, StdioServerParameters

    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text(CONFIG, encoding="utf-8")
    server = StdioServerParameters(command=sys.executable, args=list(SERVE), env={**os.environ})

    async def steps(url: str) -> None:
        async with Client(server, mode=mode) as client:
            call = Flow(client)
            assert (await call("open", url=f"{url}/shop.html"))["verdict"] == "verified"
            verdicts = [
                (await call("type", name="User", value="Ada"))["verdict"],
                (await call("type", name="Password", value=PASSWORD))["verdict"],
                (await call("click", role="button", name="Log in"))["verdict"],
            ]
            assert (await call("assert", assertion="text_contains", expected="Welcome Ada", retryMs=20_000))["passed"]
            amount = await call("type", name="Amount", value="12")
            assert await call.refused("click", role="button", name="Order", state="0" * 16) == "BROWSER_STATE_STALE"
            ordered = await call("click", role="button", name="Order")
            verdicts += [amount["verdict"], ordered["verdict"]]
            assert ordered["state"]["dialog"]["message"] == "Order 12 pieces?"
            await call("dialog", accept=True)
            said = await call("assert", assertion="text_contains", expected="Ordered 12 pieces", retryMs=20_000)
            assert said["passed"]
            verdicts.append((await call("click", role="link", name="Receipt"))["verdict"])
            assert verdicts == ["verified"] * 6
            await call("wait", until="download")
            seen = await call("observe")
            report = await call("report")
            await call("close")
            assert (report["summary"]["unverifiedCount"], report["summary"]["assertionFailureCount"]) == (0, 0)
            (download,) = seen["downloads"]
            assert Path(download["path"]).read_bytes() == RECEIPT
            assert [answer for answer in call.answers if PASSWORD in answer] == []

    with site() as pages:
        asyncio.run(steps(pages.url))
    logs = [path for path in home.rglob("*") if path.is_file() and PASSWORD.encode() in path.read_bytes()]
    assert logs == []


def test_a_secret_needs_a_source_that_a_model_cannot_name(home: Path) -> None:
    from mcp import Client, StdioServerParameters

    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text(CONFIG, encoding="utf-8")
    server = StdioServerParameters(
        command=sys.executable, args=list(SERVE), env={**os.environ, "SHOP_PASSWORD": PASSWORD}
    )

    async def steps(url: str) -> None:
        async with Client(server) as client:
            call = Flow(client)
            await call("open", url=f"{url}/shop.html")
            for source in ({"secret": True, "value": "guess"}, {"valueEnv": "SHOP_PASSWORD"}):
                assert await call.refused("type", name="Password", **source) == "SERVE_ARGUMENT_UNKNOWN"
            assert await call.refused("type", name="Password", secretName="SHOP_PASSWORD") == "SECRET_UNKNOWN"
            seen = await call("observe")
            assert PASSWORD not in json.dumps(seen)
            await call("close")

    with site() as pages:
        asyncio.run(steps(pages.url))
