"""Signing in over real loopback HTTP: a guarded MCP server and its authorization server."""

from __future__ import annotations

import asyncio

import pytest
from authorization_server import OAUTH, OPENID, PATH_FORM, ROOT_FORM
from signing_in import CALL, outcome

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.call import call
from deepseekeyes.mcp.read import ReadRequest, read

pytestmark = pytest.mark.service


def test_a_call_signs_in_once_and_carries_the_token(signed):
    made = signed()
    assert made.call().preview == "hello"
    [request] = made.server.token_requests()
    assert request.form == {"grant_type": "client_credentials", "resource": made.server.url}
    assert made.server.paths() == [PATH_FORM, OAUTH]
    assert made.events() == ["discovery-cached", "token-acquired", "connected"]
    health = made.sessions.health("web")
    assert (health.state, health.authenticated, health.issuer) == ("connected", True, made.server.issuer)


def test_both_planes_share_one_sign_in(signed):
    made = signed(server={"resources_enabled": True})
    assert made.call().preview == "hello"
    assert outcome(read(ReadRequest(server="web", uri="note://one"), made.deps)).preview.endswith("a note")
    assert len(made.server.token_requests()) == 1
    assert made.server.paths() == [PATH_FORM, OAUTH]


@pytest.mark.parametrize(
    ("missing", "name"), [("THE_ID", "oauth.client_id"), ("THE_KEY", "oauth.client_secret")], ids=["id", "secret"]
)
@pytest.mark.parametrize("value", [None, "", "  "], ids=["unset", "empty", "blank"])
def test_o07_a_missing_credential_is_an_error_before_anything_is_sent(signed, monkeypatch, missing, name, value):
    if value is None:
        monkeypatch.delenv(missing)
    else:
        monkeypatch.setenv(missing, value)
    made = signed()
    error = made.call()
    assert (error.code.name, error.exit_code) == ("MCP_OAUTH_CREDENTIAL_MISSING", 4)
    assert name in error.message
    assert missing in error.message
    assert made.server.seen == []


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_o07_a_colon_in_the_id_and_odd_letters_in_the_secret_survive(signed, method):
    """The fixture decodes strictly, and its id and secret hold a colon, a plus, a percent sign and blanks."""
    made = signed(methods=(method,), accepts=(method,))
    assert made.call().preview == "hello"
    [request] = made.server.token_requests()
    in_body = "client_secret" in request.form
    assert (in_body, request.authorization is None) == (
        (True, True) if method == "client_secret_post" else (False, False)
    )


def test_o09_nothing_is_ever_sent_empty(signed):
    made = signed()
    made.call()
    assert "" not in made.server.token_requests()[0].form.values()
    assert "scope" not in made.server.token_requests()[0].form


def test_o01_an_issuer_that_lost_its_path_is_refused_with_both_names_and_the_rule(signed):
    made = signed(issuer_path="/tenant")
    made.server.quirks.issuer_claim = made.server.origin
    error = made.call()
    assert (error.code.name, error.exit_code) == ("MCP_OAUTH_ISSUER_MISMATCH", 4)
    assert f'"{made.server.origin}"' in error.message
    assert f'"{made.server.origin}/tenant"' in error.message
    assert "RFC 8414" in error.message
    assert f'accept_issuer = "{made.server.origin}" under [mcp.servers.web.oauth]' in error.hint
    assert made.server.token_requests() == []


def test_o01_the_exception_is_one_name_for_one_server(signed):
    made = signed(issuer_path="/tenant")
    made.server.quirks.issuer_claim = made.server.origin
    made = signed(oauth={"accept_issuer": made.server.origin})
    assert made.call().preview == "hello"
    made = signed(oauth={"accept_issuer": f"{made.server.origin}/other"})
    assert made.call().code.name == "MCP_OAUTH_ISSUER_MISMATCH"


def test_o03_resource_metadata_at_the_root_form_is_found_after_the_path_form(signed):
    made = signed(resource_at=(ROOT_FORM,))
    assert made.call().preview == "hello"
    tried = [(trial.url, trial.status) for trial in made.sessions.health("web").trials]
    origin = made.server.origin
    assert tried == [(origin + PATH_FORM, 404), (origin + ROOT_FORM, 200), (origin + OAUTH, 200)]


def test_o05_every_address_that_failed_is_named_with_its_status(signed):
    made = signed(
        challenge={"resource_metadata": "{origin}/nowhere"},
        resource_at=(),
        authority_at=(),
        answers={PATH_FORM: (401, "text/plain", b"no", {})},
    )
    error = made.call()
    assert (error.code.name, error.exit_code) == ("MCP_OAUTH_DISCOVERY_FAILED", 4)
    origin = made.server.origin
    tried = [(each["url"], each["status"]) for each in error.details["attempts"]]
    assert tried == [
        (f"{origin}/nowhere", 404),
        (origin + PATH_FORM, 401),
        (origin + ROOT_FORM, 404),
        (origin + OAUTH, 404),
        (origin + OPENID, 404),
    ]
    assert all(f"{url} -> {status}" in error.message for url, status in tried)
    assert made.server.token_requests() == []


def test_the_address_of_the_challenge_comes_first(signed):
    made = signed(challenge={"resource_metadata": "{origin}/meta"}, resource_at=("/meta",))
    assert made.call().preview == "hello"
    assert made.server.paths() == ["/meta", OAUTH]


def test_a_server_without_resource_metadata_is_its_own_issuer(signed):
    made = signed(resource_at=())
    assert made.call().preview == "hello"
    assert made.server.token_requests()[0].form["resource"] == made.server.url


