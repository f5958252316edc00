"""Answers with text that strict readers choke on: lone surrogates, bytes that are no UTF-8, numbers without bounds."""

import sys

import wire

TEXTS = {
    "surrogate": rb'{"content":[{"type":"text","text":"a\ud800b"}]}',
    "bytes": b'{"content":[{"type":"text","text":"a\xff\xfeb"}]}',
    "numbers": b'{"content":[],"structuredContent":{"a":1e400,"b":12345678901234567890,"c":NaN}}',
    "integer": b'{"content":[],"structuredContent":{"a":1' + b"0" * 400 + b"}}",
    "duplicates": b'{"content":[],"structuredContent":{"a":1,"a":2,"__proto__":{"x":1}}}',
}


def call(request):
    head = b'{"jsonrpc":"2.0","id":%d,"result":' % request["id"]
    sys.stdout.buffer.write(head + TEXTS[sys.argv[1]] + b"}\n")
    sys.stdout.buffer.flush()


wire.serve({"tools/call": call})
