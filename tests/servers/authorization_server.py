"""An MCP server that wants a token and the authorization server that issues it, on loopback, with a switch per quirk.

Both live on one port: `/mcp` is the protected resource, `/token` the token endpoint. What a test changes in `Quirks`
holds from the next request on. Standard library only.
"""

from __future__ import annotations

import base64
import gzip
import itertools
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, unquote_plus, urlsplit

RESOURCE = "/.well-known/oauth-protected-resource"
OAUTH = "/.well-known/oauth-authorization-server"
OPENID = "/.well-known/openid-configuration"

PATH_FORM = f"{RESOURCE}/mcp"
ROOT_FORM = RESOURCE

CLIENT_ID = "client:1"
CLIENT_SECRET = "s3cret+with/odd=signs&% and blanks"


@dataclass
class Quirks:
    """How the servers behave. The defaults follow the standards.

    Attributes:
        resource_at: paths that serve the resource metadata.
        authority_at: paths that serve the authorization server metadata; None is the first well-known form.
        answers: path -> (status, content type, body, headers) instead of anything else.
        challenge: parameters of the 401 challenge; `{origin}` is filled in. None sends no header.
        resource: what the resource metadata names; None names the server.
        issuers: authorization servers it names; None names the one here.
        issuer_path: path of the issuer.
        issuer_claim: what the metadata calls itself; None tells the truth.
        methods: advertised client authentication; None says nothing.
        accepts: what the token endpoint really reads.
        grants: advertised grants; None says nothing.
        scopes: advertised by the resource.
        needs_scope: scope that `/mcp` wants; a smaller token gets 403.
        wrong_audience: tokens are issued and then refused.
        expires_in: of issued tokens; None leaves it out.
        token_type: of issued tokens.
        token_answer: (status, body) instead of a token.
        token_redirect: where the token endpoint redirects.
        echo: the token endpoint refuses and repeats what it was sent.
        packed: metadata is compressed unasked.
        padding: extra bytes of metadata.
        together: tool calls that must be inside at once before any of them is answered.
        json_refusal: the 401 carries a JSON-RPC error.
    """

    resource_at: tuple[str, ...] = (PATH_FORM,)
    authority_at: tuple[str, ...] | None = None
    answers: dict[str, tuple[int, str, bytes, dict[str, str]]] = field(default_factory=dict)
    challenge: dict[str, str] | None = field(default_factory=dict)
    resource: str | None = None
    issuers: tuple[str, ...] | None = None
    issuer_path: str = ""
    issuer_claim: str | None = None
    methods: tuple[str, ...] | None = ("client_secret_basic", "client_secret_post")
    accepts: tuple[str, ...] = ("client_secret_basic", "client_secret_post")
    grants: tuple[str, ...] | None = ("client_credentials",)
    scopes: tuple[str, ...] | None = None
    needs_scope: str | None = None
    wrong_audience: bool = False
    expires_in: Any = 3600
    token_type: str = "Bearer"
    token_answer: tuple[int, bytes] | None = None
    token_redirect: str | None = None
    echo: bool = False
    packed: bool = False
    padding: int = 0
    together: int = 1
    json_refusal: bool = False


@dataclass(frozen=True)
class Seen:
    """One request."""

    method: str
    path: str
    authorization: str | None
    body: bytes

    @property
    def form(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(self.body.decode(), keep_blank_values=True).items()}


class AuthorizationServer:
    """Starts on entering, ends on leaving."""

    def __init__(self) -> None:
        self.quirks = Quirks()
        self.seen: list[Seen] = []
        self.issued: dict[str, str] = {}
        self.lock = threading.Lock()
        self.numbers = itertools.count(1)
        self.barrier: threading.Barrier | None = None
        outer = self

        class Handler(_Handler):
            server_of_tests = outer

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.socket.listen(64)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *ignored: object) -> None:
        if self.barrier is not None:
            self.barrier.abort()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        return f"{self.origin}/mcp"

    @property
    def issuer(self) -> str:
        return self.origin + self.quirks.issuer_path

    def paths(self, method: str = "GET") -> list[str]:
        """Paths asked for, in order, without `/mcp`."""
        return [each.path for each in self.seen if each.method == method and each.path != "/mcp"]

    def token_requests(self) -> list[Seen]:
        """Requests of the token endpoint, in order."""
        return [each for each in self.seen if each.path == "/token"]

    def revoke(self) -> None:
        """No token issued so far is good any longer."""
        with self.lock:
            self.issued.clear()

    def tokens(self) -> list[str]:
        """Every token that was ever issued."""
        return [f"issued-token-{number:04}" for number in range(1, len(self.token_requests()) + 1)]


