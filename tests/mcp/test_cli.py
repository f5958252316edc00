"""The `mcp` group: how words become requests, how people are asked, and what they see."""

from __future__ import annotations

import json
import os
import pty
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.cli.main import run
from deepseekeyes.cli.options import Globals
from deepseekeyes.cli.parse import parse

pytestmark = pytest.mark.service

HOSTILE = Path(__file__).parents[1] / "hostile" / "mcp"
Eyes = Callable[..., tuple[int, str, str]]


@pytest.fixture
def eyes(capsys: pytest.CaptureFixture[str]) -> Eyes:
    def call(*words: str) -> tuple[int, str, str]:
        status = run(["mcp", *words])
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return call


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[bytes], None]]:
    """Puts bytes on standard input."""
    opened = []

    def put(data: bytes) -> None:
        (tmp_path / "stdin").write_bytes(data)
        opened.append((tmp_path / "stdin").open())
        monkeypatch.setattr(sys, "stdin", opened[-1])

    yield put
    for each in opened:
        each.close()


@pytest.fixture
def careful(eyes: Eyes, home: Path) -> None:
    """A configured server of good manners, MCP switched on."""
    home.mkdir(parents=True)
    (home / "config.toml").write_text("[mcp]\nenabled = true\n")
    words = ["--allow", "look", "--allow", "say", "--", sys.executable, "-S", str(HOSTILE / "careful.py")]
    assert eyes("add", "careful", *words)[0] == 0


CALLS = {
    "call a b": ("mcp.call", {"server": "a", "tool": "b", "arguments": {}, "run_id": None, "confirm": False}),
    'call a b --args {"x":1} --run-id r --confirm': (
        "mcp.call",
        {"server": "a", "tool": "b", "arguments": {"x": 1}, "run_id": "r", "confirm": True},
    ),
    "prompt a p --arg x=1=2 --arg y=": ("mcp.prompt", {"name": "p", "arguments": {"x": "1=2", "y": ""}}),
    "read a u://x --run-id r": ("mcp.read", {"server": "a", "uri": "u://x", "run_id": "r"}),
    "tools --schema --refresh": ("mcp.tools", {"server": None, "schemas": True, "refresh": True}),
    "servers --probe --enable": ("mcp.servers", {"probe": True, "enable": True}),
    "approve a b --yes --digest 01234567": ("mcp.approve", {"accept": True, "digest": "01234567"}),
    "runs": ("mcp.runs", {"limit": 100}),
    "runs show r": ("mcp.runs", {"run_id": "r"}),
    "runs end r --limit 5": ("mcp.runs", {"end": "r", "limit": 5}),
    "audit --status denied --server a": ("mcp.audit", {"server": "a", "status": "denied", "limit": 50}),
    "artifacts 0123 --remove": ("mcp.artifacts", {"digest": "0123", "remove": True}),
    "import f --only a --dry-run": ("mcp.import", {"file": "f", "only": ("a",), "dry_run": True, "replace": False}),
    "add a -- x --json -y": ("mcp.add", {"server": "a", "command": ("x", "--json", "-y")}),
    "allow a x y --kind prompts --deny": ("mcp.allow", {"selectors": ("x", "y"), "kind": "prompts", "deny": True}),
    "remove a --forget": ("mcp.remove", {"server": "a", "forget": True}),
    "lint --url https://x --call": ("mcp.lint", {"server": None, "command": (), "url": "https://x", "call": True}),
}


@pytest.mark.parametrize(("line", "expected"), CALLS.items(), ids=CALLS)
def test_words_become_a_request(line: str, expected: tuple[str, dict[str, Any]]) -> None:
    parsed = parse(["mcp", *line.split()], Globals())
    assert not isinstance(parsed, int)
    operation, payload = parsed
    assert (operation, payload) == (expected[0], {**payload, **expected[1]})


@pytest.mark.parametrize("given", ["{", "[1]", "7", '"x"', "{'a': 1}"])
def test_arguments_that_are_no_object_are_a_wrong_line(eyes: Eyes, given: str) -> None:
    status, out, _ = eyes("call", "a", "b", "--args", given, "--json")
    assert (status, json.loads(out)["error"]["code"]) == (2, "USAGE")


def test_arguments_come_from_standard_input(eyes: Eyes, piped: Callable[[bytes], None], careful: None) -> None:
    piped(b'\xef\xbb\xbf{"text": "hello"}\n')
    status, out, _ = eyes("call", "careful", "say", "--args", "-", "--json")
    assert (status, json.loads(out)["preview"]) == (0, "all is well")
    piped(b"\xff")
    assert eyes("call", "careful", "say", "--args", "-", "--json")[0] == 2


