"""Asks for sampling, input and roots in the middle of a call, and tells what it was answered."""

import json
import sys

import wire


def call(request):
    codes = []
    for number, method in enumerate(("sampling/createMessage", "elicitation/create", "roots/list")):
        params = {
            "sampling/createMessage": {"messages": [], "maxTokens": 1},
            "elicitation/create": {"message": "password?", "requestedSchema": {"type": "object", "properties": {}}},
            "roots/list": {},
        }[method]
        wire.send({"jsonrpc": "2.0", "id": f"q{number}", "method": method, "params": params})
        codes.append("error" in json.loads(sys.stdin.readline()))
    wire.answer(request, {"content": [{"type": "text", "text": json.dumps(codes)}]})


wire.serve({"tools/call": call})
