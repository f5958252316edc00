"""The pure rules of signing in: addresses, challenges, metadata, requests and answers."""

from __future__ import annotations

import base64
from urllib.parse import parse_qsl, unquote_plus

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from deepseekeyes.mcp.oauth_challenge import Challenge, read_challenge, scope_of
from deepseekeyes.mcp.oauth_metadata import (
    UnusableError,
    choose_issuer,
    choose_method,
    issuer_stands,
    read_authority,
    read_resource,
)
from deepseekeyes.mcp.oauth_token import Credentials, basic, read_grant, refusal, token_request
from deepseekeyes.mcp.oauth_urls import (
    authority_metadata_urls,
    covers,
    refusal_of,
    resource_metadata_urls,
    resource_of,
    same_issuer,
    shown,
)

words = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=40)
AUTHORITY = {"issuer": "https://a.example", "token_endpoint": "https://a.example/token"}


@pytest.mark.parametrize(
    ("server", "challenged", "urls"),
    [
        (
            "https://H.example/mcp",
            None,
            (
                "https://h.example/.well-known/oauth-protected-resource/mcp",
                "https://h.example/.well-known/oauth-protected-resource",
            ),
        ),
        ("https://h.example", None, ("https://h.example/.well-known/oauth-protected-resource",)),
        ("https://h.example/", None, ("https://h.example/.well-known/oauth-protected-resource",)),
        (
            "https://h.example/a/b?v=1",
            "https://x.example/m",
            (
                "https://x.example/m",
                "https://h.example/.well-known/oauth-protected-resource/a/b?v=1",
                "https://h.example/.well-known/oauth-protected-resource",
            ),
        ),
        (
            "https://h.example/mcp",
            "https://h.example/.well-known/oauth-protected-resource/mcp",
            (
                "https://h.example/.well-known/oauth-protected-resource/mcp",
                "https://h.example/.well-known/oauth-protected-resource",
            ),
        ),
    ],
    ids=["path", "bare", "root", "challenged", "challenged-twice"],
)
def test_resource_metadata_is_looked_for_at_the_challenge_then_with_and_without_path(server, challenged, urls):
    assert resource_metadata_urls(server, challenged) == urls


@pytest.mark.parametrize(
    ("issuer", "urls"),
    [
        (
            "https://a.example",
            (
                "https://a.example/.well-known/oauth-authorization-server",
                "https://a.example/.well-known/openid-configuration",
            ),
        ),
        (
            "https://a.example/t/1/",
            (
                "https://a.example/.well-known/oauth-authorization-server/t/1",
                "https://a.example/.well-known/openid-configuration/t/1",
                "https://a.example/t/1/.well-known/openid-configuration",
            ),
        ),
    ],
    ids=["root", "path"],
)
def test_authority_metadata_is_looked_for_before_and_behind_the_path(issuer, urls):
    assert authority_metadata_urls(issuer) == urls


@pytest.mark.parametrize(
    ("resource", "server", "expected"),
    [
        ("https://h.example/mcp", "https://h.example/mcp", True),
        ("https://h.example", "https://h.example/mcp", True),
        ("https://H.example:443/", "https://h.example/mcp", True),
        ("https://h.example/mcp/", "https://h.example/mcp", True),
        ("https://h.example/mc", "https://h.example/mcp", False),
        ("https://h.example/mcp/more", "https://h.example/mcp", False),
        ("http://h.example/mcp", "https://h.example/mcp", False),
        ("https://h.example:8443/mcp", "https://h.example/mcp", False),
        ("https://h.example.evil/mcp", "https://h.example/mcp", False),
        ("https://u@h.example/mcp", "https://h.example/mcp", False),
        ("https://h.example/mcp#x", "https://h.example/mcp", False),
        ("https://h.example/mcp?tenant=2", "https://h.example/mcp?tenant=1", False),
        ("https://h.example/mcp?tenant=1", "https://h.example/mcp?tenant=1", True),
        ("https://h.example:x/", "https://h.example/", False),
        ("urn:mcp", "https://h.example/mcp", False),
    ],
)
def test_a_resource_stands_for_a_server_at_or_below_it(resource, server, expected):
    assert covers(resource, server) is expected


