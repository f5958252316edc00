"""Real processes that misbehave: each call ends in the right code within a second, nothing leaks, nobody is left."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from deepseekeyes.mcp import test as testing
from deepseekeyes.mcp.adapters.connect import SdkConnector
from deepseekeyes.mcp.call import CallRequest, call

pytestmark = pytest.mark.service

CALL = CallRequest(server="hostile", tool="echo")
SECRET = "hostile-secret-value-123"


@pytest.mark.parametrize(
    ("server", "arguments", "expected"),
    [
        ("noise", (), "MCP_STDOUT_NOISE"),
        ("huge_frame", (), "MCP_FRAME_LIMIT"),
        ("huge_frame", (70_000,), "MCP_FRAME_LIMIT"),
        ("deep", (300,), "MCP_RESULT_DEPTH_LIMIT"),
        ("deep", (20_000,), "MCP_RESULT_DEPTH_LIMIT"),
        ("deep", (20_000, "tools"), "MCP_CATALOG_SCHEMA_DEPTH_LIMIT"),
        ("deep", (100, "tools"), "MCP_CATALOG_SCHEMA_DEPTH_LIMIT"),
        ("unreadable", (), "MCP_PROTOCOL_INVALID"),
        ("paging", ("loop",), "MCP_CATALOG_CURSOR_LOOP"),
        ("paging", ("endless",), "MCP_CATALOG_PAGE_LIMIT"),
        ("odd_tools", ("twice",), "MCP_CATALOG_DUPLICATE_TOOL"),
        ("odd_tools", ("many",), "MCP_CATALOG_TOOL_LIMIT"),
        ("odd_tools", ("not-a-list",), "MCP_CATALOG_REJECTED"),
        ("dies_in_call", (), "MCP_TRANSPORT_CLOSED"),
        ("odd_results", ("many-blocks",), "MCP_RESULT_BLOCK_LIMIT"),
        ("odd_results", ("many-nodes",), "MCP_RESULT_NODE_LIMIT"),
        ("pictures", ("fake",), "MCP_RESULT_IMAGE_INVALID"),
        ("pictures", ("bomb",), "MCP_RESULT_IMAGE_INVALID"),
        ("pictures", ("empty",), "INVALID_IMAGE_BASE64"),
        ("pictures", ("nine",), "MCP_RESULT_IMAGE_COUNT_LIMIT"),
    ],
)
def test_a_misbehaving_server_ends_in_its_code(over, server, arguments, expected, code):
    limits = {"max_frame_bytes": 65_536} if server == "huge_frame" else {}
    assert code(over(server, *arguments, **limits)) == expected


@pytest.mark.parametrize(
    ("server", "arguments", "expected"),
    [
        ("odd_tools", ("long",), "MCP_CATALOG_SCHEMA_CHARS_LIMIT"),
        ("odd_tools", ("wide",), "MCP_CATALOG_SCHEMA_BYTES_LIMIT"),
        ("odd_results", ("long-text",), "MCP_RESULT_STRING_LIMIT"),
        ("pictures", ("heavy",), "MCP_RESULT_IMAGE_DECODED_LIMIT"),
    ],
)
def test_a_result_or_catalog_over_its_size_is_refused(over, server, arguments, expected, code):
    limits = {"max_catalog_bytes": 2_900_000} if arguments == ("wide",) else {}
    assert code(over(server, *arguments, server={"timeout_ms": 10_000}, **limits)) == expected


def test_m01_banners_and_log_lines_on_stdout_are_skipped_and_counted(over, outcome):
    made = over("banner")
    result, _ = outcome(made)
    assert result.preview == "ok"
    report = asyncio.run(testing.test(testing.TestRequest(server="hostile"), made.deps))
    assert (report.ok, report.noise_lines) == (True, 4)


def test_a_server_that_never_answers_costs_the_connect_timeout(over, outcome):
    made = over("silent", connect_timeout_ms=400)
    result, took = outcome(made)
    assert (result.code.name, result.exit_code) == ("MCP_CONNECT_TIMEOUT", 5)
    assert took < 6


def test_a_server_that_ends_at_once_shows_its_status_and_redacted_last_words(over, monkeypatch, outcome):
    monkeypatch.setenv("MINE", SECRET)
    made = over("dies_at_start", server={"env": {"HOSTILE_TOKEN": {"env": "MINE"}}})
    result, _ = outcome(made)
    assert result.code.name == "MCP_CONNECT_FAILED"
    assert "status 3" in result.message
    assert SECRET not in result.message


def test_a_missing_variable_stops_before_anything_is_started(over, outcome):
    made = over("leaky", server={"env": {"HOSTILE_TOKEN": {"env": "MINE"}}})
    result, _ = outcome(made)
    assert (result.code.name, result.exit_code) == ("MCP_CREDENTIAL_MISSING", 4)
    assert "MINE" in result.message


def test_a_missing_program_is_named(over, code):
    made = over("plain", server={"command": "no-such-program-here"})
    assert code(made) == "MCP_COMMAND_NOT_FOUND"


def test_secrets_reach_neither_errors_nor_the_ledger_nor_the_journal(over, monkeypatch, outcome):
    monkeypatch.setenv("MINE", SECRET)
    made = over("leaky", server={"env": {"HOSTILE_TOKEN": {"env": "MINE"}}})
    result, _ = outcome(made, CallRequest(server="hostile", tool="echo", run_id="r"))
    report = asyncio.run(testing.test(testing.TestRequest(server="hostile"), made.deps))
    files = "".join(path.read_bytes().decode("latin-1") for path in made.home.rglob("*") if path.is_file())
    assert result.code.name == "MCP_TOOL_CALL_FAILED"
    assert len(result.message) < 600
    assert SECRET not in result.message + json.dumps(report.to_json()) + files


def test_m17_a_killed_server_fails_its_call_at_once_with_signal_and_last_words(over, outcome):
    result, took = outcome(over("dies_in_call", server={"timeout_ms": 20_000}))
    assert result.code.name == "MCP_TRANSPORT_CLOSED"
    assert "signal 9" in result.message
    assert "about to fall over" in result.message
    assert took < 6


def test_m19_a_server_that_ignores_everything_is_gone_after_two_seconds(over, outcome):
    result, took = outcome(over("stubborn"))
    assert result.status == "success"
    assert took < 8


def test_a_helper_of_a_server_does_not_outlive_it(over, outcome):
    result, _ = outcome(over("grandchild"))
    helper = Path(f"/proc/{result.preview}/stat")
    assert not helper.exists() or helper.read_text().rpartition(")")[2].split()[0] == "Z"


def test_a_timed_out_call_is_cancelled_at_the_server(over, tmp_path, outcome):
    marker = tmp_path / "cancelled"
    result, took = outcome(over("hangs", marker, server={"timeout_ms": 300}))
    assert (result.code.name, marker.exists()) == ("MCP_TIMEOUT", True)
    assert took < 6


def test_a_server_that_stops_reading_cannot_hold_a_large_call(over, outcome):
    request = CallRequest(server="hostile", tool="echo", arguments={"text": "x" * 1_000_000})
    result, took = outcome(over("deaf", server={"timeout_ms": 300}), request)
    assert result.code.name == "MCP_TIMEOUT"
    assert took < 8


def test_a_flood_of_notifications_does_not_hide_the_answer(over, outcome):
    result, _ = outcome(over("flood", server={"timeout_ms": 10_000}))
    assert result.preview == "after the flood"


def test_questions_of_a_server_are_answered_with_a_refusal(over, outcome):
    result, _ = outcome(over("questions"))
    assert result.preview == "[true, true, true]"


def test_m03_answers_are_matched_by_their_id(over, outcome):
    result, _ = outcome(over("wrong_ids"))
    assert result.preview == "right"


@pytest.mark.parametrize("way", [(), ("ignores",)])
def test_a_server_that_knows_no_modern_greeting_is_reached_and_remembered(over, way, outcome):
    made = over("old_fashioned", *way)
    result, _ = outcome(made)
    assert result.preview == "ok"
    server = made.deps.settings.servers["hostile"]
    assert made.deps.upstreams.cache.era("hostile", server) == "handshake"


def test_a_modern_server_is_met_in_its_own_era_and_announces_its_changes(bench, hostile_settings):
    section = hostile_settings("modern")
    made = bench(SdkConnector(section, watch=True), section, keep_open=True)

    async def main():
        upstreams = made.deps.upstreams
        first = await call(CALL, made.deps)
        live = upstreams.live("hostile")
        for _ in range(100):
            if live.wire.vitals().changed:
                break
            await asyncio.sleep(0.01)
        changed = live.wire.vitals().changed
        async with upstreams.using("hostile"):
            shown = [each.tool.raw_name for each in upstreams.exposure().exposed]
        await upstreams.aclose()
        return first.preview, live.wire.greeting, changed, shown

    preview, greeting, changed, shown = asyncio.run(main())
    assert (greeting.era, greeting.protocol_version) == ("modern", "2026-07-28")
    assert (preview, changed, shown) == ("modern", {"tools"}, ["echo", "more"])


@pytest.mark.parametrize(
    ("kind", "preview"),
    [
        ("surrogate", "a\ud800b"),
        ("bytes", "a\ufffd\ufffdb"),
        ("numbers", 'structuredContent: {"a":"Infinity","b":12345678901234567000,"c":"NaN"}'),
        ("integer", 'structuredContent: {"a":"1' + "0" * 400 + '"}'),
        ("duplicates", 'structuredContent: {"__proto__":{"x":1},"a":2}'),
    ],
)
def test_odd_text_and_numbers_survive(over, kind, preview, outcome):
    result, _ = outcome(over("odd_text", kind))
    assert result.preview == preview
    json.dumps(result.to_json()).encode()
