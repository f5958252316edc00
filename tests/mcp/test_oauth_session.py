"""One session: one sign-in however many wait, renewal by the clock, failures remembered for a moment, and no leaks."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from base64 import b64encode
from datetime import UTC, datetime
from itertools import count
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from laws import examples

from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.core import secrets as core_secrets
from deepseekeyes.core.clock import Clock
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.oauth_challenge import Challenge, read_challenge
from deepseekeyes.mcp.oauth_discovery import Reply
from deepseekeyes.mcp.oauth_session import OAuthSession
from deepseekeyes.mcp.oauth_token import Credentials
from deepseekeyes.mcp.settings import McpSettings

pytestmark = pytest.mark.service

HOME = "https://h.example"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def answer(value, status=200):
    return Reply(status, json.dumps(value).encode(), None if status == 200 else f"HTTP status {status}")


class Fake:
    """An exchange from a table; `gate` holds the token endpoint until it is set."""

    def __init__(self, **answers):
        self.answers = answers
        self.asked = []
        self.gate = None
        self.numbers = count(1)

    async def get(self, url):
        self.asked.append(url)
        if "protected-resource" in url:
            return self.answers.get("resource") or answer({"resource": f"{HOME}/mcp", "authorization_servers": [HOME]})
        return self.answers.get("authority") or answer({"issuer": HOME, "token_endpoint": f"{HOME}/token"})

    async def post(self, url, headers, body):
        self.asked.append(url)
        if self.gate is not None:
            await self.gate.wait()
        usual = {"access_token": f"token-{next(self.numbers)}", "expires_in": self.answers.get("expires_in", 100)}
        return self.answers.get("token") or answer(usual)

    def tokens(self):
        return self.asked.count(f"{HOME}/token")


class Case:
    def __init__(self, exchange=None, *, secret="a long secret", oauth=None, **limits):
        self.time = 0.0
        self.rows = []
        self.exchange = exchange or Fake()
        block = {"enabled": True, "client_id": {"env": "A"}, "client_secret": {"env": "B"}, **(oauth or {})}
        server = ServerSettings.model_validate(
            {"transport": "streamable-http", "url": f"{HOME}/mcp", "oauth": block}, strict=False
        )
        clock = Clock(now=lambda: NOW, monotonic=lambda: self.time, new_id=lambda: "id")
        self.session = OAuthSession(
            "web",
            server,
            Credentials("the-client", secret),
            self.exchange,
            McpSettings.model_validate(limits),
            clock,
            self.rows.append,
        )


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch):
    """Secrets of these tests are forgotten after each."""
    monkeypatch.setattr(core_secrets, "_revealed", {})


def test_however_many_wait_there_is_one_sign_in():
    case = Case()

    async def many():
        case.exchange.gate = asyncio.Event()
        waiting = [asyncio.create_task(case.session.renewed(None, Challenge(401))) for _ in range(20)]
        while case.exchange.tokens() == 0:
            await asyncio.sleep(0)
        case.exchange.gate.set()
        return await asyncio.gather(*waiting)

    assert asyncio.run(many()) == ["token-1"] * 20
    assert case.exchange.tokens() == 1


def test_a_caller_that_gives_up_does_not_take_the_others_with_it():
    case = Case()

    async def some():
        case.exchange.gate = asyncio.Event()
        first, second = (asyncio.create_task(case.session.renewed(None, Challenge(401))) for _ in range(2))
        while case.exchange.tokens() == 0:
            await asyncio.sleep(0)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        case.exchange.gate.set()
        return first.cancelled(), await second

    assert asyncio.run(some()) == (True, "token-1")
    assert case.exchange.tokens() == 1


@pytest.mark.parametrize(
    ("lifetime", "still_good", "renewed"),
    [(3600, 3569.9, 3570.1), (100, 89.9, 90.1), (1, 0.89, 0.91)],
)
def test_a_token_is_renewed_a_little_before_it_is_over(lifetime, still_good, renewed):
    case = Case(Fake(expires_in=lifetime))

    async def walk():
        found = [await case.session.current(), await case.session.renewed(None, Challenge(401))]
        for moment in (still_good, renewed):
            case.time = moment
            found.append(await case.session.current())
        return found

    assert asyncio.run(walk()) == [None, "token-1", "token-1", "token-2"]
    assert [row["event"] for row in case.rows] == [
        "discovery-cached",
        "token-acquired",
        "token-expired",
        "token-acquired",
    ]


def test_a_token_without_a_lifetime_lasts_until_it_is_refused():
    case = Case(Fake(expires_in=None))

    async def walk():
        await case.session.renewed(None, Challenge(401))
        case.time = 1e9
        return await case.session.current(), await case.session.renewed("token-1", Challenge(401))

    assert asyncio.run(walk()) == ("token-1", "token-2")


def test_who_comes_late_with_the_old_token_gets_the_new_one():
    case = Case()

    async def walk():
        await case.session.renewed(None, Challenge(401))
        await case.session.renewed("token-1", Challenge(401))
        return await case.session.renewed("token-1", Challenge(401))

    assert asyncio.run(walk()) == "token-2"
    assert case.exchange.tokens() == 2


def test_a_failure_is_remembered_for_two_seconds_and_discovery_is_done_again_after_it():
    case = Case(Fake(token=answer({"error": "invalid_client"}, 401)))

    async def attempt():
        try:
            return await case.session.renewed(None, Challenge(401))
        except EyesError as error:
            return error.code.name

    async def walk():
        found = [await attempt(), await attempt()]
        before = len(case.exchange.asked)
        case.time = 2.1
        del case.exchange.answers["token"]
        found.append(await attempt())
        return found, case.exchange.asked[before:]

    found, asked = asyncio.run(walk())
    assert found == ["MCP_OAUTH_CLIENT_REJECTED", "MCP_OAUTH_CLIENT_REJECTED", "token-2"]
    assert len(asked) == 3


def test_a_sign_in_that_hangs_ends_with_the_limit_and_its_setting():
    case = Case(oauth_timeout_ms=500)

    async def walk():
        case.exchange.gate = asyncio.Event()
        await case.session.renewed(None, Challenge(401))

    with pytest.raises(EyesError) as caught:
        asyncio.run(walk())
    assert caught.value.code.name == "MCP_OAUTH_UNAVAILABLE"
    assert caught.value.details["limit"] == {"name": "sign-in", "value": 500, "setting": "mcp.oauth_timeout_ms"}


def test_health_says_how_things_stand():
    case = Case()
    assert (case.session.health().state, case.session.health().authenticated) == ("idle", False)

    async def walk():
        token = await case.session.renewed(None, Challenge(401))
        acquired = case.session.health()
        case.session.welcomed(token)
        welcomed = case.session.health()
        case.time = 101
        return acquired, welcomed, case.session.health()

    acquired, welcomed, over = asyncio.run(walk())
    assert (acquired.state, acquired.authenticated, acquired.expires_at) == (
        "authenticated",
        True,
        "2026-01-01T00:01:40.000Z",
    )
    assert (welcomed.state, welcomed.authenticated) == ("connected", True)
    assert (over.state, over.authenticated) == ("expired", False)


# What a hostile server may do with a secret it was sent: repeat it, anywhere, in any usual spelling.
secrets = st.text(
    st.characters(min_codepoint=33, max_codepoint=0x24F, exclude_characters="\x7f"), min_size=6, max_size=30
).map(lambda text: f"Zq{text}7")
spelled = st.sampled_from(
    [
        str,
        quote_plus,
        lambda text: quote(text, safe=""),
        lambda text: json.dumps(text)[1:-1],
        lambda text: b64encode(f"the-client:{quote_plus(text)}".encode()).decode(),
    ]
)
places = st.sampled_from(
    [
        "resource",
        "issuer",
        "other_issuer",
        "endpoint",
        "scopes",
        "grants",
        "methods",
        "error",
        "description",
        "token_type",
        "scope",
    ]
)


def told(place, echo):
    """Replies that repeat `echo` in one place."""
    resource = {"resource": f"{HOME}/mcp", "authorization_servers": [HOME]}
    authority = {"issuer": HOME, "token_endpoint": f"{HOME}/token"}
    token = {"access_token": "t"}
    status = 200
    match place:
        case "resource":
            resource["resource"] = f"https://{echo}.example/{echo}?{echo}"
        case "issuer":
            resource["authorization_servers"] = [f"{HOME}/{echo}"]
        case "other_issuer":
            authority["issuer"] = f"{HOME}/{echo}"
        case "endpoint":
            authority["token_endpoint"] = f"http://elsewhere.example/{echo}"
        case "scopes":
            resource["scopes_supported"] = [echo]
        case "grants":
            authority["grant_types_supported"] = [echo]
        case "methods":
            authority["token_endpoint_auth_methods_supported"] = [echo]
        case "token_type":
            token["token_type"] = echo
        case "scope":
            token["scope"] = echo
        case _:
            token = {"error": "invalid_request", "error_description": "x"}
            token["error" if place == "error" else "error_description"] = f"because of {echo} and {echo}."
            status = 400
    return Fake(resource=answer(resource), authority=answer(authority), token=answer(token, status))


@examples(150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(secret=secrets, spell=spelled, place=places)
def test_no_secret_is_in_anything_that_is_told(secret, spell, place, caplog):
    echo = spell(secret)
    caplog.clear()
    core_secrets._revealed.clear()
    caplog.set_level(logging.DEBUG)
    case = Case(told(place, echo), secret=secret)

    async def walk():
        try:
            await case.session.renewed(None, Challenge(401))
        except EyesError as error:
            return error
        challenge = read_challenge(403, [f'Bearer error="insufficient_scope", scope="{echo}"']) or Challenge(403)
        return case.session.refused(case.session.last() or "", challenge)

    error = asyncio.run(walk())
    emitted = "\n".join(
        [
            error.message,
            error.hint,
            ErrorBody.of(error).model_dump_json(),
            "".join(traceback.format_exception(error)),
            repr(error),
            json.dumps(case.rows),
            repr(case.session.health()),
            repr(case.session._held),
            repr(case.session._credentials),
            caplog.text,
        ]
    )
    for spelling in {
        secret,
        quote_plus(secret),
        quote(secret, safe=""),
        b64encode(f"the-client:{quote_plus(secret)}".encode()).decode(),
    }:
        assert spelling not in emitted


def test_a_token_is_no_more_told_than_a_secret():
    case = Case(Fake(token=answer({"access_token": "Zq-the-issued-token", "expires_in": 5})))

    async def walk():
        token = await case.session.renewed(None, Challenge(401))
        challenge = read_challenge(401, [f'Bearer error="{token}", scope="{token}"'])
        return case.session.refused(token, challenge)

    error = asyncio.run(walk())
    emitted = error.message + error.hint + repr(error.details) + json.dumps(case.rows) + repr(case.session.health())
    assert "Zq-the-issued-token" not in emitted


def test_a_changed_configuration_takes_the_new_limits_and_keeps_who_is_signed_in_and_warns_once(monkeypatch):
    from deepseekeyes.mcp.adapters.connect import SdkConnector
    from deepseekeyes.mcp.adapters.oauth import OAuthSessions
    from deepseekeyes.mcp.settings import McpSettings

    monkeypatch.setenv("ID", "client")
    monkeypatch.setenv("SECRET", "a-long-enough-secret")
    oauth = {"enabled": True, "client_id": {"env": "ID"}, "client_secret": {"env": "SECRET"}}
    server = {"transport": "streamable-http", "url": "https://a.example/mcp", "oauth": oauth}
    said: list[str] = []

    def opened(servers, **fields):
        settings = McpSettings.model_validate({"servers": servers, **fields})
        return settings, OAuthSessions(settings, note=said.append)

    settings, old = opened({"a": server, "b": server})
    for server_id in ("a", "b", "a"):
        assert old(server_id, settings.servers[server_id]) is not None
    settings, new = opened({"a": server}, oauth_timeout_ms=1234)
    SdkConnector(settings, new).inherit(SdkConnector(settings, old))
    assert (new.health("a"), new.health("b")) == (old.health("a"), None)
    assert new("a", settings.servers["a"]) is not None
    session = new._sessions["a"][1]
    assert session is old._sessions["a"][1]
    assert session._settings.oauth_timeout_ms == 1234
    assert [sentence.split(".oauth.issuer")[0].split()[-1] for sentence in said] == ["mcp.servers.a", "mcp.servers.b"]
