"""Connections that are held: isolation, revoking first, refreshing, backing off, and never repeating."""

from __future__ import annotations

import asyncio
import json

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.call import CallRequest, call
from deepseekeyes.mcp.codes import MCP_CONNECT_FAILED
from deepseekeyes.mcp.ports import WireError
from deepseekeyes.mcp.tools import ToolsRequest, tools

FAILED = EyesError(MCP_CONNECT_FAILED, "no")


class Steps:
    """A clock whose monotonic time is set by hand."""

    def __init__(self):
        from deepseekeyes.core.clock import Clock

        self.at = 0.0
        self.clock = Clock(monotonic=lambda: self.at)


def names(made, *servers):
    return [each.tool.public_name for each in made.deps.upstreams.exposure(servers or None).exposed]


def test_a_held_connection_serves_many_calls(bench, fakes):
    wire, connector = fakes.one()
    made = bench(connector, keep_open=True)

    async def main():
        for _ in range(3):
            await call(CallRequest(server="git", tool="echo"), made.deps)
        assert not wire.closed
        return await made.deps.upstreams.aclose()

    assert asyncio.run(main()) == ()
    assert (connector.opened, wire.closed) == (["git"], True)


def test_s6_a_hung_server_blocks_neither_the_others_nor_the_end(bench, fakes):
    async def hang(params):
        await asyncio.Event().wait()

    slow = fakes.wire({"tools/list": hang})
    quick = fakes.wire({"tools/list": {"tools": [fakes.tool()]}, "tools/call": fakes.text()})
    made = bench(
        fakes.connector({"slow": [slow], "quick": [quick]}), fakes.settings({"slow": {}, "quick": {}}), keep_open=True
    )

    async def main():
        hung = asyncio.create_task(call(CallRequest(server="slow", tool="echo"), made.deps))
        await asyncio.sleep(0)
        result = await call(CallRequest(server="quick", tool="echo"), made.deps)
        await made.deps.upstreams.aclose()
        hung.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hung
        return result

    assert asyncio.run(main()).status == "success"
    assert (slow.closed, quick.closed) == (True, True)


def test_nothing_is_exposed_while_connections_are_being_ended(bench, fakes):
    gate = asyncio.Event()
    wire, connector = fakes.one()

    async def slow_close():
        await gate.wait()
        wire.closed = True

    made = bench(connector, keep_open=True)

    async def main():
        async with made.deps.upstreams.using("git"):
            pass
        assert names(made) == ["mcp__git__echo"]
        wire.close = slow_close
        ending = asyncio.create_task(made.deps.upstreams.aclose())
        await asyncio.sleep(0)
        during = names(made)
        gate.set()
        await ending
        return during

    assert asyncio.run(main()) == []


def test_a_change_of_policy_keeps_the_connection_and_a_change_of_command_ends_it(bench, fakes):
    wire, connector = fakes.one()
    made = bench(connector, keep_open=True)

    async def main():
        upstreams = made.deps.upstreams
        async with upstreams.using("git"):
            pass
        assert await upstreams.reload(fakes.settings({"git": {"deny_tools": ["echo"]}})) == ()
        assert (names(made), wire.closed) == ([], False)
        assert await upstreams.reload(fakes.settings()) == ()
        assert names(made) == ["mcp__git__echo"]
        assert await upstreams.reload(fakes.settings({"git": {"command": "other"}})) == ("git",)
        assert wire.closed
        assert await upstreams.reload(fakes.settings({})) == ()

    asyncio.run(main())


def test_a_changed_listing_is_drained_again_before_the_next_use(bench, fakes):
    wire, connector = fakes.one()
    made = bench(connector, keep_open=True)

    async def main():
        async with made.deps.upstreams.using("git"):
            pass
        wire.answers["tools/list"] = {"tools": [fakes.tool("other")]}
        wire.changed.add("tools")
        async with made.deps.upstreams.using("git"):
            return names(made)

    assert asyncio.run(main()) == ["mcp__git__other"]
    assert len(wire.sent("tools/list")) == 2


def test_a_definition_replaced_under_a_call_is_never_called_by_the_old_name(bench, fakes):
    wire, connector = fakes.one()

    async def meanwhile(question):
        wire.answers["tools/list"] = {"tools": [fakes.tool(description="something else")]}
        await made.deps.upstreams.refresh(made.deps.upstreams.live("git"))
        made.deps.upstreams.live("git").pins = {}
        return True

    made = bench(connector, keep_open=True, authorise=meanwhile)
    with pytest.raises(EyesError) as caught:
        asyncio.run(call(CallRequest(server="git", tool="echo"), made.deps))
    assert caught.value.code.name == "MCP_TOOL_UNAVAILABLE"
    assert wire.sent("tools/call") == []


