"""What the doctor sees of the planes without starting anything."""

from __future__ import annotations

import asyncio
import sys

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.call import CallRequest, call
from deepseekeyes.mcp.checks import checks


def findings(made, section):
    upstreams = made.deps.upstreams
    found = checks((lambda: section) if section else None, lambda: upstreams.cache, lambda: upstreams.pins)
    return {each.id: each.run() for each in found}


def test_a_sound_setup_is_ok_and_names_the_program_it_would_run(bench, fakes, monkeypatch):
    monkeypatch.setenv("MINE", "x")
    section = fakes.settings({"git": {"command": sys.executable, "env": {"T": {"env": "MINE"}}}})
    found = findings(bench(fakes.connector({})), section)
    assert {name: each.status for name, each in found.items()} == {
        "mcp.sdk": "ok",
        "mcp.programs": "ok",
        "mcp.variables": "ok",
        "mcp.pins": "ok",
    }
    assert sys.executable in found["mcp.programs"].seen


def test_what_is_missing_is_named_with_the_fix(bench, fakes):
    section = fakes.settings({"git": {"command": "no-such-program", "env": {"T": {"env": "UNSET"}}}})
    found = findings(bench(fakes.connector({})), section)
    assert found["mcp.programs"].status == "warning"
    assert found["mcp.variables"].fix == "export UNSET=..."


def test_a_changed_tool_waits_for_approval(bench, fakes):
    wire, connector = fakes.one()
    made = bench(connector)
    asyncio.run(call(CallRequest(server="git", tool="echo"), made.deps))
    wire.answers["tools/list"] = {"tools": [fakes.tool(description="other")]}
    with pytest.raises(EyesError):
        asyncio.run(call(CallRequest(server="git", tool="echo"), made.deps))
    found = findings(made, made.deps.settings)
    assert found["mcp.pins"].fix == "deepseekeyes mcp approve git echo"


@pytest.mark.parametrize("section", [None, {}])
def test_without_servers_there_is_nothing_to_complain_about(bench, fakes, section):
    found = findings(bench(fakes.connector({})), fakes.settings(section) if section is not None else None)
    assert {each.status for each in found.values()} <= {"ok", "skipped"}
