"""What a model says, in the words of chat completions, of Messages and of Ollama."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

HOLD = object()
"""In `Answer.chunks`: wait here until `release()`."""
CUT = object()
"""In `Answer.chunks`: break the connection here."""


@dataclass(frozen=True)
class Request:
    """One request as it came."""

    method: str
    path: str
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        return json.loads(self.raw) if self.raw else {}

    @property
    def images(self) -> int:
        """How many pictures the request carries, in any of the three protocols."""
        count = 0
        for message in self.body.get("messages", []):
            count += len(message.get("images", []))
            parts = message.get("content")
            count += sum(part.get("type") in ("image_url", "image") for part in parts) if isinstance(parts, list) else 0
        return count


@dataclass(frozen=True)
class Answer:
    """Bytes to send. Without a length the connection is closed at the end of the body."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    chunks: tuple[Any, ...] = ()
    content_type: str = "application/json"
    length: int | None = None


@dataclass(frozen=True)
class Told:
    text: str
    reasoning: str
    finish: str
    usage: Mapping[str, Any] | None
    usages: tuple[Mapping[str, Any], ...]
    pieces: int
    cut_after: int | None
    model: str | None
    error: Any
    done: bool

    def deltas(self) -> list[str]:
        size = max(1, -(-len(self.text) // self.pieces)) if self.text else 1
        return [self.text[at : at + size] for at in range(0, len(self.text), size)]


def event(document: Any, name: str | None = None) -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(document)}\n\n".encode()


def chat(told: Told, request: Request) -> Answer:
    model = told.model or request.body.get("model")
    usage = told.usage or {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    if not request.body.get("stream"):
        message: dict[str, Any] = {"role": "assistant", "content": told.text}
        if told.reasoning:
            message["reasoning_content"] = told.reasoning
        choice = {"index": 0, "message": message, "finish_reason": told.finish}
        data = json.dumps({"model": model, "choices": [choice], "usage": usage}).encode()
        return Answer(chunks=(data,), length=len(data))
    chunks: list[Any] = []

    def send(delta: Mapping[str, Any], finish: str | None = None) -> None:
        document: dict[str, Any] = {"model": model, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
        if len(chunks) < len(told.usages):
            document["usage"] = told.usages[len(chunks)]
        chunks.append(event(document))

    send({"role": "assistant", "content": ""})
    if told.reasoning:
        send({"reasoning_content": told.reasoning})
    for count, piece in enumerate(told.deltas()):
        if told.cut_after is not None and count >= told.cut_after:
            return Answer(chunks=(*chunks, CUT), content_type="text/event-stream")
        send({"content": piece})
    if told.error is not None:
        return Answer(chunks=(*chunks, event({"error": told.error})), content_type="text/event-stream")
    if told.done:
        send({}, told.finish)
        chunks += [event({"model": model, "choices": [], "usage": usage}), b"data: [DONE]\n\n"]
    return Answer(chunks=tuple(chunks), content_type="text/event-stream")


def messages(told: Told, request: Request) -> Answer:
    model = told.model or request.body.get("model")
    usage = told.usage or {"input_tokens": 10, "output_tokens": 5}
    finish = {"stop": "end_turn", "length": "max_tokens"}.get(told.finish, told.finish)
    if not request.body.get("stream"):
        content = [{"type": "thinking", "thinking": told.reasoning}] if told.reasoning else []
        content.append({"type": "text", "text": told.text})
        document = {"type": "message", "model": model, "content": content, "stop_reason": finish, "usage": usage}
        data = json.dumps(document).encode()
        return Answer(chunks=(data,), length=len(data))
    chunks: list[Any] = []

    def send(document: Mapping[str, Any]) -> None:
        chunks.append(event(document, document["type"]))

    start = dict(told.usages[0]) if told.usages else {**usage, "output_tokens": 1}
    send({"type": "message_start", "message": {"type": "message", "model": model, "content": [], "usage": start}})
    send({"type": "ping"})
    if told.reasoning:
        send({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}})
        send(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": told.reasoning}}
        )
        send({"type": "content_block_stop", "index": 0})
    send({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}})
    for count, piece in enumerate(told.deltas()):
        if told.cut_after is not None and count >= told.cut_after:
            return Answer(chunks=(*chunks, CUT), content_type="text/event-stream")
        send({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": piece}})
    if told.error is not None:
        send({"type": "error", "error": told.error})
        return Answer(chunks=tuple(chunks), content_type="text/event-stream")
    if told.done:
        send({"type": "content_block_stop", "index": 1})
        send({"type": "message_delta", "delta": {"stop_reason": finish}, "usage": usage})
        send({"type": "message_stop"})
    return Answer(chunks=tuple(chunks), content_type="text/event-stream")


def ollama(told: Told, request: Request) -> Answer:
    model = told.model or request.body.get("model")
    end = {
        "model": model,
        "message": {"role": "assistant", "content": ""},
        "done": True,
        "done_reason": told.finish,
        **(told.usage or {"prompt_eval_count": 10, "eval_count": 5}),
    }
    if not request.body.get("stream"):
        message = {"role": "assistant", "content": told.text, "thinking": told.reasoning}
        data = json.dumps({**end, "message": message}).encode()
        return Answer(chunks=(data,), length=len(data))
    lines: list[Any] = []
    if told.reasoning:
        lines.append({"message": {"role": "assistant", "content": "", "thinking": told.reasoning}, "done": False})
    for count, piece in enumerate(told.deltas()):
        if told.cut_after is not None and count >= told.cut_after:
            return Answer(chunks=(*_lines(lines), CUT), content_type="application/x-ndjson")
        lines.append({"model": model, "message": {"role": "assistant", "content": piece}, "done": False})
    if told.error is not None:
        lines.append({"error": told.error})
    elif told.done:
        lines.append(end)
    return Answer(chunks=tuple(_lines(lines)), content_type="application/x-ndjson")


def _lines(documents: Iterable[Any]) -> list[bytes]:
    return [json.dumps(document).encode() + b"\n" for document in documents]
