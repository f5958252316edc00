"""What a definition may not hold: credentials in arguments, secrets in URLs, plain HTTP to strangers."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from deepseekeyes.mcp.addresses import is_loopback, trouble_with
from deepseekeyes.mcp.credentials import exposed_credential
from deepseekeyes.mcp.settings import McpSettings

REJECTED = [
    ["--auth:x"],
    ["--oauth_token", "x"],
    ["--cookie=a=b"],
    ["Basic not-a-payload"],
    ["secret: x"],
    ["/auth:x"],
    ["https://e/mcp?token=x"],
    ['{"token":"a"}'],
    ["TOKEN=abc"],
    ["auth: none"],
    ["pass=1"],
    ["task-sk-abcdefgh"],
    ["--token-file", "/x"],
    ["--TOKEN=x"],
    ["bearer xyz"],
    ["--token", "${X}"],
    ["-u"],
    ["-u=me"],
    ["-uNAME:SECRET"],
    ["-H", "Authorization: none"],
    ["-HX-Api-Key: 1"],
    ["-H=Cookie: a"],
    ["--header", "x-goog-api-key: 1"],
    ["--request-header=Proxy-Authorization: x"],
    ["--header", "X-Mode: Bearer abcdef"],
    ["--my-token=abc"],
    ["MY_TOKEN=abc"],
    ["x-token=abc"],
    ["a;token=1"],
    ["https://u:p@h/"],
    ["x", "ghp_abcdefgh12"],
]
ACCEPTED = [
    ["--auth-type", "none"],
    ["--auth-timeout", "5"],
    ["--token-limit", "9"],
    ["--password-policy", "s"],
    ["--secret-name", "n"],
    ["--api-key-name", "N"],
    ["@scope/auth-server"],
    ["/workspace/my-secret-project"],
    ["--header", "Accept: x"],
    ["--header=X-Mode: Basic"],
    ["-H", "X-Custom: abc"],
    ["bearer x"],
    ["compass=1"],
    ["-uroot"],
    ["-update"],
]


@pytest.mark.parametrize("arguments", REJECTED)
def test_an_argument_that_carries_or_announces_a_credential_is_found(arguments):
    assert exposed_credential(["plain", *arguments]) in (1, 2)


@pytest.mark.parametrize("arguments", ACCEPTED)
def test_an_argument_that_only_sounds_like_one_passes(arguments):
    assert exposed_credential(arguments) is None


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST",
        "a.localhost",
        "localhost.",
        "127.0.0.1",
        "127.255.255.254",
        "[::1]",
        "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]",
        "[::127.0.0.1]",
        "[::ffff:7f00:1]",
    ],
)
def test_a_loopback_host_in_any_plain_spelling_is_loopback(host):
    assert is_loopback(host)
    assert trouble_with(f"http://{host}:8080/mcp") is None


@pytest.mark.parametrize(
    "host",
    [
        "128.0.0.1",
        "0.0.0.0",
        "[::]",
        "[::ffff:128.0.0.1]",
        "[::ffff:0:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[fe80::1]",
        "localhost.evil.com",
        "evil-localhost",
        "127.0.0.1.nip.io",
        "192.168.1.2",
        "localhost..",
        "127.1",
        "0177.0.0.1",
        "2130706433",
        "0x7f.1",
        "%6cocalhost",
        "１２７.0.0.1",
        "[fe80::1%25eth0]",
    ],
)
def test_every_other_host_needs_https(host):
    assert not is_loopback(host)
    assert trouble_with(f"http://{host}/mcp") is not None


@pytest.mark.parametrize(
    "key",
    [
        "apikey",
        "api_key",
        "access_token",
        "signature",
        "X-Amz-Signature",
        "tokenizer",
        "authorization",
        "password",
        "client_secret",
    ],
)
def test_a_query_that_names_a_credential_is_refused(key):
    assert trouble_with(f"https://example.com/mcp?a=1&{key}=x") is not None


@pytest.mark.parametrize("key", ["key", "sig", "auth", "pass", "code", "session"])
def test_other_query_keys_pass(key):
    assert trouble_with(f"https://example.com/mcp?{key}=x") is None


@pytest.mark.parametrize(
    "url",
    [
        "https://u@example.com/",
        "https://u:p@example.com/",
        "ftp://example.com",
        "https://",
        "example.com",
        "https://a b/",
        "https://a\\b/",
        "https://127.1/",
        "https://bücher.example/",
    ],
)
def test_unclear_urls_are_refused(url):
    assert trouble_with(url) is not None


STDIO = {"transport": "stdio", "command": "x"}
HTTP = {"transport": "streamable-http", "url": "https://example.com/mcp"}
OAUTH = {"enabled": True, "client_id": {"env": "A"}, "client_secret": {"env": "B"}}


def parsed(**servers):
    return McpSettings.model_validate({"servers": servers})


@pytest.mark.parametrize(
    "server",
    [
        {**STDIO, "url": "https://example.com"},
        {**STDIO, "headers": {"A": {"env": "B"}}},
        {**STDIO, "oauth": OAUTH},
        {**STDIO, "unknown": 1},
        {**STDIO, "env": {"TOKEN": "ghp_x"}},
        {**STDIO, "env": {"TOKEN": {"env": "X", "value": "y"}}},
        {**STDIO, "env": {"1X": {"env": "X"}}},
        {**STDIO, "env": {"X": {"env": "1X"}}},
        {**STDIO, "args": "a,b"},
        {**STDIO, "args": [""]},
        {**STDIO, "args": ["--password", "x"]},
        {**STDIO, "command": " "},
        {**STDIO, "enabled": "yes"},
        {**STDIO, "timeout_ms": 99},
        {**STDIO, "timeout_ms": True},
        {**STDIO, "allowed_tools": ["a", "a"]},
        {**STDIO, "allowed_tools": ["a"], "deny_tools": ["a"]},
        {**STDIO, "allowed_resources": ["a"], "deny_resources": ["a"]},
        {**STDIO, "risk_policy": "write"},
        {"transport": "stdio"},
        {"transport": "http", "url": "https://example.com"},
        {"transport": "streamable-http"},
        {**HTTP, "command": "x"},
        {**HTTP, "args": ["x"]},
        {**HTTP, "env": {"A": {"env": "B"}}},
        {**HTTP, "headers": {"a b": {"env": "B"}}},
        {**HTTP, "headers": {"A": {"env": "B"}, "a": {"env": "B"}}},
        {**HTTP, "oauth": OAUTH, "headers": {"authorization": {"env": "B"}}},
        {**HTTP, "oauth": {"enabled": True}},
        {**HTTP, "url": "http://192.168.1.2/"},
    ],
)
def test_a_definition_that_needs_a_guess_is_refused(server):
    with pytest.raises(ValidationError):
        parsed(a=server)


@pytest.mark.parametrize(
    "servers",
    [
        {"a": STDIO, "A": STDIO},
        {"a": STDIO, "b": {**STDIO, "name": "A"}},
        {"a": {**STDIO, "name": "x"}, "b": {**STDIO, "name": "X"}},
        {"deepseekeyes": STDIO},
        {"a b": STDIO},
        {"x" * 33: STDIO},
        {"": STDIO},
    ],
)
def test_ids_and_names_are_plain_and_distinct(servers):
    with pytest.raises(ValidationError):
        parsed(**servers)


def test_empty_fields_of_the_other_transport_and_glob_overlap_are_tolerated():
    server = {**STDIO, "headers": {}, "oauth": {"enabled": False}, "allowed_tools": ["a*"], "deny_tools": ["ab"]}
    assert parsed(a=server, b={**HTTP, "args": [], "env": {}, "oauth": OAUTH}).servers["a"].deny_tools == ("ab",)


@pytest.mark.parametrize(
    ("change", "reconnects"),
    [
        ({"name": "N"}, False),
        ({"allowed_tools": ["x"]}, False),
        ({"deny_prompts": ["x"]}, False),
        ({"risk_policy": "read-only"}, False),
        ({"command": "y"}, True),
        ({"args": ["y"]}, True),
        ({"env": {"A": {"env": "B"}}}, True),
        ({"timeout_ms": 500}, True),
        ({"tools_enabled": False}, True),
    ],
)
def test_only_what_needs_a_new_connection_changes_the_fingerprint(change, reconnects):
    before, after = (parsed(a=each).servers["a"].fingerprint() for each in (STDIO, {**STDIO, **change}))
    assert (before != after) is reconnects


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("max_tools", -1),
        ("max_tools", 1001),
        ("max_tools", True),
        ("max_tools", "5"),
        ("max_schema_tokens", 255),
        ("max_result_chars", 0),
        ("max_external_calls_per_run", 10_001),
        ("tool_call_timeout_ms", 99),
        ("artifact_dir", True),
        ("artifact_dir", " "),
        ("servers", []),
    ],
)
def test_settings_out_of_range_are_refused(field, value):
    with pytest.raises(ValidationError):
        McpSettings.model_validate({field: value})


def test_the_defaults_expose_nothing():
    section = McpSettings()
    assert (section.enabled, section.servers, section.max_tools, section.max_schema_tokens) == (False, {}, 16, 12_000)
    assert parsed(a=STDIO).servers["a"].allowed_tools == ()