def test_a_failure_before_the_pipe_is_passed_on_unchanged(
    eyes: Eyes, piped: Callable[[bytes], None], careful: None
) -> None:
    error = {"code": "STATE_OLD", "kind": "refused-stale", "message": "Old.", "hint": "Again.", "details": {}}
    document = {"schema": "deepseekeyes.error.v1", "error": error}
    piped(json.dumps(document).encode())
    status, out, _ = eyes("call", "careful", "say", "--args", "-", "--json")
    assert (status, json.loads(out)["error"]["code"]) == (7, "STATE_OLD")


def test_nobody_to_ask_means_that_nothing_is_called(eyes: Eyes, careful: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deepseekeyes.cli.door.TERMINAL", "/nowhere/tty")
    status, out, _ = eyes("call", "careful", "look", "--confirm", "--json")
    assert (status, json.loads(out)["error"]["code"]) == (9, "MCP_TOOL_NOT_APPROVED")
    audit = json.loads(eyes("audit", "--json")[1])
    assert [(row["status"], row["error"]["code"]) for row in audit["items"]] == [("denied", "MCP_TOOL_NOT_APPROVED")]


@pytest.mark.parametrize(("answer", "expected"), [(b"y\n", 0), (b"yes\n", 0), (b"n\n", 9), (b"\n", 9)])
def test_a_person_at_the_terminal_decides(
    eyes: Eyes, careful: None, monkeypatch: pytest.MonkeyPatch, answer: bytes, expected: int
) -> None:
    controller, terminal = pty.openpty()
    monkeypatch.setattr("deepseekeyes.cli.door.TERMINAL", os.ttyname(terminal))
    os.write(controller, answer)
    status = eyes("call", "careful", "say", "--args", '{"text": "a\\u001b[31m"}', "--confirm", "--json")[0]
    asked = os.read(controller, 4096)
    os.close(controller)
    os.close(terminal)
    assert (status, b"tool say of the server careful (read)" in asked, b"\x1b" in asked) == (expected, True, False)


def test_a_tool_that_reports_an_error_exits_1(eyes: Eyes, careful: None) -> None:
    status, out, _ = eyes("call", "careful", "say", "--json")
    document = json.loads(out)
    assert (status, document["status"], document["preview"]) == (1, "error", "text is missing")


def test_every_document_has_a_text_for_people(
    careful: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    foreign = tmp_path / "other.json"
    foreign.write_text(json.dumps({"mcpServers": {"web": {"command": "x", "env": {"KEY": "v"}, "odd": 1}}}))
    seen = {}
    for line in (
        "test careful",
        "servers",
        "tools --schema",
        "call careful look --run-id night",
        "call careful wipe",
        "runs show night",
        "audit",
        "artifacts",
        "approve careful look",
        f"import {foreign}",
        "allow careful wipe",
        "add more -- x",
        "remove more",
        "lint careful",
        "resources",
        "prompts",
    ):
        status = run(["--text", "mcp", *line.split()])
        shown = capsys.readouterr()
        raw = "{'" in shown.out or shown.out.startswith("{")
        seen[line.split()[0] + " " + line.split()[-1]] = (status, raw, "Traceback" in shown.err)
    assert {key: value[1:] for key, value in seen.items()} == dict.fromkeys(seen, (False, False))
    assert [key for key, value in seen.items() if value[0] != 0] == ["call wipe"]


def test_the_texts_name_what_matters(eyes: Eyes, careful: None) -> None:
    assert eyes("call", "careful", "look", "--text")[1].startswith("all is well\n")
    out = eyes("tools", "--text")[1]
    assert "2 of 4 tools" in out
    assert "mcp__careful__look  read" in out
    assert "not-allowlisted" in out
    assert "connected" in eyes("servers", "--probe", "--text")[1]
    assert "100 of 100" in eyes("lint", "careful", "--text")[1]


def test_help_of_the_group_names_every_command(eyes: Eyes) -> None:
    out = eyes("--help")[1]
    names = (
        "servers add remove import test refresh reconnect tools approve call resources read prompts prompt runs audit"
    )
    assert all(f"\n  {name} " in out for name in [*names.split(), "artifacts", "lint", "serve", "allow"])


def test_the_doctor_starts_servers_when_asked_to_look_deep(
    careful: None, capsys: pytest.CaptureFixture[str], eyes: Eyes
) -> None:
    noisy = [sys.executable, "-S", str(HOSTILE / "banner.py")]
    assert eyes("add", "noisy", "--", *noisy)[0] == 0

    def checks(*words: str) -> dict[str, tuple[str, str]]:
        run(["doctor", "--only", "mcp", "--json", *words])
        found = json.loads(capsys.readouterr().out)["checks"]
        return {check["id"]: (check["status"], check["seen"]) for check in found}

    shallow, deep = checks(), checks("--deep")
    assert (shallow["mcp.careful"][0], shallow["mcp.switch"][0]) == ("skipped", "ok")
    assert str(sys.executable) in shallow["mcp.programs"][1]
    assert (deep["mcp.careful"][0], deep["mcp.noisy"][0]) == ("ok", "warning")
    assert "no messages" in deep["mcp.noisy"][1]
