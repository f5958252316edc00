"""Messages over HTTP whose id is none."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from deepseekeyes.serve.http_ids import Ids


def ask(*parts: bytes, method: str = "POST") -> tuple[int, bytes]:
    """One request in parts: the status and the body. An application that is reached answers 200 with what it read."""
    sent: list[Any] = []
    coming = [
        {"type": "http.request", "body": part, "more_body": at < len(parts)} for at, part in enumerate(parts, start=1)
    ]

    async def app(scope: Any, receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            part = await receive()
            body, more = body + part["body"], part["more_body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})

    async def receive() -> Any:
        return coming.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(Ids(app, max_bytes=400)({"type": "http", "method": method}, receive, send))
    return sent[0]["status"], sent[1]["body"]


@pytest.mark.parametrize(
    ("written", "told"),
    [("1.5", 1.5), ("1e3", 1000.0), ("true", None), ("null", None), ("{}", None), ("[1]", None), ("1e999", None)],
)
def test_a_request_whose_id_is_neither_text_nor_a_whole_number_is_an_error(written: str, told: object) -> None:
    status, body = ask(b'{"jsonrpc":"2.0","id":', written.encode(), b',"method":"tools/list"}')
    found = json.loads(body)
    assert (status, found["id"], found["error"]["code"]) == (400, told, -32600)


@pytest.mark.parametrize(
    "body",
    [
        b'{"jsonrpc":"2.0","id":7,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":"7.5","method":"ping"}',
        b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":{"id":1.5}}}',
        b'{"jsonrpc":"2.0","method":"notifications/x","params":{"id":null}}',
        b'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}',
        b'{"id":1.5, nope',
        b'{"jsonrpc":"2.0","id":1.5,"method":"ping","x":"' + b"x" * 400,
    ],
)
def test_everything_else_reaches_the_application_as_it_came(body: bytes) -> None:
    assert ask(body[:9], body[9:20], body[20:]) == (200, body)


def test_only_messages_are_read() -> None:
    assert ask(b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', method="GET")[0] == 200
