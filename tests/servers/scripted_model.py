"""A model endpoint on loopback that does what a test scripts: chat completions, Messages and Ollama at once.

    with ScriptedModel() as model:
        model.script(refuses(429, headers={"retry-after": "7"}), says("hello"))
        route = model.route("openai_chat")       # base_url of that protocol
        ...
        assert [request.body["model"] for request in model.requests] == ["m", "m"]

Each POST pops one behaviour; an empty script answers `hello`. GET pages (`/health`, `/v1/models`, ...) come from
`model.pages` and pop nothing. Nothing sleeps: an answer that has to be late waits for `model.release()`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from model_protocols import CUT, HOLD, Answer, Request, Told, chat, event, messages, ollama

Behaviour = Callable[[Request], Answer]


def raw(
    body: bytes | str,
    *,
    status: int = 200,
    content_type: str = "application/json",
    headers: Mapping[str, str] | None = None,
) -> Behaviour:
    """Exactly these bytes."""
    data = body.encode() if isinstance(body, str) else body
    return lambda _: Answer(status, dict(headers or {}), (data,), content_type, len(data))


def refuses(
    status: int,
    message: str = "refused",
    *,
    kind: str = "error",
    code: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Behaviour:
    """An error answer in the protocol's own form."""

    def answer(request: Request) -> Answer:
        error: Any = {"message": message, "type": kind, "code": code}
        if "/api/" in request.path:
            error = message
        document = {"type": "error", "error": error} if request.path.endswith("/messages") else {"error": error}
        data = json.dumps(document).encode()
        return Answer(status, dict(headers or {}), (data,), "application/json", len(data))

    return answer


def says(
    text: str = "hello",
    *,
    reasoning: str = "",
    finish: str = "stop",
    usage: Mapping[str, Any] | None = None,
    usages: Iterable[Mapping[str, Any]] = (),
    pieces: int = 3,
    hold_before: bool = False,
    cut_after: int | None = None,
    model: str | None = None,
    error_in_stream: Any = None,
    done: bool = True,
) -> Behaviour:
    """A successful answer, streamed or whole as the request asks.

    Args:
        finish: `stop` or `length`, spelled as each protocol spells it; another word is sent as it is.
        usage: the usage object in the protocol's own words.
        usages: further usage objects, one per early chunk (cumulative usage as some servers send it).
        pieces: into how many deltas the text is cut.
        hold_before: the first byte waits for `release()`.
        cut_after: the connection breaks after so many deltas.
        error_in_stream: sent instead of the end.
        done: whether the stream says that it is over.
    """
    told = Told(text, reasoning, finish, usage, tuple(usages), pieces, cut_after, model, error_in_stream, done)

    def answer(request: Request) -> Answer:
        if request.path.endswith("/messages"):
            made = messages(told, request)
        elif request.path.endswith("/api/chat"):
            made = ollama(told, request)
        else:
            made = chat(told, request)
        return Answer(made.status, made.headers, (HOLD, *made.chunks), made.content_type) if hold_before else made

    return answer


def drops_image(text: str = '{"cells": []}', *, prompt_tokens: int = 12) -> Behaviour:
    """A model that answers cheerfully although the picture never reached it: its prompt tokens do not grow."""
    return says(text, usage={"prompt_tokens": prompt_tokens, "completion_tokens": 5, "total_tokens": prompt_tokens + 5})


def sees_image(text: str, *, prompt_tokens: int = 12, image_tokens: int = 300) -> Behaviour:
    """A model whose prompt tokens grow with each picture."""

    def answer(request: Request) -> Answer:
        prompt = prompt_tokens + image_tokens * request.images
        return says(text, usage={"prompt_tokens": prompt, "completion_tokens": 5, "total_tokens": prompt + 5})(request)

    return answer


