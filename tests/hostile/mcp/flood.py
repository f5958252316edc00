"""Sends twenty thousand notifications before each answer."""

import json
import sys

import wire

NOTES = [
    {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}},
    {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"},
    {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "none", "progress": 1}},
    {"jsonrpc": "2.0", "method": "notifications/unheard-of"},
]
TEXT = "\n".join(json.dumps(note) for note in NOTES) + "\n"


def call(request):
    for _ in range(5000):
        sys.stdout.write(TEXT)
    wire.answer(request, {"content": [{"type": "text", "text": "after the flood"}]})


wire.serve({"tools/call": call})
