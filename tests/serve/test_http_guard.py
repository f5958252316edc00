"""Who may speak over HTTP."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.serve.http_guard import Guard, checked_token, is_loopback

TOKEN = "0123456789abcdef"


def ask(
    headers: dict[str, str], *, method: str = "POST", host: str = "127.0.0.1", token: str | None = None, **more: Any
) -> tuple[int, dict[str, str], bytes]:
    """One request through the guard: status, headers, body. An application that was reached answers 200."""
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"reached"})

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    guard = Guard(app, host=host, token=token, max_bytes=100, **more)
    scope = {
        "type": "http",
        "method": method,
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers.items()],
    }
    asyncio.run(guard(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, sent[1]["body"]


LOCAL = {"host": "127.0.0.1:8766"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (LOCAL, 200),
        ({"host": "localhost"}, 200),
        ({"host": "[::1]:9"}, 200),
        ({}, 421),
        ({"host": ""}, 421),
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1.evil.example:8766"}, 421),
        ({"host": "localhost:80@evil.example"}, 421),
        ({"host": "evil.example/localhost"}, 421),
        ({**LOCAL, "origin": "http://127.0.0.1:8766"}, 200),
        ({**LOCAL, "origin": "http://localhost:3000"}, 403),
        ({**LOCAL, "origin": "null"}, 403),
        ({**LOCAL, "origin": "http://evil.example"}, 403),
        ({**LOCAL, "origin": "http://127.0.0.1:8766.evil.example"}, 403),
        ({**LOCAL, "content-length": "101"}, 413),
        ({**LOCAL, "content-length": "-1"}, 413),
        ({**LOCAL, "content-length": "100"}, 200),
    ],
)
def test_names_origins_and_sizes_on_loopback(headers: dict[str, str], status: int) -> None:
    assert ask(headers)[0] == status


@pytest.mark.parametrize(
    ("shown", "status"),
    [
        (None, 401),
        (f"Bearer {TOKEN}", 200),
        (f"bearer {TOKEN}", 200),
        ("Bearer ", 401),
        (f"Basic {TOKEN}", 401),
        (f"Bearer {TOKEN}x", 401),
        ("Bearer \xe9", 401),
    ],
)
def test_a_token_is_needed_where_one_is_set(shown: str | None, status: int) -> None:
    headers = {**LOCAL, **({"authorization": shown} if shown is not None else {})}
    found, answered, _ = ask(headers, token=TOKEN)
    assert found == status
    assert (found == 401) == ("www-authenticate" in answered)


def test_beyond_loopback_any_host_name_will_do_but_never_a_foreign_origin() -> None:
    shown = {"authorization": f"Bearer {TOKEN}", "host": "eyes.example"}
    assert ask(shown, host="0.0.0.0", token=TOKEN)[0] == 200
    assert ask({**shown, "origin": "http://eyes.example"}, host="0.0.0.0", token=TOKEN)[0] == 403


def test_a_page_of_an_allowed_origin_may_ask_first_and_read_the_answer() -> None:
    page = {**LOCAL, "origin": "https://Host.example"}
    allowed = {"token": TOKEN, "origins": ("https://host.example/",)}
    status, headers, body = ask(page, method="OPTIONS", **allowed)
    assert (status, body) == (204, b"")
    assert headers["access-control-allow-origin"] == "https://Host.example"
    assert {"mcp-method", "mcp-name"} <= set(headers["access-control-allow-headers"].split(", "))
    asking = {**page, "access-control-request-headers": "Mcp-Param-Region, x-other,mcp-param-\u00e9"}
    _, more, _ = ask(asking, method="OPTIONS", **allowed)
    assert more["access-control-allow-headers"] == headers["access-control-allow-headers"] + ", mcp-param-region"
    assert ask(page, **allowed)[0] == 401
    status, headers, body = ask({**page, "authorization": f"Bearer {TOKEN}"}, **allowed)
    assert (status, headers["access-control-expose-headers"], body) == (200, "mcp-session-id", b"reached")


def test_a_refusal_says_why_as_json() -> None:
    _, headers, body = ask({**LOCAL, "origin": "http://evil.example"})
    assert headers["content-type"] == "application/json"
    assert json.loads(body)["error"]["code"] == "ORIGIN_REFUSED"


@pytest.mark.parametrize(
    ("token", "host", "code"),
    [
        (None, "0.0.0.0", "SERVE_TOKEN_REQUIRED"),
        (None, "eyes.example", "SERVE_TOKEN_REQUIRED"),
        ("short", "127.0.0.1", "SERVE_TOKEN_WEAK"),
        ("with blanks in the middle", "127.0.0.1", "SERVE_TOKEN_WEAK"),
    ],
)
def test_a_door_without_a_sound_token_does_not_open(token: str | None, host: str, code: str) -> None:
    with pytest.raises(EyesError) as refused:
        checked_token(token, host)
    assert refused.value.code.name == code


def test_loopback_needs_no_token_and_a_sound_one_is_kept() -> None:
    assert checked_token(None, "127.0.0.1") is None
    assert checked_token(TOKEN, "0.0.0.0") == TOKEN
    assert [is_loopback(host) for host in ("localhost", "127.9.9.9", "::1", "0.0.0.0", "::", "example")] == [
        True, True, True, False, False, False,
    ]  # fmt: skip
