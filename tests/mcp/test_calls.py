"""The path of a call, gate by gate, over a hand-made wire."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
import json

import pytest
from PIL import Image

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.call import CallRequest, call
from deepseekeyes.mcp.ports import WireError


def png(colour: str = "red", size: int = 16) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (size, size), colour).save(buffer, "PNG")
    return buffer.getvalue()


def image_block(data: bytes, media_type: str = "image/png") -> dict:
    return {"type": "image", "mimeType": media_type, "data": base64.b64encode(data).decode()}


def run(bench, **fields):
    request = CallRequest(**{"server": "git", "tool": "echo", **fields})
    return asyncio.run(call(request, bench.deps))


def refused(bench, **fields) -> EyesError:
    with pytest.raises(EyesError) as caught:
        run(bench, **fields)
    return caught.value


def test_a_call_returns_a_bounded_result_whose_digest_is_that_of_the_raw_value(bench, fakes):
    wire, connector = fakes.one()
    made = bench(connector)
    result = run(made, arguments={"a": 1})
    canonical = '{"content":[{"text":"hi","type":"text"}]}'
    assert (result.preview, result.status, result.truncated, result.artifact) == ("hi", "success", False, None)
    assert (result.sha256, result.bytes) == (hashlib.sha256(canonical.encode()).hexdigest(), len(canonical))
    assert wire.sent("tools/call") == [{"name": "echo", "arguments": {"a": 1}}]
    assert wire.closed


def test_nothing_is_started_while_the_planes_are_off(bench, fakes):
    _, connector = fakes.one()
    made = bench(connector, fakes.settings(enabled=False))
    error = refused(made)
    assert (error.code.name, error.exit_code, connector.opened) == ("MCP_DISABLED", 9, [])
    assert run(made, enable=True).status == "success"


def test_a_foreign_model_is_turned_away_before_anything_is_started(bench, fakes):
    _, connector = fakes.one()
    error = refused(bench(connector), provider="someone-else")
    assert (error.code.name, connector.opened) == ("MCP_REQUIRES_DEEPSEEKEYES", [])


def test_an_unknown_server_names_the_nearest_one(bench, fakes):
    _, connector = fakes.one()
    error = refused(bench(connector), server="gti")
    assert error.code.name == "MCP_SERVER_UNKNOWN"
    assert "'git'" in error.message


@pytest.mark.parametrize(
    ("server", "code"),
    [
        ({"allowed_tools": []}, "MCP_TOOL_NOT_ALLOWED"),
        ({"deny_tools": ["e*"]}, "MCP_TOOL_NOT_ALLOWED"),
        ({"tools_enabled": False}, "MCP_TOOL_UNAVAILABLE"),
        ({"enabled": False}, "MCP_SERVER_DISABLED"),
    ],
)
def test_policy_refuses_before_the_wire(bench, fakes, server, code):
    wire, connector = fakes.one()
    made = bench(connector, fakes.settings({"git": server}))
    assert refused(made).code.name == code
    assert wire.sent("tools/call") == []


def test_read_only_blocks_what_is_not_declared_to_read_with_a_real_boolean(bench, fakes):
    listed = fakes.tool(annotations={"readOnlyHint": "yes"})
    wire, connector = fakes.one({"tools/list": {"tools": [listed]}})
    made = bench(connector, fakes.settings({"git": {"risk_policy": "read-only"}}))
    assert refused(made).code.name == "MCP_TOOL_RISK_BLOCKED"
    assert wire.sent("tools/call") == []
    assert [row["status"] for row in made.rows()] == ["denied"]


def test_a_tool_over_the_budget_cannot_be_called(bench, fakes):
    _, connector = fakes.one({"tools/list": {"tools": [fakes.tool("a"), fakes.tool("b")]}})
    made = bench(connector, fakes.settings(max_tools=1))
    assert run(made, tool="a").status == "success"
    assert refused(made, tool="b").code.name == "MCP_TOOL_WITHHELD"


def test_the_quota_of_a_run_is_shared_by_processes_and_a_new_run_starts_at_zero(bench, fakes):
    wire, connector = fakes.one()
    section = fakes.settings(max_external_calls_per_run=2)
    for _ in range(2):
        assert run(bench(connector, section), run_id="r1").status == "success"
    made = bench(connector, section)
    error = refused(made, run_id="r1")
    assert (error.code.name, error.details["limit"]["value"]) == ("MCP_EXTERNAL_CALL_LIMIT_REACHED", 2)
    assert len(wire.sent("tools/call")) == 2
    assert [event.counters for event in made.booked] == [{"mcpLimitStops": 1}]
    assert run(made, run_id="r2").status == "success"


def test_calls_without_a_run_share_the_quota_of_the_process(bench, fakes):
    _wire, connector = fakes.one()
    made = bench(connector, fakes.settings(max_external_calls_per_run=1))
    run(made)
    assert refused(made).code.name == "MCP_EXTERNAL_CALL_LIMIT_REACHED"


def test_concurrent_calls_never_overshoot_the_quota(bench, fakes):
    wire, connector = fakes.one()
    made = bench(connector, fakes.settings(max_external_calls_per_run=3), keep_open=True)

    async def many():
        request = CallRequest(server="git", tool="echo", run_id="r")
        return await asyncio.gather(*(call(request, made.deps) for _ in range(10)), return_exceptions=True)

    outcomes = asyncio.run(many())
    assert sum(isinstance(each, EyesError) for each in outcomes) == 7
    assert len(wire.sent("tools/call")) == 3


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"deny_tools": ["echo"]}, "MCP_TOOL_NOT_ALLOWED"),
        ({"risk_policy": "read-only"}, "MCP_TOOL_RISK_BLOCKED"),
        ({"command": "false"}, "MCP_TOOL_UNAVAILABLE"),
        ({"enabled": False}, "MCP_TOOL_UNAVAILABLE"),
    ],
)
def test_policy_that_changes_while_someone_is_asked_holds_and_the_quota_is_untouched(bench, fakes, change, code):
    wire, connector = fakes.one({"tools/list": {"tools": [fakes.tool(annotations={})]}})

    async def meanwhile(question):
        await made.deps.upstreams.reload(fakes.settings({"git": change}))
        return True

    made = bench(connector, fakes.settings(max_external_calls_per_run=1), authorise=meanwhile)
    assert refused(made, run_id="r").code.name == code
    assert (wire.sent("tools/call"), made.ledger.counters("mcp_runs")) == ([], [])


def test_a_declined_authorisation_is_a_denial(bench, fakes):
    wire, connector = fakes.one()

    async def no(question):
        return False

    made = bench(connector, authorise=no)
    assert refused(made).code.name == "MCP_TOOL_NOT_APPROVED"
    assert wire.sent("tools/call") == []
    assert [(row["status"], row["error"]["code"]) for row in made.rows()] == [("denied", "MCP_TOOL_NOT_APPROVED")]


def test_a_tool_that_reports_its_own_error_is_a_result_that_says_no(bench, fakes):
    _, connector = fakes.one({"tools/call": fakes.text("no such file", isError=True)})
    made = bench(connector)
    result = run(made)
    assert (result.status, result.preview, result.outcome()) == ("error", "no such file", "verdict")
    assert made.rows()[0]["error"]["code"] == "MCP_TOOL_REPORTED_ERROR"


@pytest.mark.parametrize(
    ("fault", "risk", "code", "exit_code"),
    [
        (WireError("timeout", "late"), True, "MCP_TIMEOUT", 5),
        (WireError("timeout", "late"), False, "MCP_CALL_UNRESOLVED", 8),
        (WireError("closed", "gone"), True, "MCP_TRANSPORT_CLOSED", 5),
        (WireError("closed", "gone"), False, "MCP_CALL_UNRESOLVED", 8),
        (WireError("noise", "noise"), False, "MCP_CALL_UNRESOLVED", 8),
        (WireError("answered", "bad arguments", -32602), False, "MCP_TOOL_CALL_FAILED", 1),
        (WireError("session-lost", "Session terminated"), False, "MCP_SESSION_LOST", 5),
        (WireError("auth", "401"), False, "MCP_AUTH_REJECTED", 4),
        (WireError("frame-limit", "big"), False, "MCP_FRAME_LIMIT", 6),
        (WireError("depth-limit", "deep"), False, "MCP_RESULT_DEPTH_LIMIT", 6),
        (WireError("unreadable", "?"), False, "MCP_PROTOCOL_INVALID", 6),
        (WireError("unsent", "over"), False, "MCP_TRANSPORT_CLOSED", 5),
    ],
)
def test_a_lost_answer_is_unresolved_unless_the_tool_only_reads(bench, fakes, fault, risk, code, exit_code):
    listed = fakes.tool(annotations={"readOnlyHint": risk})
    wire, connector = fakes.one({"tools/list": {"tools": [listed]}, "tools/call": fault})
    made = bench(connector)
    error = refused(made, run_id="r")
    assert (error.code.name, error.exit_code) == (code, exit_code)
    assert len(wire.sent("tools/call")) == 1
    free = fault.fault in ("unsent", "session-lost", "auth")
    assert made.ledger.counters("mcp_runs")[0].value == (0 if free else 1)
    assert len(made.booked) == (0 if free else 1)


def test_a_long_secret_error_is_cut_and_redacted_everywhere(bench, fakes):
    secret = "ghp_abcdefghijklmnop"
    text = f"Authorization: Bearer {secret} " + "x" * 10_000
    _, connector = fakes.one({"tools/call": WireError("answered", text, -32000)})
    made = bench(connector)
    error = refused(made, run_id="r")
    assert len(error.message) < 600
    everything = error.message + json.dumps(made.rows()) + (made.home / "mcp-runs" / "r.jsonl").read_text()
    assert secret not in everything


def test_the_audit_holds_digests_and_never_arguments_or_results(bench, fakes):
    _, connector = fakes.one({"tools/call": fakes.text("the answer is plums")})
    made = bench(connector)
    result = run(made, arguments={"password": "hunter2222"})
    row = made.rows()[0]
    assert "hunter2222" not in json.dumps(row)
    assert "plums" not in json.dumps(row)
    assert row["resultSha256"] == result.sha256
    expected = {"plane": "tools", "tool": "echo", "publicName": "mcp__git__echo", "risk": "read", "status": "success"}
    assert {key: row[key] for key in expected} == expected


def test_audit_off_writes_no_rows(bench, fakes):
    _, connector = fakes.one()
    made = bench(connector, fakes.settings(audit=False))
    run(made)
    assert made.rows() == []


def test_a_call_of_a_run_leaves_one_marker_without_text(bench, fakes):
    data = png()
    _, connector = fakes.one({"tools/call": {"content": [{"type": "text", "text": "plums"}, image_block(data)]}})
    made = bench(connector)
    result = run(made, run_id="r1")
    (marker,) = made.deps.journal.markers("r1")
    assert {key: value for key, value in marker.items() if key != "at"} == {
        "schemaVersion": "deepseekeyes.mcp-context.v1",
        "tool": "mcp__git__echo",
        "status": "success",
        "resultSha256": result.sha256,
        "imageCount": 1,
        "images": [hashlib.sha256(data).hexdigest()],
    }


def test_without_a_writable_journal_nothing_is_sent(bench, fakes, home):
    wire, connector = fakes.one()
    home.mkdir(parents=True, exist_ok=True)
    (home / "mcp-runs").write_text("a file where the folder belongs")
    error = refused(bench(connector), run_id="r1")
    assert (error.code.name, connector.opened, wire.requests) == ("MCP_RESULT_CONTEXT_UNAVAILABLE", [], [])


@pytest.mark.parametrize("run_id", ["", "../x", "a/b", "x" * 65, ".hidden"])
def test_a_run_id_is_no_path(bench, fakes, run_id):
    _, connector = fakes.one()
    assert refused(bench(connector), run_id=run_id).code.name == "MCP_RUN_INVALID"


def test_arguments_that_are_no_text_are_refused_before_connecting(bench, fakes):
    _, connector = fakes.one()
    error = refused(bench(connector), arguments={"a": "\ud800"})
    assert (error.code.name, connector.opened) == ("MCP_INPUT_INVALID", [])


def test_huge_arguments_are_sent_once_and_only_their_digest_is_unavailable(bench, fakes):
    wire, connector = fakes.one()
    made = bench(connector)
    run(made, arguments={"a": "x" * 2_000_000})
    assert len(wire.sent("tools/call")) == 1
    assert made.rows()[0]["argsSha256"] == "hash-unavailable"


def test_a_ledger_that_cannot_be_written_does_not_change_the_outcome(bench, fakes):
    _, connector = fakes.one()
    made = bench(connector)
    (made.home / "ledger.sqlite3").mkdir(parents=True)
    result = run(made)
    assert (result.status, result.persistence.healthy) == ("success", False)


def test_interrupting_a_call_records_that_it_may_have_run(bench, fakes):
    started = asyncio.Event()

    async def hang(params):
        started.set()
        await asyncio.Event().wait()

    wire, connector = fakes.one({"tools/call": hang})
    made = bench(connector)

    async def interrupted():
        task = asyncio.create_task(call(CallRequest(server="git", tool="echo"), made.deps))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(interrupted())
    assert (wire.closed, made.rows()[0]["error"]["code"]) == (True, "MCP_CALL_UNRESOLVED")
