"""A real browser behind the MCP server."""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from serve_desk import Desk
from site_under_test import site

pytestmark = [pytest.mark.service, pytest.mark.timeout(300)]


@pytest.fixture
def chromium(desk: Desk) -> Desk:
    desk.environ = {"PATH": os.environ["PATH"], "HOME": str(desk.home.parent), "DEEPSEEKEYES_HOME": str(desk.home)}
    desk.settings |= {"browser.enabled": True, "browser.headless": True, "browser.settle_ms": 60}
    return desk


def test_a_page_is_seen_acted_on_and_read(chromium: Desk) -> None:
    async def steps(url: str) -> None:
        async with chromium.client("browser", "vision") as client:

            async def call(name: str, **arguments: Any) -> Any:
                result = await client.call_tool(name, arguments)
                assert not result.is_error, result.content
                return result

            opened = (await call("browser_open", url=url)).structured_content
            assert opened["verdict"] == "verified"
            seen = await call("browser_observe", withImages=True)
            assert seen.structured_content["stateId"] in seen.content[0].text
            assert seen.content[1].type == "image"
            shot = await call("browser_screenshot", session="default")
            chromium.reads("a page")
            read = await call("vision_read", image=f"sha256:{shot.structured_content['screenshot']['sha256']}")
            assert read.structured_content["source"]["sha256"] == shot.structured_content["screenshot"]["sha256"]
            stale = await client.call_tool("browser_back", {"state": "0" * 16})
            assert (stale.is_error, stale.structured_content["schema"]) == (True, "deepseekeyes.browser-action.v1")
            assert stale.structured_content["verdict"] == "refused"
            report = (await call("browser_report")).structured_content
            listed = [each.uri for each in (await client.list_resources()).resources]
            assert f"deepseekeyes://run/browser/{report['runId']}" in listed
            read = await client.read_resource(f"deepseekeyes://run/browser/{report['runId']}")
            assert json.loads(read.contents[0].text)["runId"] == report["runId"]
            with pytest.raises(MCPError):
                await client.read_resource("deepseekeyes://run/browser/..")
            await call("browser_close")

    with site() as pages:
        asyncio.run(steps(pages.url))


def test_a_changed_configuration_keeps_the_browser_and_switching_it_off_ends_it(chromium: Desk) -> None:
    async def steps(url: str) -> None:
        async with chromium.serving("browser") as serving:
            assert not (await serving.call("browser_open", {"url": url})).failed
            chromium.settings["serve.max_text_chars"] = 777
            chromium.write_config()
            seen = await serving.call("browser_observe", {})
            assert (seen.failed, serving.app.settings.serve.max_text_chars) == (False, 777)
            chromium.settings["browser.enabled"] = False
            chromium.write_config()
            assert (await serving.call("browser_observe", {})).failed

    with site() as pages:
        asyncio.run(steps(pages.url))


def test_what_a_model_may_not_decide_about_a_browser_is_no_argument(chromium: Desk) -> None:
    async def steps() -> None:
        async with chromium.client("browser") as client:
            for name, arguments in (
                ("browser_open", {"url": "file:///etc/passwd", "allowFile": True}),
                ("browser_open", {"url": "http://10.0.0.1/", "allowPrivate": True}),
                ("browser_type", {"ref": "e1", "valueFile": "/etc/passwd"}),
                ("browser_type", {"ref": "e1", "value_env": "TOKEN", "secret": True}),
                ("browser_screenshot", {"out": "/tmp/x.png"}),
            ):
                result = await client.call_tool(name, arguments)
                assert result.structured_content["error"]["code"] == "SERVE_ARGUMENT_UNKNOWN"

    asyncio.run(steps())


def test_a_secret_is_typed_by_name_where_it_belongs_and_seen_nowhere(
    chromium: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = "typed-and-never-seen-5"
    monkeypatch.setenv("SITE_LOGIN", value)

    async def steps(url: str) -> None:
        chromium.settings |= {
            "automation.secrets.login.value.env": "SITE_LOGIN",
            "automation.secrets.login.origins": [url],
            "automation.secrets.other.value.env": "SITE_LOGIN",
            "automation.secrets.other.origins": ["https://elsewhere.example"],
        }
        async with chromium.client("browser") as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            arguments = tools["browser_type"].input_schema["properties"]
            assert "secretName" in arguments
            assert not {"secret", "valueEnv", "valueFile", "valueStdin"} & set(arguments)
            assert "named secrets for browser_type: login, other" in client.instructions
            told = [await client.call_tool("browser_open", {"url": f"{url}/controls.html"})]
            told += [
                await client.call_tool("browser_type", {"name": field, "secretName": "login"})
                for field in ("Password", "Controlled")
            ]
            assert [each.structured_content["verdict"] for each in told[1:]] == ["verified", "verified"]
            refused = [
                await client.call_tool("browser_type", {"name": "Password", "secretName": name})
                for name in ("other", "absent")
            ]
            assert [each.structured_content["error"]["code"] for each in refused] == [
                "SECRET_ELSEWHERE", "SECRET_UNKNOWN",
            ]  # fmt: skip
            told += [
                *refused,
                await client.call_tool("browser_observe", {}),
                await client.call_tool("browser_report", {}),
            ]
            assert value not in "".join(each.model_dump_json() for each in told)
            await client.call_tool("browser_close", {})

    with site() as pages:
        asyncio.run(steps(pages.url))
    files = [path for path in chromium.home.rglob("*") if path.is_file() and value.encode() in path.read_bytes()]
    assert files == []
