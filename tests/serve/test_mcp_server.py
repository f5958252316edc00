"""The MCP server as the SDK's client sees it, in both eras, over a scripted eye."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import threading
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from scripted_model import says
from serve_desk import Desk, evidence, png

from deepseekeyes.serve.served_door import Call, ServedDoor, serving

pytestmark = pytest.mark.service

ERAS = pytest.mark.parametrize("mode", ["legacy", "auto"])


@ERAS
def test_a_picture_becomes_evidence_text_and_structured_content(desk: Desk, mode: str) -> None:
    async def steps() -> None:
        desk.reads("Invoice 7", "Total 12.00")
        async with desk.client(mode=mode) as client:
            result = await client.call_tool("vision_read", {"image": desk.picture()})
            assert not result.is_error
            assert [entry["text"] for entry in result.structured_content["evidence"]["ocr"]] == [
                "Invoice 7", "Total 12.00",
            ]  # fmt: skip
            text = result.content[0].text.splitlines()
            assert text[0] == 'summary: "A form."'
            assert text[2].startswith('- "Invoice 7" [')
            assert [block.type for block in result.content] == ["text"]
            again = await client.call_tool("vision_read", {"image": desk.picture(), "withImages": True})
            assert again.structured_content["cacheHit"] is True
            assert [block.type for block in again.content] == ["text", "image"]
            assert base64.b64decode(again.content[1].data) == png()

    asyncio.run(steps())


@ERAS
def test_all_tools_fit_one_page_and_say_what_they_do(desk: Desk, mode: str) -> None:
    async def steps() -> None:
        async with desk.client("vision", "probe", mode=mode) as client:
            page = await client.list_tools()
            assert page.next_cursor is None
            tools = {tool.name: tool for tool in page.tools}
            assert {name.partition("_")[0] for name in tools} == {"vision", "probe"}
            read = tools["vision_read"]
            assert read.input_schema["required"] == ["image"]
            assert read.output_schema is not None
            assert (read.annotations.read_only_hint, read.annotations.open_world_hint) == (False, True)
            assert tools["vision_cache_list"].annotations.read_only_hint is True

    asyncio.run(steps())


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"image": "missing.png"}, "INPUT_MISSING"),
        ({"image": "-"}, "SERVE_STDIN_REFUSED"),
        ({"image": "https://example.invalid/a.png"}, "URL_NOT_ALLOWED"),
        ({"imgae": "a.png"}, "SERVE_ARGUMENT_UNKNOWN"),
        ({}, "INVALID_REQUEST"),
        ({"image": 7}, "INVALID_REQUEST"),
        ({"image": "a", "frame": {"a": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}},
         "SERVE_ARGUMENTS_TOO_DEEP"),
    ],
)  # fmt: skip
def test_a_failure_is_a_result_with_the_error_document(desk: Desk, arguments: dict[str, Any], code: str) -> None:
    async def steps() -> None:
        async with desk.client() as client:
            result = await client.call_tool("vision_read", arguments)
            assert result.is_error
            assert result.structured_content["schema"] == "deepseekeyes.error.v1"
            assert result.structured_content["error"]["code"] == code
            assert result.content[0].text.startswith(f"{code}: ")

    asyncio.run(steps())


def test_evidence_that_breaks_its_contract_is_an_error_and_never_a_success(desk: Desk) -> None:
    async def steps() -> None:
        desk.eye.script(says("I see a cat."), says("I see a cat."), says("I see a cat."), says("I see a cat."))
        async with desk.client() as client:
            result = await client.call_tool("vision_read", {"image": desk.picture()})
            assert result.is_error
            assert result.structured_content["error"]["kind"] == "contract"

    asyncio.run(steps())


def test_an_unknown_tool_is_the_protocols_error_and_names_the_nearest(desk: Desk) -> None:
    async def steps() -> None:
        async with desk.client() as client:
            with pytest.raises(MCPError, match="did you mean vision_read"):
                await client.call_tool("vision_raed", {})

    asyncio.run(steps())


@ERAS
def test_a_ping_and_other_calls_are_answered_while_a_call_runs(desk: Desk, mode: str) -> None:
    async def steps() -> None:
        desk.eye.script(says(evidence("late"), hold_before=True))
        async with desk.client(mode=mode) as client:
            slow = asyncio.ensure_future(client.call_tool("vision_read", {"image": desk.picture()}))
            while not desk.eye.calls:
                await asyncio.sleep(0.01)
            if mode == "legacy":
                await client.session.send_ping()
            assert not (await client.call_tool("vision_routes", {})).is_error
            assert not slow.done()
            desk.eye.release()
            assert not (await slow).is_error

    asyncio.run(steps())


def test_a_cancelled_call_ends_its_work_and_leaves_the_connection_usable(desk: Desk) -> None:
    async def steps() -> None:
        desk.eye.script(says(evidence("late"), hold_before=True))
        desk.settings["serve.calls_at_once"] = 1
        async with desk.client() as client:
            slow = asyncio.ensure_future(client.call_tool("vision_read", {"image": desk.picture()}))
            while not desk.eye.calls:
                await asyncio.sleep(0.01)
            slow.cancel()
            with pytest.raises(asyncio.CancelledError):
                await slow
            assert not (await client.call_tool("vision_routes", {})).is_error
            desk.eye.release()

    asyncio.run(steps())


def test_more_calls_than_may_wait_are_refused_with_the_limit(desk: Desk) -> None:
    async def steps() -> None:
        desk.eye.script(says(evidence("late"), hold_before=True))
        desk.settings |= {"serve.calls_at_once": 1, "serve.calls_waiting": 0}
        async with desk.client() as client:
            slow = asyncio.ensure_future(client.call_tool("vision_read", {"image": desk.picture()}))
            while not desk.eye.calls:
                await asyncio.sleep(0.01)
            refused = await client.call_tool("vision_routes", {})
            assert refused.structured_content["error"]["code"] == "SERVE_BUSY"
            assert refused.structured_content["error"]["details"]["limit"]["setting"] == "serve.calls_waiting"
            desk.eye.release()
            await slow

    asyncio.run(steps())


def test_a_judged_answer_travels_as_text(desk: Desk) -> None:
    async def steps() -> None:
        async with desk.client("vision", "probe") as client:
            good = await client.call_tool("vision_validate", {"text": evidence("a"), "width": 10, "height": 10})
            assert (good.is_error, good.structured_content["valid"]) == (False, True)
            bad = await client.call_tool("vision_validate", {"text": "no evidence"})
            assert (bad.is_error, bad.structured_content["valid"]) == (False, False)
            challenge = await client.call_tool("probe_challenge", {"rung": "text", "seed": 5, "withImages": True})
            picture = challenge.structured_content["picture"]["sha256"]
            assert hashlib.sha256(base64.b64decode(challenge.content[1].data)).hexdigest() == picture
            graded = await client.call_tool("probe_grade", {"rung": "text", "seed": 5, "text": "nothing"})
            assert (graded.is_error, graded.structured_content["passed"]) == (False, False)

    asyncio.run(steps())


@ERAS
def test_evidence_and_schemas_are_resources_on_one_page(desk: Desk, mode: str) -> None:
    async def steps() -> None:
        desk.reads("kept")
        async with desk.client(mode=mode) as client:
            record = (await client.call_tool("vision_read", {"image": desk.picture()})).structured_content
            listed = await client.list_resources()
            assert listed.next_cursor is None
            uris = [resource.uri for resource in listed.resources]
            assert uris[0] == f"deepseekeyes://evidence/{record['recordSha256']}"
            assert "deepseekeyes://schema/evidence-record.v1" in uris
            content = (await client.read_resource(uris[0])).contents[0]
            assert json.loads(content.text)["evidence"] == record["evidence"]
            schema = (await client.read_resource("deepseekeyes://schema/visual-evidence")).contents[0]
            assert json.loads(schema.text)["$schema"]
            templates = await client.list_resource_templates()
            assert [each.uri_template for each in templates.resource_templates] == [
                "deepseekeyes://evidence/{sha256}", "deepseekeyes://schema/{name}",
            ]  # fmt: skip

    asyncio.run(steps())


@pytest.mark.parametrize(
    "uri",
    [
        "deepseekeyes://evidence/" + "0" * 64,
        "deepseekeyes://evidence/../../etc/passwd",
        "deepseekeyes://schema/../codes",
        "deepseekeyes://schema/nothing",
        "deepseekeyes://mcp/git/a",
        "file:///etc/passwd",
    ],
)
@pytest.mark.parametrize(("mode", "number"), [("legacy", -32002), ("auto", -32602)])
def test_an_address_that_names_nothing_is_refused(desk: Desk, uri: str, mode: str, number: int) -> None:
    async def steps() -> None:
        async with desk.client(mode=mode) as client:
            with pytest.raises(MCPError) as refused:
                await client.read_resource(uri)
            assert (refused.value.code, refused.value.error.data["uri"]) == (number, uri)
            assert refused.value.error.data["code"] in {"SERVE_RESOURCE_UNKNOWN", "RECORD_NOT_FOUND"}

    asyncio.run(steps())


def test_the_greeting_says_what_is_available_and_how_far_to_trust(desk: Desk) -> None:
    async def steps() -> None:
        async with desk.client("vision") as client:
            first, second = client.instructions.splitlines()
            assert first == "Available now: eyes: eye; reasoning: none; groups: vision."
            assert "read the result back" in second

    asyncio.run(steps())


def test_paths_mean_nothing_to_callers_from_elsewhere_unless_a_root_is_named(desk: Desk) -> None:
    async def steps(expected: str | None) -> None:
        desk.reads("x")
        async with desk.client() as client:
            result = await client.call_tool("vision_read", {"image": desk.picture()})
            error = None if not result.is_error else result.structured_content["error"]["code"]
            assert error == expected
            data = "data:image/png;base64," + base64.b64encode(png("red")).decode()
            desk.reads("y")
            assert not (await client.call_tool("vision_read", {"image": data})).is_error

    desk.local = False
    asyncio.run(steps("INPUT_PATH_REFUSED"))
    desk.settings["serve.roots"] = [str(desk.folder)]
    asyncio.run(steps(None))


def test_a_changed_configuration_is_taken_over_and_an_unsound_one_is_not(desk: Desk, capfd: Any) -> None:
    async def steps() -> None:
        async with desk.serving() as serving:
            path = desk.write_config()
            sound = path.read_text()
            assert await serving.refresh() in (True, False)
            path.write_text(sound + "\n[serve]\nmax_text_chars = 777\n")
            assert await serving.refresh()
            assert serving.app.settings.serve.max_text_chars == 777
            path.write_text("this is no toml")
            assert not await serving.refresh()
            assert serving.app.settings.serve.max_text_chars == 777
            assert not await serving.refresh()

    asyncio.run(steps())
    said = capfd.readouterr().err
    assert said.count("the changed configuration is not used") == 1


@ERAS
def test_clients_are_told_when_the_tools_may_have_changed(desk: Desk, mode: str) -> None:
    from mcp import Client

    from deepseekeyes.serve.mcp_server import Protocol

    async def steps() -> None:
        heard = asyncio.Event()

        async def listen(message: Any) -> None:
            if type(message).__name__ == "ToolListChangedNotification":
                heard.set()

        async with desk.serving() as serving:
            protocol = Protocol(serving)
            async with Client(protocol.server, mode=mode, message_handler=listen) as client:
                await client.list_tools()
                if mode == "legacy":
                    await protocol.tools_changed()
                    await asyncio.wait_for(heard.wait(), 10)
                    return
                async with client.listen(tools_list_changed=True) as events:
                    await protocol.tools_changed()
                    assert type(await anext(aiter(events))).__name__ == "ToolsListChanged"

    asyncio.run(steps())


def test_a_bug_in_one_call_is_a_crash_file_and_the_next_call_works(desk: Desk, monkeypatch: Any) -> None:
    async def steps() -> None:
        async with desk.client() as client:
            monkeypatch.setattr("deepseekeyes.vision.routes._row", lambda *_: 1 / 0)
            result = await client.call_tool("vision_routes", {})
            assert result.structured_content["error"]["code"] == "INTERNAL"
            monkeypatch.undo()
            assert not (await client.call_tool("vision_schema", {})).is_error

    asyncio.run(steps())
    assert len(list((desk.home / "crash").glob("*.txt"))) == 1


def test_each_call_has_a_standard_input_and_progress_of_its_own() -> None:
    door = ServedDoor(local=True)
    told: list[str] = []

    def work(name: str) -> None:
        with serving(Call(lambda *step: told.append(f"{name}{step}"), name.encode())):
            assert door.stdin(10) == name.encode()
            door.progress(1, None, "x")

    threads = [threading.Thread(target=work, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == ["a(1, None, 'x')", "b(1, None, 'x')"]