def test_the_resource_of_a_server_is_its_url_without_fragment():
    assert resource_of("HTTPS://H.Example/Mcp?v=1#top") == "https://h.example/Mcp?v=1"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://a.example", "https://a.example", True),
        ("https://a.example/", "https://a.example", True),
        ("https://a.example/t", "https://a.example", False),
        ("https://a.example/t/", "https://a.example/t", False),
        ("https://A.example", "https://a.example", False),
        ("http://a.example", "https://a.example", False),
        ("https://a.example:443", "https://a.example", False),
    ],
)
def test_issuers_are_compared_as_text(one, other, same):
    assert same_issuer(one, other) is same
    assert same_issuer(other, one) is same
    assert issuer_stands(one, other, None) is same
    assert issuer_stands(one, other, one)
    assert choose_issuer((other,), one) == (other if same else None)


def test_the_first_advertised_issuer_serves_where_none_is_configured():
    assert choose_issuer(("b", "a"), None) == "b"
    assert choose_issuer((), None) is None


@pytest.mark.parametrize(
    ("url", "near", "usable"),
    [
        ("https://a.example/t", False, True),
        ("http://a.example/t", True, False),
        ("http://127.0.0.1/t", True, True),
        ("http://127.0.0.1/t", False, False),
        ("https://localhost/t", False, False),
        ("https://u:p@a.example/t", True, False),
        ("file:///etc/passwd", True, False),
        ("https://a.example/t?client_secret=x", True, False),
        ("//a.example/t", True, False),
    ],
)
def test_addresses_from_others_are_https_or_loopback_and_loopback_only_from_loopback(url, near, usable):
    assert (refusal_of(url, near=near) is None) is usable


@pytest.mark.parametrize(
    ("status", "headers", "challenge"),
    [
        (200, ["Bearer"], None),
        (401, [], Challenge(401)),
        (403, ["Bearer"], None),
        (403, ['Bearer error="insufficient_scope", scope="a  b"'], Challenge(403, None, "a b", "insufficient_scope")),
        (
            401,
            ['Bearer resource_metadata="https://h/m", error=invalid_token'],
            Challenge(401, "https://h/m", None, "invalid_token"),
        ),
        (401, ['Basic realm="scope=x"', 'bearer Scope="s"'], Challenge(401, None, "s")),
        (401, ['Bearer realm="a, resource_metadata=\\"evil\\"", scope=s'], Challenge(401, None, "s")),
        (401, ['DPoP resource_metadata="https://evil/"'], Challenge(401)),
        (401, ['Bearer scope="a", DPoP resource_metadata="https://evil/"'], Challenge(401, None, "a")),
        (401, ['Negotiate abc==, Bearer scope="a"'], Challenge(401, None, "a")),
        (401, ['Bearer x_scope="b"'], Challenge(401)),
        (401, ['Bearer scope="a\x07b"'], Challenge(401)),
        (401, ['Bearer scope="open'], Challenge(401)),
    ],
)
def test_the_bearer_challenge_is_read_and_nothing_else(status, headers, challenge):
    assert read_challenge(status, headers) == challenge


@settings(deadline=None)
@given(st.integers(400, 404), st.lists(st.text(max_size=200), max_size=4))
@example(401, ['"' * 9000, "a=" * 4000, "," * 8000])
def test_any_header_is_read(status, headers):
    found = read_challenge(status, headers)
    assert (found is None) or found.status in (401, 403)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_a_scope_that_is_read_fits_a_request(text):
    found = scope_of(text)
    assert found is None or (found == " ".join(found.split()) and found.isascii() and '"' not in found)


@settings(deadline=None)
@given(words, words)
@example("client:1", "a+b c/=&%")
def test_o07_the_basic_header_decodes_to_what_went_in(client_id, secret):
    header = basic(Credentials(client_id, secret))
    name, _, value = base64.b64decode(header.removeprefix("Basic ")).decode().partition(":")
    assert (unquote_plus(name), unquote_plus(value)) == (client_id, secret)
    assert header.isascii()


def test_o07_the_basic_header_is_form_encoded_first():
    assert base64.b64decode(basic(Credentials("a:b", "c+d e"))[6:]) == b"a%3Ab:c%2Bd+e"


@settings(deadline=None)
@given(words, words, st.none() | words, st.sampled_from(["client_secret_basic", "client_secret_post"]))
def test_o09_the_secret_travels_in_one_place_and_nothing_is_empty(client_id, secret, scope, method):
    headers, body = token_request(Credentials(client_id, secret), method, scope=scope, resource="https://h/mcp")
    form = dict(parse_qsl(body.decode(), keep_blank_values=True))
    expected = {"grant_type": "client_credentials", "resource": "https://h/mcp"}
    if scope is not None:
        expected["scope"] = scope
    if method == "client_secret_post":
        expected |= {"client_id": client_id, "client_secret": secret}
    assert form == expected
    assert ("Authorization" in headers) is (method == "client_secret_basic")