def huge(size: int = 20_000_000) -> Behaviour:
    """A successful answer of this many bytes."""

    def answer(request: Request) -> Answer:
        piece = "x" * 65_000
        if request.path.endswith("/api/chat"):
            line = json.dumps({"message": {"role": "assistant", "content": piece}, "done": False}).encode() + b"\n"
            return Answer(chunks=tuple([line] * (size // len(line))), content_type="application/x-ndjson")
        if request.body.get("stream"):
            sent = event({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]})
            return Answer(chunks=tuple([sent] * (size // len(sent))), content_type="text/event-stream")
        body = json.dumps({"choices": [{"index": 0, "message": {"content": "x" * size}, "finish_reason": "stop"}]})
        return Answer(chunks=(body.encode(),), length=len(body))

    return answer


class ScriptedModel:
    """The server; see the module's first lines."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.pages: dict[str, Behaviour] = {
            "/health": raw('{"status": "ok"}'),
            "/v1/models": raw('{"object": "list", "data": [{"id": "m", "object": "model"}]}'),
            "/models": raw('{"object": "list", "data": [{"id": "m", "object": "model"}]}'),
            "/api/version": raw('{"version": "0.12.0"}'),
            "/api/show": raw('{"capabilities": ["completion", "vision"]}'),
        }
        self._script: list[Behaviour] = []
        self._released = threading.Event()
        self.called = threading.Semaphore(0)
        self._lock = threading.Lock()
        self._server: ThreadingHTTPServer | None = None

    def script(self, *behaviours: Behaviour) -> None:
        """Append behaviours; each POST takes one."""
        with self._lock:
            self._script.extend(behaviours)

    def release(self) -> None:
        """Let held answers go on."""
        self._released.set()

    @property
    def left(self) -> int:
        """Behaviours nobody asked for yet."""
        return len(self._script)

    @property
    def calls(self) -> list[Request]:
        """Requests that popped a behaviour (no GET pages)."""
        return [request for request in self.requests if request.path not in self.pages]

    @property
    def root(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        """The endpoint for chat completions and Messages, with its version path."""
        return f"{self.root}/v1"

    def fields(self, engine: str = "openai_chat", **more: Any) -> dict[str, Any]:
        """The fields of a catalog entry (`[routes.ID]`) that speaks to this server."""
        return {
            "engine": engine,
            "base_url": self.root if engine == "ollama" else self.url,
            "model": "m",
            "capabilities": ["image_to_evidence", "text_to_text"],
            "inputs": ["text", "image"],
            **more,
        }

    def route(self, engine: str = "openai_chat", *, id: str = "scripted", **more: Any) -> Any:  # noqa: A002
        """A whole catalog entry."""
        from deepseekeyes.routing.merge import read_entry

        return read_entry(id, self.fields(engine, **more))

    def __enter__(self) -> Self:
        owner = self

        class Handler(_Handler):
            model = owner

        self._server = _Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        assert self._server is not None
        self._released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, request: Request) -> Answer:
        with self._lock:
            self.requests.append(request)
            page = self.pages.get(request.path)
            if page is not None:
                behaviour = page
            elif request.method == "GET":
                behaviour = raw('{"error": "no such page"}', status=404)
            else:
                behaviour = self._script.pop(0) if self._script else says()
                self.called.release()
        return behaviour(request)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is a part of many tests."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: ScriptedModel

    def log_message(self, *args: Any) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        self._serve(b"")

    def do_POST(self) -> None:
        self._serve(self.rfile.read(int(self.headers.get("content-length", 0))))

    def _serve(self, body: bytes) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = self.model._answer(Request(self.command, self.path, headers, body))
        chunks = list(answer.chunks)
        while chunks and chunks[0] is HOLD:
            chunks.pop(0)
            self.model._released.wait()
        self.send_response(answer.status)
        self.send_header("content-type", answer.content_type)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.length is not None:
            self.send_header("content-length", str(answer.length))
        elif CUT in chunks:
            self.send_header("content-length", "1000000")
            self.close_connection = True
        else:
            self.send_header("connection", "close")
            self.close_connection = True
        self.end_headers()
        for chunk in chunks:
            if chunk is HOLD:
                self.model._released.wait()
            elif chunk is CUT:
                return
            else:
                self.wfile.write(chunk)
                self.wfile.flush()
