"""`mcp import`: files of other programs become definitions of ours, and no value in them is written anywhere."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.cli.main import run
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.convert import own_id
from deepseekeyes.mcp.definitions import SERVER_ID
from deepseekeyes.mcp.foreign import _patient, foreign
from deepseekeyes.mcp.settings import McpSettings

Eyes = Callable[..., tuple[int, Any]]
SECRET = "a-value-that-nobody-may-see"
NPX = {"command": "npx", "args": ["-y", "server"]}


@pytest.fixture
def take(capsys: pytest.CaptureFixture[str], tmp_path: Path, home: Path) -> Eyes:
    """Imports a file with this content; its secret must not turn up anywhere."""

    def call(content: Any, *words: str) -> tuple[int, Any]:
        file = tmp_path / "other.json"
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        status = run(["--json", "mcp", "import", str(file), *words])
        shown = capsys.readouterr()
        kept = [path.read_text() for path in home.rglob("*") if path.is_file()]
        assert not any(SECRET in text for text in (shown.out, shown.err, *kept))
        return status, json.loads(shown.out)

    return call


def servers(home: Path) -> dict[str, Any]:
    path = home / "config.toml"
    return tomllib.loads(path.read_text())["mcp"]["servers"] if path.exists() else {}


def one(document: Any) -> Any:
    (item,) = document["items"]
    return item


def variables(item: Any) -> list[tuple[str, str, str]]:
    return [(each["field"], each["name"], each["origin"]) for each in item["variables"]]


@pytest.mark.parametrize(
    ("content", "shape"),
    [
        ({"mcpServers": {"files": NPX}}, "mcpServers"),
        ({"servers": {"files": {"type": "stdio", **NPX}}, "inputs": []}, "servers"),
        ({"mcp": {"servers": {"files": NPX}}, "editor.fontSize": 12}, "mcp.servers"),
        ({"mcp": {"files": {"type": "local", "command": ["npx", "-y", "server"]}}}, "mcp"),
        ({"context_servers": {"files": NPX}}, "context_servers"),
        ({"files": NPX}, ""),
    ],
)
def test_the_shapes_of_other_programs_are_read(take: Eyes, home: Path, content: Any, shape: str) -> None:
    status, done = take(content)
    assert (status, done["shape"], one(done)["status"]) == (0, shape, "added")
    expected = {"transport": "stdio", "command": "npx", "args": ["-y", "server"], "allowed_tools": []}
    assert servers(home) == {"files": expected}
    assert done["ignored"] == [key for key in content if key != shape.split(".")[0] and shape]


def test_comments_and_commas_at_the_end_do_no_harm(take: Eyes) -> None:
    text = (
        '{\n// a "comment"\n"mcpServers": {"a": {"command": "x", "args": ["http://x", "/* no */", ",]"],},}, /* b */}'
    )
    status, done = take(text)
    assert (status, one(done)["definition"]["args"]) == (0, ["http://x", "/* no */", ",]"])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_the_patient_reader_agrees_with_the_strict_one(value: Any) -> None:
    assert _patient(json.dumps(value)) == value
    assert _patient(f"// {{\n{json.dumps(value, ensure_ascii=False)}/* , ] */") == value


@given(st.text(), st.frozensets(st.text(max_size=4), max_size=3))
def test_an_own_id_is_always_valid_and_free(name: str, taken: frozenset[str]) -> None:
    found = own_id(name, taken)
    assert SERVER_ID.fullmatch(found)
    assert found.lower() not in taken


def test_values_become_references_and_are_named(take: Eyes, home: Path) -> None:
    env = {"TOKEN": SECRET, "REF": "${env:OTHER}", "PLAIN": "${OTHER}", "MIX": f"{SECRET} ${{OTHER}}"}
    env |= {"ASK": "${input:password}", "DEF": f"${{OTHER:-{SECRET}}}", "EMPTY": "", "FLAG": True, "PORT": 8}
    status, done = take({"mcpServers": {"git": {**NPX, "env": env}}})
    item = one(done)
    assert (status, variables(item)) == (
        0,
        [
            ("env.TOKEN", "TOKEN", "literal"),
            ("env.REF", "OTHER", "reference"),
            ("env.PLAIN", "OTHER", "reference"),
            ("env.MIX", "MIX", "composed"),
            ("env.ASK", "ASK", "asked"),
            ("env.DEF", "OTHER", "reference"),
            ("env.FLAG", "FLAG", "literal"),
            ("env.PORT", "PORT", "literal"),
        ],
    )
    assert all(each["hint"].startswith(f"export {each['name']}=...") for each in item["variables"])
    assert len(item["notes"]) == 2
    assert servers(home)["git"]["env"]["DEF"] == {"env": "OTHER"}
    McpSettings.model_validate({"servers": servers(home)})


def test_headers_get_variables_of_their_own(take: Eyes) -> None:
    headers = {"Authorization": f"Bearer {SECRET}", "X-Key": "${KEY}"}
    _, done = take({"mcpServers": {"my-git": {"type": "http", "url": "https://example.com/mcp", "headers": headers}}})
    assert variables(one(done)) == [
        ("headers.Authorization", "MY_GIT_AUTHORIZATION", "literal"),
        ("headers.X-Key", "KEY", "reference"),
    ]


def test_two_servers_with_one_name_and_two_values_do_not_share_a_variable(take: Eyes) -> None:
    entries = {name: {**NPX, "env": {"TOKEN": value}} for name, value in (("a", "1"), ("b", "1"), ("c", "2"))}
    _, done = take({"mcpServers": entries})
    assert [item["variables"][0]["name"] for item in done["items"]] == ["TOKEN", "TOKEN", "C_TOKEN"]


def test_a_variable_that_is_set_already_is_compared(take: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAME", SECRET)
    monkeypatch.setenv("DIFFERENT", "something else")
    _, done = take({"mcpServers": {"a": {**NPX, "env": {"SAME": SECRET, "DIFFERENT": SECRET}}}})
    same, different = one(done)["variables"]
    assert (same["available"], same["hint"]) == (True, None)
    assert (different["available"], different["hint"] is not None) == (True, True)


def test_permissions_of_the_other_program_are_not_taken_over(take: Eyes, home: Path) -> None:
    entry = {**NPX, "alwaysAllow": ["*"], "autoApprove": True, "timeout": 5, "disabled": True}
    _, done = take({"mcpServers": {"a": entry}})
    item = one(done)
    assert item["ignored"] == ["alwaysAllow", "autoApprove", "timeout"]
    assert (servers(home)["a"]["allowed_tools"], servers(home)["a"]["enabled"]) == ([], False)
    assert len(item["notes"]) == 1


def test_the_users_folder_is_written_out(take: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    entry = {"command": "${userHome}/bin/x", "args": ["${HOME}/notes", "${env:HOME}/b"], "cwd": "${HOME}"}
    made = one(take({"mcpServers": {"a": entry}})[1])["definition"]
    assert (made["command"], made["args"], made["cwd"]) == (
        "/home/me/bin/x",
        ["/home/me/notes", "/home/me/b"],
        "/home/me",
    )


REFUSED = {
    "sse": ({"type": "sse", "url": "https://example.com"}, "MCP_IMPORT_UNSUPPORTED"),
    "no target": ({"args": []}, "MCP_CONFIG_INVALID"),
    "argument with a secret": ({"command": "x", "args": ["--token", SECRET]}, "MCP_CONFIG_INVALID"),
    "query with a secret": ({"url": f"https://example.com/?token={SECRET}"}, "MCP_CONFIG_INVALID"),
    "placeholder in an argument": ({"command": "x", "args": [f"${{KEY:-{SECRET}}}"]}, "MCP_CONFIG_INVALID"),
    "env that is no object": ({"command": "x", "env": [SECRET]}, "MCP_CONFIG_INVALID"),
    "env value that is no text": ({"command": "x", "env": {"A": {"b": SECRET}}}, "MCP_CONFIG_INVALID"),
    "bad variable": ({"command": "x", "env": {"A B": SECRET}}, "MCP_CONFIG_INVALID"),
    "arguments that are no list": ({"command": "x", "args": SECRET}, "MCP_CONFIG_INVALID"),
    "command that is no text": ({"command": 7}, "MCP_CONFIG_INVALID"),
    "plain http": ({"url": "http://example.com/mcp"}, "MCP_CONFIG_INVALID"),
}


@pytest.mark.parametrize(("entry", "code"), REFUSED.values(), ids=REFUSED)
def test_a_server_that_cannot_be_taken_over_says_why(take: Eyes, home: Path, entry: Any, code: str) -> None:
    status, done = take({"mcpServers": {"a": entry}})
    assert (status, one(done)["status"], one(done)["error"]["code"]) == (3, "refused", code)
    assert servers(home) == {}


def test_one_refusal_among_others_is_a_partial_success(take: Eyes, home: Path) -> None:
    status, done = take({"mcpServers": {"good": NPX, "deepseekeyes": NPX, "bad": {"type": "sse", "url": "x"}}})
    assert (status, [item["status"] for item in done["items"]]) == (10, ["added", "refused", "refused"])
    assert list(servers(home)) == ["good"]


def test_names_that_are_no_ids_are_made_some(take: Eyes, home: Path) -> None:
    _, done = take({"mcpServers": {"My Git!": NPX, "My-Git": NPX, "名前": NPX}})
    assert [(item["name"], item["id"]) for item in done["items"]] == [
        ("My Git!", "My-Git"),
        ("My-Git", "My-Git-2"),
        ("名前", "server"),
    ]
    assert servers(home)["My-Git"]["name"] == "My Git!"


def test_servers_that_exist_are_left_alone_unless_replaced(take: Eyes, home: Path) -> None:
    take({"mcpServers": {"files": NPX}})
    status, done = take({"mcpServers": {"Files": {"command": "other"}}})
    assert (status, one(done)["status"], servers(home)["files"]["command"]) == (0, "exists", "npx")
    status, done = take({"mcpServers": {"Files": {"command": "other"}}}, "--replace")
    assert (status, one(done)["status"], servers(home)["files"]["command"]) == (0, "replaced", "other")


def test_a_dry_run_says_the_same_and_writes_nothing(take: Eyes, home: Path) -> None:
    content = {"mcpServers": {"a": NPX, "b": {"type": "sse", "url": "x"}}}
    status, planned = take(content, "--dry-run")
    assert (status, servers(home), planned["dryRun"]) == (10, {}, True)
    assert take(content)[1]["items"] == planned["items"]


def test_only_the_named_servers_are_taken(take: Eyes, home: Path) -> None:
    content = {"mcpServers": {"a": NPX, "b": NPX}}
    assert (take(content, "--only", "b")[0], list(servers(home))) == (0, ["b"])
    status, refused = take(content, "--only", "c")
    assert (status, refused["error"]["details"]["candidates"]) == (3, ["a", "b"])


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"mcpServers": {}}', '{"mcpServers": [1]}', "{", '{"a": 1}', "x: 1"])
def test_what_holds_no_servers_is_refused(take: Eyes, text: str) -> None:
    status, refused = take(text)
    assert (status, refused["error"]["code"]) == (3, "MCP_IMPORT_INVALID")


def test_a_missing_file_and_too_many_servers_are_refused(take: Eyes, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--json", "mcp", "import", "/nowhere/at/all.json"]) == 3
    capsys.readouterr()
    with pytest.raises(EyesError) as caught:
        foreign(json.dumps({"mcpServers": {f"s{number}": NPX for number in range(1001)}}).encode())
    assert caught.value.details["limit"]["value"] == 1000


def test_utf_16_is_read() -> None:
    assert list(foreign('{"mcpServers": {"é": {"command": "x"}}}'.encode("utf-16")).servers) == ["é"]
