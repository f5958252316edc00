"""Servers that lead a client astray: each quirk ends in its code, and the secret goes nowhere."""

from __future__ import annotations

import json
import logging
from urllib.parse import quote_plus

import pytest
from authorization_server import CLIENT_SECRET, OAUTH, PATH_FORM, ROOT_FORM
from signing_in import outcome

from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp import test as testing
from deepseekeyes.mcp.servers import ServersRequest, servers

pytestmark = pytest.mark.service


def test_the_configured_issuer_is_the_only_one_that_gets_the_secret(signed):
    made = signed(issuers=("http://127.0.0.1:9/evil",))
    made = signed(oauth={"issuer": made.server.origin})
    error = made.call()
    assert (error.code.name, error.exit_code) == ("MCP_OAUTH_ISSUER_MISMATCH", 4)
    assert made.server.token_requests() == []
    made = signed(issuers=("http://127.0.0.1:9/evil", made.server.origin), oauth={"issuer": made.server.origin})
    assert made.call().preview == "hello"


def test_a_configured_issuer_serves_where_no_resource_metadata_does(signed):
    made = signed(resource_at=(), issuer_path="/tenant")
    made = signed(oauth={"issuer": made.server.issuer})
    assert made.call().preview == "hello"


@pytest.mark.parametrize(
    ("quirks", "code", "exit_code"),
    [
        ({"grants": ("authorization_code",)}, "MCP_OAUTH_INTERACTIVE_UNSUPPORTED", 4),
        ({"methods": ("private_key_jwt", "none")}, "MCP_OAUTH_METHOD_UNSUPPORTED", 4),
        ({"resource": "https://elsewhere.example/mcp", "authority_at": ()}, "MCP_OAUTH_DISCOVERY_FAILED", 4),
        ({"issuers": ()}, "MCP_OAUTH_DISCOVERY_FAILED", 4),
        ({"issuers": ("ftp://127.0.0.1/",)}, "MCP_OAUTH_DISCOVERY_FAILED", 4),
        ({"issuers": ("http://example.com",)}, "MCP_OAUTH_DISCOVERY_FAILED", 4),
        ({"issuers": ("http://127.0.0.1:9",)}, "MCP_OAUTH_UNAVAILABLE", 5),
        ({"answers": {PATH_FORM: (500, "text/plain", b"", {})}}, "MCP_OAUTH_UNAVAILABLE", 5),
        ({"answers": {OAUTH: (200, "application/json", b"[" * 100_000, {})}}, "MCP_OAUTH_DISCOVERY_FAILED", 4),
        ({"packed": True}, "MCP_OAUTH_DISCOVERY_FAILED", 4),
        ({"padding": 300_000}, "MCP_OAUTH_DISCOVERY_FAILED", 4),
        ({"token_answer": (200, b"not json")}, "MCP_OAUTH_TOKEN_INVALID", 6),
        ({"token_answer": (200, b"{}")}, "MCP_OAUTH_TOKEN_INVALID", 6),
        ({"token_answer": (200, b'{"access_token":"a\\r\\nb"}')}, "MCP_OAUTH_TOKEN_INVALID", 6),
        ({"token_type": "DPoP"}, "MCP_OAUTH_TOKEN_INVALID", 6),
        ({"token_answer": (400, b'{"error":"invalid_scope"}')}, "MCP_OAUTH_SCOPE_REFUSED", 4),
        ({"token_answer": (400, b'{"error":"invalid_target"}')}, "MCP_OAUTH_FAILED", 4),
        ({"token_answer": (400, b'{"error":"unsupported_grant_type"}')}, "MCP_OAUTH_INTERACTIVE_UNSUPPORTED", 4),
        ({"token_answer": (429, b"")}, "MCP_OAUTH_UNAVAILABLE", 5),
        ({"token_answer": (200, b"x" * 300_000)}, "MCP_OAUTH_FAILED", 4),
        ({"token_redirect": "http://127.0.0.1:9/steal"}, "MCP_OAUTH_FAILED", 4),
    ],
)
def test_a_quirk_ends_in_its_code(signed, quirks, code, exit_code):
    made = signed(**quirks)
    error = made.call()
    assert isinstance(error, EyesError), error
    assert (error.code.name, error.exit_code) == (code, exit_code), error.message
    assert CLIENT_SECRET not in error.message


def test_a_redirect_of_a_document_is_followed_within_its_origin_only(signed):
    made = signed(answers={PATH_FORM: (302, "text/plain", b"", {"location": "/meta"})}, resource_at=("/meta",))
    assert made.call().preview == "hello"
    elsewhere = {PATH_FORM: (302, "text/plain", b"", {"location": "http://localhost:9/meta"})}
    made = signed(answers=elsewhere, resource_at=(ROOT_FORM,))
    assert made.call().preview == "hello"
    first = made.sessions.health("web").trials[0]
    assert (first.status, first.problem) == (302, "a redirect to http://localhost:9/meta, not followed")


def test_a_change_of_credentials_asks_anew(signed, monkeypatch):
    made = signed()
    made.call()
    monkeypatch.setenv("THE_KEY", "another secret")
    assert made.call().code.name == "MCP_OAUTH_CLIENT_REJECTED"
    assert "credentials-invalidated" in made.events()


@pytest.mark.parametrize("echo", [False, True], ids=["welcomed", "refused"])
def test_nothing_secret_reaches_a_file_a_log_a_row_or_an_error(signed, caplog, echo):
    caplog.set_level(logging.DEBUG)
    made = signed(echo=echo)
    result = made.call()
    assert isinstance(result, EyesError) is echo
    told = [str(result), repr(result), caplog.text, json.dumps(made.rows), json.dumps(made.made.rows())]
    if echo:
        told += [result.message, result.hint, ErrorBody.of(result).model_dump_json()]
    told += [path.read_bytes().decode("utf-8", "replace") for path in made.made.home.rglob("*") if path.is_file()]
    [request] = made.server.token_requests()
    forms = [
        CLIENT_SECRET,
        quote_plus(CLIENT_SECRET),
        request.authorization.removeprefix("Basic "),
        *made.server.tokens(),
    ]
    assert [form for form in forms if any(form in text for text in told)] == []
    assert made.rows != []


def test_a_test_of_the_server_tells_how_signing_in_went(signed):
    made = signed(resource_at=(ROOT_FORM,))
    report = outcome(testing.test(testing.TestRequest(server="web"), made.deps))
    told = report.server.sign_in
    origin = made.server.origin
    assert report.ok
    assert (told.status, told.authenticated, told.issuer, told.error) == ("connected", True, origin, None)
    assert [(each.url, each.status) for each in told.attempts] == [
        (origin + PATH_FORM, 404),
        (origin + ROOT_FORM, 200),
        (origin + OAUTH, 200),
    ]
    made = signed(accepts=())
    report = outcome(testing.test(testing.TestRequest(server="web"), made.deps))
    told = report.server.sign_in
    assert (report.ok, told.status, told.authenticated) == (False, "error", False)
    assert told.error == report.error
    assert told.error.code == "MCP_OAUTH_CLIENT_REJECTED"


def test_a_listing_shows_who_signs_in_before_anyone_did(signed):
    made = signed()
    [item] = outcome(servers(ServersRequest(), made.deps)).items
    assert (item.sign_in.status, item.sign_in.authenticated) == ("idle", False)
    assert made.server.seen == []
