"""Tools of managed servers, served again through every gate."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from serve_desk import Desk

from deepseekeyes.dispatch import dispatch
from deepseekeyes.mcp.wishes import leave, left
from deepseekeyes.serve.serving import UnknownToolError
from deepseekeyes.wiring.app import App
from deepseekeyes.wiring.door import Silent
from deepseekeyes.wiring.mcp import mcp_deps

pytestmark = pytest.mark.service

ERAS = pytest.mark.parametrize("mode", ["legacy", "auto"])


@ERAS
def test_managed_tools_stand_beside_our_own_without_our_prefix(desk: Desk, mode: str) -> None:
    async def steps() -> None:
        desk.hostile("plain")
        async with desk.client("vision", mode=mode, upstream=True) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert {"vision_read", "plain__echo"} <= set(tools)
            assert "risk=" in tools["plain__echo"].description
            result = await client.call_tool("plain__echo", {})
            assert not result.is_error
            assert result.structured_content["schema"] == "deepseekeyes.mcp-result.v1"
            assert result.content[0].text == result.structured_content["preview"]
            assert "managed servers: plain" in client.instructions

    asyncio.run(steps())


def test_what_policy_withholds_is_neither_listed_nor_callable(desk: Desk) -> None:
    async def steps() -> None:
        desk.hostile("plain", allowed_tools=[])
        async with desk.client("vision", upstream=True) as client:
            assert not [tool for tool in (await client.list_tools()).tools if tool.name.startswith("plain")]
            with pytest.raises(MCPError, match="SERVE_TOOL_UNKNOWN"):
                await client.call_tool("plain__echo", {})

    asyncio.run(steps())


def test_a_server_that_cannot_start_costs_its_own_tools_only(desk: Desk) -> None:
    async def steps() -> None:
        desk.hostile("plain")
        desk.hostile("dies_at_start")
        async with desk.client("vision", upstream=True) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert {"vision_read", "plain__echo"} <= names
            assert not (await client.call_tool("plain__echo", {})).is_error

    asyncio.run(steps())


def test_a_server_that_hangs_costs_its_own_entries_only(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deepseekeyes.serve.upstream.PATIENCE_S", 1.5)
    monkeypatch.setattr("deepseekeyes.serve.upstream.LIST_S", 60.0)

    async def steps() -> None:
        planes = {"resources_enabled": True, "prompts_enabled": True, "allowed_resources": ["*"]}
        desk.hostile("plain")
        desk.hostile("content", **planes)
        desk.hostile("silent", **planes)
        async with desk.serving("vision", upstream=True) as serving:
            listed = [tool.name for tool in await serving.upstream_tools()]
            plain, _ = await serving.resources()
            assert "deepseekeyes__resource" in listed
            assert any(name.startswith("plain__") for name in listed)
            assert [each for each in plain if "mcp/content/" in each.uri]
            assert not [each for each in plain if "mcp/silent/" in each.uri]
            assert await serving.refresh() is False

    asyncio.run(steps())


def test_a_call_that_dies_is_an_error_with_the_code_of_the_planes(desk: Desk) -> None:
    async def steps() -> None:
        desk.hostile("dies_in_call")
        async with desk.client("vision", upstream=True) as client:
            await client.list_tools()
            result = await client.call_tool("dies_in_call__echo", {})
            assert result.is_error
            assert result.structured_content["error"]["code"] in {"MCP_TRANSPORT_CLOSED", "MCP_CALL_UNRESOLVED"}

    asyncio.run(steps())


def test_the_calls_of_one_serving_process_share_the_quota_of_a_run(desk: Desk) -> None:
    async def steps() -> None:
        desk.hostile("plain")
        desk.settings["mcp.max_external_calls_per_run"] = 2
        async with desk.client("vision", upstream=True) as client:
            codes: list[Any] = []
            for _ in range(3):
                result = await client.call_tool("plain__echo", {})
                codes.append(result.structured_content["error"]["code"] if result.is_error else None)
            assert codes == [None, None, "MCP_EXTERNAL_CALL_LIMIT_REACHED"]

    asyncio.run(steps())


def test_allowed_resources_and_prompts_appear_as_such_and_as_generic_tools(desk: Desk) -> None:
    async def steps() -> None:
        desk.hostile(
            "content", resources_enabled=True, prompts_enabled=True, allowed_resources=["notes://*"],
            allowed_prompts=["greet"],
        )  # fmt: skip
        async with desk.client("vision", upstream=True) as client:
            uris = [each.uri for each in (await client.list_resources()).resources if "/mcp/" in each.uri]
            assert uris == ["deepseekeyes://mcp/content/notes%3A%2F%2Fa"]
            read = (await client.read_resource(uris[0])).contents[0]
            assert "note notes://a" in read.text
            prompts = (await client.list_prompts()).prompts
            assert [(each.name, [argument.name for argument in each.arguments]) for each in prompts] == [
                ("content__greet", ["who"])
            ]
            got = await client.get_prompt("content__greet", {"who": "Ada"})
            assert "hello Ada" in got.messages[0].content.text
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert {"deepseekeyes__resource", "deepseekeyes__prompt"} <= names
            told = await client.call_tool("deepseekeyes__resource", {"serverId": "content", "uri": "notes://a"})
            assert "note notes://a" in told.content[0].text
            refused = await client.call_tool("deepseekeyes__resource", {"serverId": "content", "uri": "file:///secret"})
            assert refused.structured_content["error"]["code"] == "MCP_RESOURCE_NOT_ALLOWED"

    asyncio.run(steps())


async def elsewhere(desk: Desk, operation: str, **payload: Any) -> Any:
    """An operation of another process on the same home."""
    app = App(door=Silent(), home=desk.home, cwd=desk.folder, environ={}, flags={})
    try:
        return await dispatch(operation, payload, app)
    finally:
        await app.aclose()


def test_a_changed_definition_is_withdrawn_until_it_is_approved_elsewhere(desk: Desk) -> None:
    async def steps() -> None:
        flag = desk.folder / "changed"
        desk.hostile("changing", str(flag))
        async with desk.serving("vision", upstream=True) as serving:
            assert [tool.name for tool in await serving.upstream_tools()] == ["changing__echo"]
            flag.touch()
            await elsewhere(desk, "mcp.refresh", server="changing")
            assert await serving.refresh()
            assert await serving.upstream_tools() == ()
            assert not await serving.refresh()
            await elsewhere(desk, "mcp.approve", server="changing", tool="echo", accept=True)
            assert await serving.refresh()
            assert [tool.name for tool in await serving.upstream_tools()] == ["changing__echo"]

    asyncio.run(steps())


def test_reconnecting_elsewhere_reconnects_here(desk: Desk) -> None:
    async def steps() -> None:
        desk.hostile("plain")
        async with desk.serving("vision", upstream=True) as serving:
            await serving.upstream_tools()
            upstreams = mcp_deps(serving.app).upstreams
            before = upstreams.live("plain")
            await elsewhere(desk, "mcp.reconnect", server="plain")
            assert await serving.refresh()
            after = upstreams.live("plain")
            assert before is not None
            assert after is not None
            assert (before is after, before.alive, after.alive) == (False, False, True)
            assert not (await serving.call("plain__echo", {})).failed

    asyncio.run(steps())


def test_wishes_that_make_no_sense_are_none(home: Path) -> None:
    folder = home / "wishes"
    folder.mkdir(parents=True)
    (folder / "a.json").write_text("no json")
    (folder / "b.json").write_text('{"server": "other", "verb": "refresh", "at": "x"}')
    (folder / "c.json").write_text('{"server": "c", "verb": "remove", "at": "x"}')
    leave(folder, "d", "reconnect", "now")
    assert left(folder) == {"d": ("now", "reconnect")}
    assert left(home / "nothing") == {}


def test_a_changed_policy_revokes_a_tool_and_keeps_the_connection(desk: Desk) -> None:
    async def steps() -> None:
        desk.hostile("plain")
        async with desk.serving("vision", upstream=True) as serving:
            assert [tool.name for tool in await serving.upstream_tools()] == ["plain__echo"]
            desk.servers["plain"] = {**desk.servers["plain"], "allowed_tools": []}
            desk.write_config()
            assert await serving.refresh()
            assert await serving.upstream_tools() == ()
            with pytest.raises(UnknownToolError):
                await serving.call("plain__echo", {})

    asyncio.run(steps())


@pytest.mark.parametrize(("most", "shown"), [(2, True), (1, False)])
def test_the_generic_tools_count_towards_the_budget_and_say_so_when_there_is_no_room(
    desk: Desk, most: int, shown: bool
) -> None:
    async def steps() -> None:
        desk.hostile("plain", resources_enabled=True, allowed_resources=["*"])
        desk.settings["mcp.max_tools"] = most
        async with desk.serving("vision", upstream=True) as serving:
            names = {tool.name for tool in await serving.upstream_tools()}
            assert ("deepseekeyes__resource" in names) is shown
            assert serving.upstream is not None
            assert serving.upstream.withheld == (() if shown else (("deepseekeyes__resource", "max-tools"),))

    asyncio.run(steps())