def test_an_absent_scope_is_left_out():
    _, body = token_request(Credentials("a", "b"), "client_secret_basic", scope="", resource="r")
    assert body == b"grant_type=client_credentials&resource=r"


@pytest.mark.parametrize(
    ("advertised", "configured", "method"),
    [
        (None, None, "client_secret_basic"),
        ((), None, None),
        (("none", "private_key_jwt"), None, None),
        (("client_secret_post",), None, "client_secret_post"),
        (("client_secret_post", "client_secret_basic"), None, "client_secret_basic"),
        (("client_secret_post",), "client_secret_basic", "client_secret_basic"),
        (None, "client_secret_post", "client_secret_post"),
    ],
)
def test_o11_the_method_is_the_configured_or_an_advertised_one(advertised, configured, method):
    assert choose_method(advertised, configured) == method


@pytest.mark.parametrize(
    "change",
    [
        {"issuer": None},
        {"issuer": ""},
        {"issuer": ["https://a.example"]},
        {"token_endpoint": None},
        {"token_endpoint": "/token"},
        {"token_endpoint": "http://a.example/token"},
        {"token_endpoint": "http://127.0.0.1/token"},
    ],
)
def test_authority_metadata_without_what_is_needed_is_unusable(change):
    assert read_authority(AUTHORITY, near=False).methods is None
    with pytest.raises(UnusableError):
        read_authority({**AUTHORITY, **change}, near=False)


@pytest.mark.parametrize("resource", [None, "", 7, "https://other.example/mcp"])
def test_resource_metadata_of_nobody_or_another_is_unusable(resource):
    with pytest.raises(UnusableError):
        read_resource({"resource": resource}, "https://h.example/mcp")


def test_odd_entries_of_resource_metadata_are_left_out():
    document = {"resource": "https://h/", "authorization_servers": [1, "", "https://a"], "scopes_supported": ["a", 2]}
    found = read_resource(document, "https://h/mcp")
    assert (found.issuers, found.scopes) == (("https://a",), "a")


@pytest.mark.parametrize(
    ("expires_in", "lifetime"),
    [
        (3600, 3600.0),
        ("3600", 3600.0),
        (0.0015, 0.001),
        (None, None),
        (0, None),
        (-1, None),
        (True, None),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        (float("inf"), None),
        (10**400, None),
        ([], None),
    ],
)
def test_a_lifetime_is_a_positive_finite_number_or_unknown(expires_in, lifetime):
    found = read_grant({"access_token": "t", "token_type": "bearer", "expires_in": expires_in, "refresh_token": "r"})
    assert (found.token, found.lifetime_s, found.scope) == ("t", lifetime, None)


@pytest.mark.parametrize(
    "change",
    [
        {"access_token": None},
        {"access_token": ""},
        {"access_token": 5},
        {"access_token": "a b"},
        {"access_token": "a\nb"},
        {"access_token": "ä"},
        {"access_token": "x" * 70_000},
        {"token_type": "mac"},
        {"token_type": 1},
    ],
)
def test_an_answer_without_a_token_that_a_header_can_carry_is_unusable(change):
    with pytest.raises(UnusableError):
        read_grant({"access_token": "t", **change})


def test_only_registered_error_words_are_repeated():
    credentials = Credentials("id", "a long secret")
    assert refusal({"error": "invalid_scope", "error_description": "no such scope."}, credentials) == (
        "invalid_scope",
        "invalid_scope: no such scope",
    )
    assert refusal({"error": "<script>"}, credentials) == (None, "an error of its own")
    assert refusal(None, credentials) == (None, "")
    assert refusal({"error": "invalid_client", "error_description": "abc"}, Credentials("id", "abc")) == (
        "invalid_client",
        "invalid_client",
    )


@settings(deadline=None)
@given(st.text(max_size=300))
def test_a_shown_address_has_no_query_and_no_user(text):
    found = shown(f"https://user:pass@h.example/{text}?token=verysecret#verysecret")
    assert "verysecret" not in found or "verysecret" in text
    assert "pass@" not in found or "pass@" in text
    assert len(found) <= 200
