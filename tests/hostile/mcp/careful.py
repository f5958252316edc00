"""Does everything right: the control of the lint. Writes the names of called tools into the file it is given."""

import json
import sys
from pathlib import Path

import wire

SCHEMA = {"type": "object", "properties": {"text": {"type": "string", "description": "What to say."}}}
TOOLS = [
    {**wire.TOOL, "name": "look", "inputSchema": {"type": "object", "properties": {}}},
    {**wire.TOOL, "name": "say", "inputSchema": {**SCHEMA, "required": ["text"]}},
    {**wire.TOOL, "name": "wipe", "annotations": {"readOnlyHint": False, "destructiveHint": True}},
    {**wire.TOOL, "name": "unclear", "annotations": {"readOnlyHint": False}},
]
called = Path(sys.argv[1]) if len(sys.argv) > 1 else None


def listed(request):
    """One page, and an error for a cursor that was never issued."""
    if (request.get("params") or {}).get("cursor"):
        wire.refuse(request, -32602, "No such cursor.")
    else:
        wire.answer(request, {"tools": TOOLS})


def call(request):
    """Say something, or say what is missing."""
    name, arguments = request["params"]["name"], request["params"].get("arguments", {})
    if called is not None:
        with called.open("a") as log:
            log.write(name + "\n")
    if name not in {tool["name"] for tool in TOOLS}:
        wire.refuse(request, -32602, "No such tool.")
    elif name == "say" and "text" not in arguments:
        wire.answer(request, {"content": [{"type": "text", "text": "text is missing"}], "isError": True})
    else:
        wire.answer(request, {"content": [{"type": "text", "text": "all is well"}]})


HANDLERS = {"tools/list": listed, "tools/call": call, "ping": lambda request: wire.answer(request, {})}

for line in sys.stdin:
    try:
        request = json.loads(line)
        method = request["method"]
    except (ValueError, KeyError, TypeError):
        continue
    if "id" not in request:
        continue
    if method == "initialize":
        wire.greet(request)
    elif method in HANDLERS:
        HANDLERS[method](request)
    else:
        wire.refuse(request, -32601, "Method not found")
