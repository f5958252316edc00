"""Nests its answer, or with the word `tools` its schema, as deep as the given number."""

import sys

import wire

depth = int(sys.argv[1])
nested = '{"x":' * depth + "1" + "}" * depth


def call(request):
    wire.raw(f'{{"jsonrpc":"2.0","id":{request["id"]},"result":{{"content":[],"structuredContent":{nested}}}}}')


def tools(request):
    tool = f'{{"name":"echo","inputSchema":{{"type":"object","properties":{nested}}}}}'
    wire.raw(f'{{"jsonrpc":"2.0","id":{request["id"]},"result":{{"tools":[{tool}]}}}}')


wire.serve({"tools/list": tools} if "tools" in sys.argv else {"tools/call": call})