def test_a_dead_connection_is_replaced_for_the_next_call(bench, fakes):
    dead = fakes.wire({"tools/list": {"tools": [fakes.tool()]}, "tools/call": WireError("closed", "gone")})
    fresh = fakes.wire({"tools/list": {"tools": [fakes.tool()]}, "tools/call": fakes.text()})
    made = bench(fakes.connector({"git": [dead, fresh]}), keep_open=True)

    async def main():
        with pytest.raises(EyesError):
            await call(CallRequest(server="git", tool="echo"), made.deps)
        dead.alive = False
        return await call(CallRequest(server="git", tool="echo"), made.deps)

    assert asyncio.run(main()).status == "success"
    assert [len(each.sent("tools/call")) for each in (dead, fresh)] == [1, 1]


def test_a_held_server_that_fails_is_left_alone_for_a_while_and_longer_each_time(bench, fakes):
    steps = Steps()
    connector = fakes.connector({"git": [FAILED]})
    made = bench(connector, keep_open=True, clock=steps.clock)

    async def attempt():
        with pytest.raises(EyesError):
            async with made.deps.upstreams.using("git"):
                raise AssertionError

    async def main():
        opened = []
        for at in (0, 0.4, 0.6, 1.5, 1.7, 100):
            steps.at = at
            await attempt()
            opened.append(len(connector.opened))
        return opened

    assert asyncio.run(main()) == [1, 1, 2, 2, 3, 4]


def test_a_connection_that_cannot_be_ended_blocks_a_second_one(bench, fakes):
    wire, connector = fakes.one()
    wire.close_failed = True
    made = bench(connector, keep_open=True)

    async def main():
        async with made.deps.upstreams.using("git"):
            pass
        with pytest.raises(EyesError) as caught:
            async with made.deps.upstreams.using("git", fresh=True):
                raise AssertionError
        return caught.value.code.name

    assert (asyncio.run(main()), connector.opened) == ("MCP_CLOSE_FAILED", ["git"])


def test_the_remembered_era_is_tried_first_and_forgotten_with_the_definition(bench, fakes):
    _, connector = fakes.one()
    for section in (fakes.settings(), fakes.settings(), fakes.settings({"git": {"command": "other"}})):
        made = bench(connector, section)
        asyncio.run(call(CallRequest(server="git", tool="echo"), made.deps))
    assert connector.eras == [None, "handshake", None]


def test_a_broken_plane_leaves_the_other_one_usable(bench, fakes):
    _, connector = fakes.one({"resources/list": WireError("timeout", "late")})
    made = bench(connector, fakes.settings({"git": {"resources_enabled": True}}))

    async def main():
        async with made.deps.upstreams.using("git") as live:
            return live.tools_ready, live.content_ready, live.content_error.code.name

    assert asyncio.run(main()) == (True, False, "MCP_TIMEOUT")


def test_no_content_is_asked_for_while_its_switches_are_off(bench, fakes):
    wire, connector = fakes.one()
    made = bench(connector)
    asyncio.run(call(CallRequest(server="git", tool="echo"), made.deps))
    assert {method for method, _ in wire.requests} == {"tools/list", "tools/call"}


def test_a_server_without_the_capability_and_the_method_has_no_tools(bench, fakes):
    wire = fakes.wire({}, capabilities={"resources": {}})
    made = bench(fakes.connector({"git": [wire]}))

    async def main():
        async with made.deps.upstreams.using("git") as live:
            return live.tools_ready, len(live.tools)

    assert asyncio.run(main()) == (True, 0)


def test_a_home_that_cannot_remember_does_not_stop_a_call(bench, fakes, home):
    home.mkdir(parents=True, exist_ok=True)
    (home / "mcp-pins.json").mkdir()
    _, connector = fakes.one()
    result = asyncio.run(call(CallRequest(server="git", tool="echo"), bench(connector).deps))
    assert (result.status, result.persistence.healthy) == ("success", False)


def test_a_tool_that_the_connection_objects_to_is_withheld_with_the_reason(bench, fakes):
    odd = {"type": "object", "properties": {"a": {"type": "object", "x-mcp-header": "A"}}}
    wire, connector = fakes.one({"tools/list": {"tools": [fakes.tool(), fakes.tool("odd", inputSchema=odd)]}})
    wire.objections = {json.dumps(odd): "its header annotations are invalid"}
    made = bench(connector)
    listing = asyncio.run(tools(ToolsRequest(server="git", refresh=True), made.deps))
    assert [item.name for item in listing.items] == ["echo"]
    (withheld,) = listing.withheld
    assert (withheld.name, withheld.reason, withheld.detail) == (
        "odd",
        "definition-unusable",
        "its header annotations are invalid",
    )
    with pytest.raises(EyesError) as caught:
        asyncio.run(call(CallRequest(server="git", tool="odd"), made.deps))
    assert (caught.value.code.name, wire.sent("tools/call")) == ("MCP_TOOL_UNAVAILABLE", [])