class _Handler(BaseHTTPRequestHandler):
    server_of_tests: AuthorizationServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *ignored: object) -> None:
        """Say nothing."""

    @property
    def home(self) -> AuthorizationServer:
        return self.server_of_tests

    @property
    def quirks(self) -> Quirks:
        return self.server_of_tests.quirks

    def note(self) -> Seen:
        length = int(self.headers.get("content-length") or 0)
        seen = Seen(self.command, self.path, self.headers.get("authorization"), self.rfile.read(length))
        with self.home.lock:
            self.home.seen.append(seen)
        return seen

    def do_GET(self) -> None:
        self.note()
        path = urlsplit(self.path).path
        if path in self.quirks.answers:
            status, kind, body, headers = self.quirks.answers[path]
            self.reply(status, body, kind, headers)
        elif path == "/mcp":
            self.reply(405, b"", "text/plain")
        elif path in self.quirks.resource_at:
            self.document(self.resource())
        elif path in self.authority_paths():
            self.document(self.authority())
        else:
            self.reply(404, b"<html>Not here</html>", "text/html")

    def do_DELETE(self) -> None:
        self.note()
        self.reply(200, b"", "text/plain")

    def do_POST(self) -> None:
        seen = self.note()
        if self.path == "/token":
            self.token(seen)
        else:
            self.message(seen)

    def resource(self) -> dict[str, Any]:
        quirks = self.quirks
        found: dict[str, Any] = {
            "resource": quirks.resource or self.home.url,
            "authorization_servers": list(quirks.issuers if quirks.issuers is not None else (self.home.issuer,)),
        }
        if quirks.scopes is not None:
            found["scopes_supported"] = list(quirks.scopes)
        return found

    def authority_paths(self) -> tuple[str, ...]:
        given = self.quirks.authority_at
        return given if given is not None else (OAUTH + self.quirks.issuer_path,)

    def authority(self) -> dict[str, Any]:
        quirks = self.quirks
        found: dict[str, Any] = {
            "issuer": quirks.issuer_claim or self.home.issuer,
            "token_endpoint": f"{self.home.origin}/token",
        }
        if quirks.methods is not None:
            found["token_endpoint_auth_methods_supported"] = list(quirks.methods)
        if quirks.grants is not None:
            found["grant_types_supported"] = list(quirks.grants)
        return found

    def document(self, found: dict[str, Any]) -> None:
        if self.quirks.padding:
            found["padding"] = "x" * self.quirks.padding
        body = json.dumps(found).encode()
        if self.quirks.packed:
            self.reply(200, gzip.compress(body), "application/json", {"content-encoding": "gzip"})
        else:
            self.reply(200, body, "application/json")

    def token(self, seen: Seen) -> None:
        quirks = self.quirks
        if quirks.token_redirect is not None:
            self.reply(307, b"", "text/plain", {"location": quirks.token_redirect})
        elif quirks.echo:
            told = f"you sent {seen.authorization} and {seen.body.decode()} that is {self.client(seen)}"
            self.refuse(401, "invalid_client", told)
        elif quirks.token_answer is not None:
            self.reply(quirks.token_answer[0], quirks.token_answer[1], "application/json")
        elif "" in seen.form.values():
            self.refuse(400, "invalid_request", "an empty parameter")
        elif not seen.form.get("resource", "").startswith(self.home.origin):
            self.refuse(400, "invalid_target", "which resource?")
        elif self.client(seen) != (CLIENT_ID, CLIENT_SECRET):
            self.refuse(401, "invalid_client", "client authentication failed")
        else:
            self.grant(seen.form.get("scope", ""))

    def client(self, seen: Seen) -> tuple[str, str] | None:
        """Who the client is, as the accepted methods read it; strict about form-encoding."""
        header = seen.authorization or ""
        if header.startswith("Basic ") and "client_secret_basic" in self.quirks.accepts:
            name, _, secret = base64.b64decode(header[6:]).decode().partition(":")
            return unquote_plus(name), unquote_plus(secret)
        if "client_secret" in seen.form and "client_secret_post" in self.quirks.accepts:
            return seen.form.get("client_id", ""), seen.form["client_secret"]
        return None

    def grant(self, scope: str) -> None:
        with self.home.lock:
            token = f"issued-token-{next(self.home.numbers):04}"
            self.home.issued[token] = scope
        found: dict[str, Any] = {"access_token": token, "token_type": self.quirks.token_type}
        if self.quirks.expires_in is not None:
            found["expires_in"] = self.quirks.expires_in
        if scope:
            found["scope"] = scope
        self.reply(200, json.dumps(found).encode(), "application/json")

    def refuse(self, status: int, error: str, description: str) -> None:
        body = {"error": error, "error_description": description}
        self.reply(status, json.dumps(body).encode(), "application/json")

    def message(self, seen: Seen) -> None:
        """The protected MCP server."""
        token = (seen.authorization or "").removeprefix("Bearer ")
        request = json.loads(seen.body)
        with self.home.lock:
            scope = self.home.issued.get(token)
        if scope is None or self.quirks.wrong_audience:
            self.challenge(401, {"error": "invalid_token"} if token else {}, request)
        elif self.quirks.needs_scope is not None and self.quirks.needs_scope not in scope.split():
            self.challenge(403, {"error": "insufficient_scope", "scope": self.quirks.needs_scope}, request)
        elif "id" not in request:
            self.reply(202, b"", "text/plain")
        else:
            self.answer(request)

    def challenge(self, status: int, more: dict[str, str], request: dict[str, Any]) -> None:
        headers = {}
        if self.quirks.challenge is not None:
            given = {**more, **self.quirks.challenge}
            words = ", ".join(f'{name}="{value.format(origin=self.home.origin)}"' for name, value in given.items())
            headers["www-authenticate"] = f"Bearer {words}".strip()
        if self.quirks.json_refusal:
            error = {"jsonrpc": "2.0", "id": request.get("id"), "error": {"code": -32001, "message": "no"}}
            self.reply(status, json.dumps(error).encode(), "application/json", headers)
        else:
            self.reply(status, b"no", "text/plain", headers)

    def answer(self, request: dict[str, Any]) -> None:
        match request["method"]:
            case "initialize":
                result: dict[str, Any] = {
                    "protocolVersion": "2025-11-25",
                    "capabilities": {"tools": {}, "resources": {}},
                    "serverInfo": {"name": "guarded", "version": "1"},
                }
            case "tools/list":
                result = {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}
            case "resources/list":
                result = {"resources": [{"uri": "note://one", "name": "one"}]}
            case "resources/templates/list":
                result = {"resourceTemplates": []}
            case "resources/read":
                result = {"contents": [{"uri": "note://one", "text": "a note"}]}
            case "tools/call":
                result = {"content": [{"type": "text", "text": self.meet()}]}
            case _:
                error = {
                    "jsonrpc": "2.0",
                    "id": request["id"],
                    "error": {"code": -32601, "message": "Method not found"},
                }
                self.reply(200, json.dumps(error).encode(), "application/json")
                return
        body = {"jsonrpc": "2.0", "id": request["id"], "result": result}
        self.reply(200, json.dumps(body).encode(), "application/json")

    def meet(self) -> str:
        """Wait until as many calls are inside as were told to be; `alone` when they do not come."""
        if self.quirks.together <= 1:
            return "hello"
        with self.home.lock:
            if self.home.barrier is None:
                self.home.barrier = threading.Barrier(self.quirks.together)
        try:
            self.home.barrier.wait(20)
        except threading.BrokenBarrierError:
            return "alone"
        return "together"

    def reply(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
