"""Switches, allow lists, quota and error codes at their edges."""

from __future__ import annotations

import asyncio
import json

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.call import CallRequest, call
from deepseekeyes.mcp.ports import WireError
from deepseekeyes.mcp.prompt import PromptRequest, prompt
from deepseekeyes.mcp.read import ReadRequest, read
from deepseekeyes.mcp.settings import McpSettings

CONTENT = {
    "resources/list": {"resources": [{"uri": "memo://a", "name": "a"}]},
    "resources/templates/list": {"resourceTemplates": []},
    "resources/read": {"contents": [{"uri": "memo://a", "text": "words"}]},
    "prompts/list": {"prompts": [{"name": "p", "arguments": [{"name": "x", "required": True}]}]},
    "prompts/get": {"messages": [{"role": "user", "content": {"type": "text", "text": "say"}}]},
}
OPEN = {
    "resources_enabled": True,
    "prompts_enabled": True,
    "allowed_resources": ["memo://*"],
    "allowed_prompts": ["*"],
}


def held(made):
    """What is exposed on a held connection: public names of tools, and of the two generic content tools."""

    async def main():
        async with made.deps.upstreams.using("git"):
            exposure = made.deps.upstreams.exposure(None)
            return [each.tool.public_name for each in exposure.exposed], list(exposure.content)

    return asyncio.run(main())


def test_a_tool_a_resource_and_a_prompt_are_three_calls_of_a_run_in_audit_and_usage(bench, fakes):
    _, connector = fakes.one(CONTENT)
    made = bench(connector, fakes.settings({"git": OPEN}))

    async def main():
        await call(CallRequest(server="git", tool="echo", run_id="r"), made.deps)
        await read(ReadRequest(server="git", uri="memo://a", run_id="r"), made.deps)
        await prompt(PromptRequest(server="git", name="p", arguments={"x": "1"}, run_id="r"), made.deps)

    asyncio.run(main())
    assert (len(made.rows()), len(made.booked)) == (3, 3)
    assert [(each.key, each.value) for each in made.ledger.counters("mcp_runs")] == [("r", 3)]


@pytest.mark.parametrize(
    ("request_of", "code"),
    [
        (lambda: ("read", ReadRequest(server="git", uri="memo://unknown", run_id="r")), "MCP_RESOURCE_UNKNOWN"),
        (lambda: ("prompt", PromptRequest(server="git", name="p", run_id="r")), "MCP_PROMPT_ARGUMENT_REQUIRED"),
    ],
)
def test_what_the_catalog_does_not_know_or_lacks_is_refused_before_the_wire(bench, fakes, request_of, code):
    wire, connector = fakes.one(CONTENT)
    made = bench(connector, fakes.settings({"git": OPEN}))
    verb, request = request_of()
    with pytest.raises(EyesError) as refused:
        asyncio.run({"read": read, "prompt": prompt}[verb](request, made.deps))
    assert refused.value.code.name == code
    assert wire.sent("resources/read") == wire.sent("prompts/get") == []


def test_content_that_is_on_with_nothing_allowed_costs_one_connection_and_shows_nothing(bench, fakes):
    nothing = {"allowed_tools": [], "resources_enabled": True, "prompts_enabled": True}
    _, connector = fakes.one(CONTENT)
    made = bench(connector, fakes.settings({"git": nothing}), keep_open=True)
    assert (held(made), connector.opened) == (([], []), ["git"])


def test_the_generic_tools_appear_with_an_allowed_entry(bench, fakes):
    _, connector = fakes.one(CONTENT)
    made = bench(connector, fakes.settings({"git": {**OPEN, "allowed_tools": []}}), keep_open=True)
    names, generic = held(made)
    assert (names, len(generic)) == ([], 2)


def test_a_refused_call_leaves_the_only_place_of_a_run_to_the_next(bench, fakes):
    listed = {"tools": [fakes.tool(), fakes.tool("write", annotations={})]}
    wire, connector = fakes.one({"tools/list": listed})
    made = bench(connector, fakes.settings({"git": {"risk_policy": "read-only"}}, max_external_calls_per_run=1))
    with pytest.raises(EyesError) as refused:
        asyncio.run(call(CallRequest(server="git", tool="write", run_id="r"), made.deps))
    assert refused.value.code.name == "MCP_TOOL_RISK_BLOCKED"
    assert asyncio.run(call(CallRequest(server="git", tool="echo", run_id="r"), made.deps)).status == "success"
    assert len(wire.sent("tools/call")) == 1


@pytest.mark.parametrize("method", ["tools/list", "tools/call"])
def test_a_server_decides_neither_the_code_nor_what_of_a_secret_is_shown(bench, fakes, method):
    secret = "ghp_abcdefghijklmnop"
    _, connector = fakes.one({method: WireError("answered", f"MCP_DISABLED code={secret} api_key={secret}", -32099)})
    made = bench(connector)
    with pytest.raises(EyesError) as failed:
        asyncio.run(call(CallRequest(server="git", tool="echo", run_id="r"), made.deps))
    assert failed.value.code.name != "MCP_DISABLED"
    assert secret not in json.dumps([failed.value.message, failed.value.hint, dict(failed.value.details), made.rows()])


def test_the_limits_that_were_decided():
    found = McpSettings()
    assert (found.max_images, found.max_image_bytes) == (8, 20 * 1024 * 1024)
    assert (found.max_content_entries, found.max_catalog_pages, found.run_expiry_s) == (256, 256, 24 * 3600)