@pytest.mark.parametrize(
    "place",
    [f"{OAUTH}/tenant", f"{OPENID}/tenant", f"/tenant{OPENID}"],
    ids=["oauth", "openid-before", "openid-behind"],
)
def test_an_issuer_with_a_path_is_found_in_each_of_its_three_places(signed, place):
    made = signed(issuer_path="/tenant", authority_at=(place,))
    assert made.call().preview == "hello"


def test_o11_the_method_is_chosen_from_the_advertised_ones(signed):
    made = signed(methods=("private_key_jwt", "client_secret_post"), accepts=("client_secret_post",))
    assert made.call().preview == "hello"


def test_o11_a_refused_client_is_told_to_try_the_other_method(signed):
    made = signed(accepts=("client_secret_post",))
    error = made.call()
    assert (error.code.name, error.exit_code) == ("MCP_OAUTH_CLIENT_REJECTED", 4)
    assert 'auth_method = "client_secret_post" under [mcp.servers.web.oauth]' in error.hint
    assert made.server.token_requests()[0].authorization is not None
    made = signed(oauth={"auth_method": "client_secret_post"}, accepts=("client_secret_post",))
    assert made.call().preview == "hello"


def test_a_refused_client_is_asked_about_once(signed):
    made = signed(accepts=("client_secret_post",))
    made.call()
    assert len(made.server.token_requests()) == 1
    assert made.events() == ["discovery-cached", "credentials-invalidated"]
    assert made.rows[-1]["error"]["code"] == "MCP_OAUTH_CLIENT_REJECTED"
    assert made.rows[-1]["status"] == "error"


@pytest.mark.parametrize(
    ("quirks", "oauth", "scope"),
    [
        ({}, {"scope": "mcp:read  mcp:write"}, "mcp:read  mcp:write"),
        ({"scopes": ("a", "b")}, {"scope": "mcp:read"}, "mcp:read"),
        ({"scopes": ("a", "b")}, {}, "a b"),
        ({"scopes": ("a", "b"), "challenge": {"scope": "c"}}, {}, "c"),
        ({"scopes": ("a",), "challenge": {"scope": "c"}}, {"scope": "mcp:read"}, "mcp:read"),
    ],
    ids=["kept", "kept-over-advertised", "advertised", "challenged", "kept-over-challenged"],
)
def test_the_configured_scope_is_kept(signed, quirks, oauth, scope):
    made = signed(oauth=oauth, **quirks)
    assert made.call().preview == "hello"
    assert made.server.token_requests()[0].form["scope"] == scope


def test_a_scope_that_turns_out_too_small_is_widened_where_none_is_configured(signed):
    made = signed(scopes=("a",), needs_scope="b")
    assert made.call().preview == "hello"
    assert [each.form["scope"] for each in made.server.token_requests()] == ["a", "a b"]


def test_a_configured_scope_that_is_too_small_is_an_error(signed):
    made = signed(oauth={"scope": "a"}, needs_scope="b")
    error = made.call()
    assert (error.code.name, error.exit_code) == ("MCP_OAUTH_SCOPE_REFUSED", 4)
    assert len(made.server.token_requests()) == 1


def test_a_token_is_renewed_on_expiry_before_it_is_sent(signed):
    made = signed(expires_in=100)
    assert made.call().preview == "hello"
    made.late_s = 95
    before = len(made.server.seen)
    assert made.call().preview == "hello"
    assert len(made.server.token_requests()) == 2
    assert made.server.seen[before].path == "/token"
    assert made.server.paths() == [PATH_FORM, OAUTH]
    assert "token-expired" in made.events()


def test_a_revoked_token_is_replaced_and_the_call_made_once(signed):
    made = signed()
    made.call()
    made.server.revoke()
    assert made.call().preview == "hello"
    assert len(made.server.token_requests()) == 2
    assert "token-invalid" in made.events()


def test_calls_at_once_are_not_serialised_and_a_revoked_token_is_renewed_once(signed):
    made = signed(keep_open=True)

    async def many():
        await call(CALL, made.deps)
        made.server.revoke()
        made.server.quirks.together = 4
        results = await asyncio.gather(*(call(CALL, made.deps) for _ in range(4)))
        await made.deps.upstreams.aclose()
        return [result.preview for result in results]

    assert asyncio.run(many()) == ["together"] * 4
    assert len(made.server.token_requests()) == 2


def test_a_token_that_is_refused_at_once_is_not_asked_for_again_and_again(signed):
    made = signed(wrong_audience=True)
    error = made.call()
    assert (error.code.name, error.exit_code) == ("MCP_OAUTH_TOKEN_REJECTED", 4)
    assert len(made.server.token_requests()) == 1


def test_a_failed_renewal_in_a_call_is_its_own_error_and_costs_no_quota(signed):
    made = signed(keep_open=True, section={"max_external_calls_per_run": 2})

    async def twice():
        await call(CALL, made.deps)
        made.server.revoke()
        made.server.quirks.token_answer = (503, b"{}")
        codes = []
        for _ in range(3):
            try:
                await call(CALL, made.deps)
            except EyesError as error:
                codes.append((error.code.name, error.details["dispatched"]))
        made.server.quirks.token_answer = None
        made.late_s = 5
        last = (await call(CALL, made.deps)).preview
        await made.deps.upstreams.aclose()
        return codes, last

    codes, last = asyncio.run(twice())
    assert codes == [("MCP_OAUTH_UNAVAILABLE", "no")] * 3
    assert last == "hello"
    assert len(made.server.token_requests()) == 3


def test_a_refusal_with_a_json_rpc_error_inside_is_still_a_refusal(signed):
    made = signed(json_refusal=True, accepts=())
    assert made.call().code.name == "MCP_OAUTH_CLIENT_REJECTED"
