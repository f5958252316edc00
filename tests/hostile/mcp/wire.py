"""The least that a stdio MCP server needs, for servers that then misbehave on purpose. Standard library only."""

import json
import sys

TOOL = {
    "name": "echo",
    "description": "Says it back.",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
}


def send(message):
    """Write one message."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def raw(text):
    """Write one line as it is."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def answer(request, result):
    """Answer a request."""
    send({"jsonrpc": "2.0", "id": request["id"], "result": result})


def refuse(request, code, message):
    """Answer a request with an error."""
    send({"jsonrpc": "2.0", "id": request["id"], "error": {"code": code, "message": message}})


def greet(request, capabilities=None):
    """Answer `initialize`."""
    answer(
        request,
        {
            "protocolVersion": "2025-11-25",
            "capabilities": capabilities or {"tools": {}},
            "serverInfo": {"name": "hostile", "version": "1"},
        },
    )


def serve(handlers, capabilities=None):
    """Answer requests until stdin closes.

    Args:
        handlers: method -> function(request); `tools/call` may also be a dict of tool name -> function(request).
    """
    for line in sys.stdin:
        request = json.loads(line)
        method = request.get("method")
        if "id" not in request:
            if method in handlers:
                handlers[method](request)
            continue
        if method in handlers:
            handlers[method](request)
        elif method == "initialize":
            greet(request, capabilities)
        elif method == "tools/list":
            answer(request, {"tools": [TOOL]})
        elif method == "tools/call":
            answer(request, {"content": [{"type": "text", "text": json.dumps(request["params"].get("arguments", {}))}]})
        else:
            refuse(request, -32601, "Method not found")
