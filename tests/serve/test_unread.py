"""What cannot be read is answered when somebody waits for it."""

from __future__ import annotations

import json

import pytest

from deepseekeyes.serve.stdio import Lines
from deepseekeyes.serve.unread import MOST, answer, answer_long


@pytest.mark.parametrize(
    ("line", "name", "code"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":"\\ud800"}}', 7, -32600),
        (b'{"id":"x","method":"ping"}', "x", -32600),
        (b'{"jsonrpc": "2.0", "id": 8, "method": nope}', 8, -32700),
        (b'{"method":nope,"jsonrpc":"2.0","id":"nine"}', "nine", -32700),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 1.5, -32600),
    ],
)
def test_a_request_that_cannot_be_read_is_answered_under_its_id(line: bytes, name: object, code: int) -> None:
    told = answer(line)
    assert told is not None
    found = json.loads(told)
    assert (found["id"], found["error"]["code"]) == (name, code)
    assert told.endswith(b"\n")


@pytest.mark.parametrize(
    "line",
    [
        b"{nope",
        b"42",
        b"[]",
        b'{"jsonrpc":"2.0","method":"notifications/x","params":7}',
        b'{"jsonrpc":"2.0","id":3,"result":7}',
        b'{"jsonrpc":"2.0","id":true,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1e999,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":{},"method":"ping"}',
        b'{"method":"x","params":{"id":5} nope',
        b"[" * 100_000,
        b"\xff\xfe{}",
    ],
)
def test_what_nobody_waits_for_is_not_answered(line: bytes) -> None:
    assert not answer(line)


def test_requests_in_a_batch_are_refused_one_by_one() -> None:
    ping = {"jsonrpc": "2.0", "method": "ping"}
    told = answer(json.dumps([{**ping, "id": 1}, ping, {**ping, "id": "b"}, 7, {"id": 2, "result": {}}]).encode())
    assert told is not None
    found = [json.loads(line) for line in told.splitlines()]
    assert [(each["id"], each["error"]["code"]) for each in found] == [(1, -32600), ("b", -32600)]
    assert (answer(json.dumps([{**ping, "id": 1}] * 5000).encode()) or b"").count(b"\n") == MOST


@pytest.mark.parametrize(
    ("start", "end", "name"),
    [
        (b'{"jsonrpc":"2.0","id":5,"method":"x","params":{"a":"', b'"}}', 5),
        (b'{"method":"x","params":{"id":1,"a":"', b'"},"jsonrpc":"2.0","id":"six"}', "six"),
        (b'{"method":"x","params":{"id":1,"a":"', b'"}}', None),
    ],
)
@pytest.mark.parametrize("chunk", [7, 64, 100_000])
def test_an_overlong_line_is_answered_by_the_id_at_either_end(
    start: bytes, end: bytes, name: object, chunk: int
) -> None:
    data = start + b"a" * 5000 + end + b"\n" + b'{"short":1}\n'
    lines = Lines(2000)
    fed = [line for at in range(0, len(data), chunk) for line in lines.feed(data[at : at + chunk])]
    assert (fed, lines.dropped, len(lines.ends)) == ([b'{"short":1}'], 1, 1)
    told = answer_long(*lines.ends[0], 2000)
    assert (None if told is None else json.loads(told)["id"]) == name
