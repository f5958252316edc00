"""A streamable HTTP server on loopback that misbehaves as it is told and prints its port. Standard library only."""

import gzip
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

mode = sys.argv[1]
PACKED = gzip.compress(json.dumps({"x": "0" * 20_000_000}).encode(), 1) if mode == "bomb" else b""
seen = {"sessions": 0, "live": "", "headers": {}}


class Handler(BaseHTTPRequestHandler):
    """Answers JSON-RPC posts."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        """Say nothing."""

    def do_GET(self):
        """No standing stream."""
        self.reply(405, b"", "text/plain")

    def do_DELETE(self):
        """Sessions end."""
        self.reply(200, b"", "text/plain")

    def do_POST(self):
        """One message."""
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        seen["headers"] = dict(self.headers)
        method = request.get("method")
        if "id" not in request:
            self.reply(202, b"", "text/plain")
        elif mode in ("401", "403", "500") and method != "server/discover":
            self.reply(int(mode), b"token=sk-verysecretvalue", "text/plain")
        elif method == "initialize":
            self.greet(request)
        elif mode == "sessions" and self.headers.get("mcp-session-id") != seen["live"]:
            self.reply(404, b"", "text/plain")
        elif method == "tools/list":
            tool = {"name": "echo", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
            self.answer(request, {"tools": [tool]})
        elif method == "tools/call":
            self.call(request)
        else:
            error = {"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "Method not found"}}
            self.reply(200, json.dumps(error).encode(), "application/json")

    def greet(self, request):
        """Open a session."""
        seen["sessions"] += 1
        seen["live"] = f"s{seen['sessions']}"
        result = {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "h", "version": "1"},
        }
        self.answer(request, result, {"mcp-session-id": seen["live"]})

    def call(self, request):
        """The tool misbehaves."""
        match mode:
            case "500-call" | "429-call" | "401-call":
                self.reply(int(mode[:3]), b"", "text/plain")
            case "redirect":
                self.reply(302, b"", "text/plain", {"location": "http://127.0.0.2:9/elsewhere"})
            case "accepted":
                self.reply(202, b"", "text/plain")
            case "html":
                self.reply(200, b"<html>login</html>", "text/html")
            case "broken":
                self.reply(200, b'{"jsonrpc":"2.0","id":', "application/json")
            case "big-json":
                self.answer(request, {"content": [{"type": "text", "text": "x" * 200_000}]})
            case "big-event":
                self.event(request, {"content": [{"type": "text", "text": "x" * 200_000}]})
            case "bomb":
                self.reply(200, PACKED, "application/json", {"content-encoding": "gzip"})
            case "cut":
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", "1000")
                self.end_headers()
                self.wfile.write(b'{"jsonrpc"')
                self.close_connection = True
            case "empty-stream":
                self.reply(200, b": nothing\n\n", "text/event-stream")
            case "forget":
                seen["live"] = "none"
                self.reply(404, b"", "text/plain")
            case _:
                self.event(request, {"content": [{"type": "text", "text": self.headers.get("x-key", "no key")}]})

    def answer(self, request, result, headers=None):
        """A plain JSON answer."""
        body = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode()
        self.reply(200, body, "application/json", headers)

    def event(self, request, result):
        """The same as an event."""
        body = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result})
        self.reply(200, f"event: message\ndata: {body}\n\n".encode(), "text/event-stream")

    def reply(self, status, body, kind, headers=None):
        """Any HTTP answer."""
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
