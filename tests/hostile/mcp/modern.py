"""A modern server: no handshake, and its listing grows after the first call."""

import wire

VERSION = "2026-07-28"
LISTEN = []
TOOLS = [wire.TOOL]


def discover(request):
    wire.answer(
        request,
        {
            "supportedVersions": [VERSION],
            "capabilities": {"tools": {"listChanged": True}},
            "resultType": "complete",
            "ttlMs": 0,
            "cacheScope": "private",
        },
    )


def listen(request):
    LISTEN.append(request["id"])
    params = {
        "_meta": {"io.modelcontextprotocol/subscriptionId": request["id"]},
        "notifications": {"toolsListChanged": True},
    }
    wire.send({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params})


def call(request):
    version = request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"]
    text = "modern" if version == VERSION else "older"
    wire.answer(request, {"content": [{"type": "text", "text": text}], "resultType": "complete"})
    TOOLS.append(dict(wire.TOOL, name="more"))
    for listen_id in LISTEN:
        params = {"_meta": {"io.modelcontextprotocol/subscriptionId": listen_id}}
        wire.send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": params})


wire.serve(
    {
        "server/discover": discover,
        "initialize": lambda request: wire.refuse(request, -32022, "no handshake here"),
        "subscriptions/listen": listen,
        "tools/list": lambda request: wire.answer(request, {"tools": TOOLS, "resultType": "complete"}),
        "tools/call": call,
    }
)
