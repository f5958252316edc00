"""`mcp add`, `allow` and `remove`: what is written into the home's configuration, and what never is."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.cli.main import run
from deepseekeyes.mcp.settings import McpSettings

pytestmark = pytest.mark.service

Eyes = Callable[..., tuple[int, Any]]
FILES = ("files", "--", "npx", "-y", "server-files", "/data")


@pytest.fixture
def eyes(capsys: pytest.CaptureFixture[str]) -> Eyes:
    def call(*words: str) -> tuple[int, Any]:
        status = run(["--json", "mcp", *words])
        shown = capsys.readouterr()
        call.shown = shown.out + shown.err  # type: ignore[attr-defined]
        return status, json.loads(shown.out)

    return call


def written(home: Path) -> dict[str, Any]:
    path = home / "config.toml"
    return tomllib.loads(path.read_text()) if path.exists() else {}


def servers(home: Path) -> dict[str, Any]:
    return written(home).get("mcp", {}).get("servers", {})


def code(document: Any) -> str:
    return document["error"]["code"]


def test_a_server_is_written_as_it_was_given_and_read_back_by_the_settings(eyes: Eyes, home: Path) -> None:
    words = ["files", "--name", "My files", "--env", "TOKEN", "--env", "PLACE=OTHER_PLACE", "--cwd", "/data"]
    words += ["--allow", "read_*", "--deny", "read_secret", "--allow-resource", "notes:*", "--allow-prompt", "sum*"]
    words += ["--risk-policy", "read-only", "--timeout-ms", "5000", "--disabled", "--", "npx", "--yes", "server"]
    status, added = eyes("add", *words)
    table = {
        "name": "My files",
        "enabled": False,
        "transport": "stdio",
        "command": "npx",
        "args": ["--yes", "server"],
        "cwd": "/data",
        "env": {"TOKEN": {"env": "TOKEN"}, "PLACE": {"env": "OTHER_PLACE"}},
        "resources_enabled": True,
        "prompts_enabled": True,
        "risk_policy": "read-only",
        "timeout_ms": 5000,
        "allowed_tools": ["read_*"],
        "deny_tools": ["read_secret"],
        "allowed_resources": ["notes:*"],
        "allowed_prompts": ["sum*"],
    }
    assert (status, added["definition"], added["replaced"], added["switchedOn"]) == (0, table, False, False)
    assert servers(home) == {"files": table}
    assert McpSettings.model_validate(written(home)["mcp"]).servers["files"].env["PLACE"].env == "OTHER_PLACE"


def test_variables_are_listed_with_what_is_missing(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_AUTH", "Bearer x")
    words = ["--header", "Authorization=GIT_AUTH", "--header", "X-Team=TEAM_NAME"]
    status, added = eyes("add", "git", "--url", "https://example.com/mcp", *words)
    assert status == 0
    assert [(each["field"], each["name"], each["available"], each["hint"]) for each in added["variables"]] == [
        ("headers.Authorization", "GIT_AUTH", True, None),
        ("headers.X-Team", "TEAM_NAME", False, "export TEAM_NAME=..."),
    ]
    assert "Bearer x" not in eyes.shown  # type: ignore[attr-defined]


def test_a_new_server_allows_nothing_and_says_so(eyes: Eyes, home: Path) -> None:
    _, added = eyes("add", *FILES)
    assert (servers(home)["files"]["allowed_tools"], len(added["notes"])) == ([], 1)


def test_comments_and_everything_else_stay(eyes: Eyes, home: Path) -> None:
    home.mkdir(parents=True)
    before = '# mine\n[vision]\nroute = "qwen"  # the good one\n\n[mcp]\nenabled = true # on purpose\n'
    (home / "config.toml").write_text(before)
    assert eyes("add", *FILES)[0] == 0
    text = (home / "config.toml").read_text()
    assert all(line in text for line in before.splitlines())
    assert (home / "config.toml").stat().st_mode & 0o077 == 0
    assert eyes("remove", "files")[0] == 0
    assert all(line in (home / "config.toml").read_text() for line in before.splitlines())
    assert servers(home) == {}


def test_a_server_is_replaced_only_when_asked(eyes: Eyes, home: Path) -> None:
    eyes("add", *FILES)
    status, refused = eyes("add", "files", "--", "other")
    assert (status, code(refused), servers(home)["files"]["command"]) == (3, "MCP_SERVER_EXISTS", "npx")
    status, added = eyes("add", "files", "--replace", "--", "other")
    assert (status, added["replaced"], servers(home)["files"]) == (
        0,
        True,
        {"transport": "stdio", "command": "other", "args": [], "allowed_tools": []},
    )


SECRETS = (
    ["--env", "TOKEN=ghp_abcdefghijklmnop"],
    ["--env", "TOKEN=hunter2 hunter2"],
    ["--env", "TOKEN=https://u:pw@example.com"],
    ["--env", "TOKEN=a1b2c3d4e5f6a7b8c9d0e1f2"],
    ["--env", "sk-abcdefghijklmnop"],
    ["--header", "Authorization: Bearer abcdefgh"],
    ["--header", "Authorization=Bearer abcdefgh"],
    ["--header", "X-Api-Key"],
    ["--oauth-id", "ID", "--oauth-secret", "ghp_abcdefghijklmnop"],
)


@pytest.mark.parametrize("words", SECRETS, ids=[" ".join(words)[:30] for words in SECRETS])
def test_a_value_where_a_variable_belongs_is_refused_and_never_repeated(
    eyes: Eyes, home: Path, words: list[str]
) -> None:
    target = ["--", "npx"] if words[0] == "--env" else ["--url", "https://example.com/mcp"]
    options = [*words, *target] if target[0] == "--" else [*target, *words]
    status, refused = eyes("add", "git", *options)
    assert (status, code(refused), servers(home)) == (3, "MCP_SECRET_LITERAL", {})
    for secret in ("ghp_abcdefghijklmnop", "hunter2", "a1b2c3d4e5", "sk-abcdef", "Bearer abcdefgh", "u:pw"):
        assert secret not in eyes.shown  # type: ignore[attr-defined]


def test_a_long_name_that_is_set_is_a_variable(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("a1b2c3d4e5f6a7b8c9d0e1f2", "x")
    assert eyes("add", "git", "--env", "TOKEN=a1b2c3d4e5f6a7b8c9d0e1f2", "--", "npx")[0] == 0


INVALID = {
    "reserved id": ["deepseekeyes", "--", "npx"],
    "bad id": ["a b", "--", "npx"],
    "both": ["a", "--url", "https://example.com", "--", "npx"],
    "neither": ["a"],
    "plain http": ["a", "--url", "http://example.com/mcp"],
    "credential in the query": ["a", "--url", "https://example.com/mcp?token=abcdefgh"],
    "credential in the arguments": ["a", "--", "npx", "--api-key", "abcdefgh"],
    "env over http": ["a", "--url", "https://example.com/mcp", "--env", "TOKEN"],
    "half an oauth": ["a", "--url", "https://example.com/mcp", "--oauth-id", "ID"],
    "allowed and denied": ["a", "--allow", "x", "--deny", "x", "--", "npx"],
    "timeout": ["a", "--timeout-ms", "1", "--", "npx"],
}


@pytest.mark.parametrize("words", INVALID.values(), ids=INVALID)
def test_what_the_settings_would_refuse_is_never_written(eyes: Eyes, home: Path, words: list[str]) -> None:
    status, refused = eyes("add", *words)
    assert (status, code(refused), servers(home)) == (3, "MCP_CONFIG_INVALID", {})
    assert "abcdefgh" not in eyes.shown  # type: ignore[attr-defined]


def test_two_servers_cannot_share_a_name(eyes: Eyes) -> None:
    eyes("add", *FILES)
    assert code(eyes("add", "FILES", "--", "npx")[1]) == "MCP_CONFIG_INVALID"
    assert code(eyes("add", "other", "--name", "Files", "--", "npx")[1]) == "MCP_CONFIG_INVALID"


def test_a_server_can_be_added_and_a_broken_one_removed_while_the_file_is_broken(eyes: Eyes, home: Path) -> None:
    home.mkdir(parents=True)
    (home / "config.toml").write_text('[mcp.servers.bad]\ntransport = "carrier pigeon"\n')
    assert eyes("add", *FILES)[0] == 0
    assert eyes("remove", "bad")[0] == 0
    assert list(servers(home)) == ["files"]
    assert eyes("servers")[0] == 0


def test_a_removed_server_is_forgotten_but_for_its_definitions(eyes: Eyes, home: Path, hostile: list[str]) -> None:
    eyes("add", "plain", "--allow", "*", "--", *hostile)
    assert eyes("call", "plain", "echo", "--enable")[0] == 0
    assert (home / "mcp-catalogs" / "plain.json").exists()
    status, removed = eyes("remove", "plain")
    assert (status, removed["catalogForgotten"], removed["pinsKept"]) == (0, True, 1)
    assert not (home / "mcp-catalogs" / "plain.json").exists()
    eyes("add", "plain", "--", *hostile)
    assert eyes("remove", "plain", "--forget")[1]["pinsKept"] == 0
    assert "plain" not in (home / "mcp-pins.json").read_text()


@pytest.fixture
def hostile() -> list[str]:
    return [sys.executable, "-S", str(Path(__file__).parents[1] / "hostile" / "mcp" / "plain.py")]


def test_an_unknown_server_is_answered_with_the_nearest(eyes: Eyes) -> None:
    eyes("add", *FILES)
    for words in (("remove", "file"), ("allow", "file", "x")):
        status, refused = eyes(*words)
        assert (status, code(refused), "'files'" in refused["error"]["message"]) == (3, "MCP_SERVER_UNKNOWN", True)


def test_lists_are_changed_one_name_at_a_time(eyes: Eyes, home: Path) -> None:
    eyes("add", *FILES)
    status, changed = eyes("allow", "files", "read_*", "list", "read_*")
    assert (status, changed["changed"], changed["before"], changed["after"]) == (
        0,
        "allowed_tools",
        [],
        ["read_*", "list"],
    )
    assert eyes("allow", "files", "list", "--withdraw")[1]["after"] == ["read_*"]
    assert eyes("allow", "files", "read_secret", "--deny")[1]["changed"] == "deny_tools"
    assert code(eyes("allow", "files", "read_*", "--deny")[1]) == "MCP_CONFIG_INVALID"
    assert code(eyes("allow", "files", "absent", "--withdraw")[1]) == "MCP_SELECTOR_UNKNOWN"
    assert eyes("allow", "files", "notes:*", "--kind", "resources")[1]["changed"] == "allowed_resources"
    table = servers(home)["files"]
    assert (table["allowed_tools"], table["deny_tools"], table["resources_enabled"]) == (
        ["read_*"],
        ["read_secret"],
        True,
    )


def test_many_processes_add_at_once_and_none_is_lost(home: Path) -> None:
    eyes = [sys.executable, "-m", "deepseekeyes", "--json", "mcp", "add"]
    names = [f"server{number}" for number in range(4)]
    running = [
        subprocess.Popen([*eyes, name, "--", "npx", name], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for name in names
    ]
    for process in running:
        out, _ = process.communicate(timeout=100)
        assert json.loads(out)["schema"] == "deepseekeyes.mcp-add.v1"
    assert sorted(servers(home)) == names
