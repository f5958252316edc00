"""The Messages protocol."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.routing.adapters.answering import Growing, answered, cut_off, malformed, parsed
from deepseekeyes.routing.adapters.http import Exchange, Http, address, credentials
from deepseekeyes.routing.adapters.openai_chat import THINKING_OFF
from deepseekeyes.routing.adapters.refusals import refusal_in_stream
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.ports import EngineReply, EngineRequest, Finish, Message
from deepseekeyes.routing.sse import EventParser, EventTooLargeError
from deepseekeyes.routing.usage_fields import anthropic, merged

VERSION: Final = "2023-06-01"
DEFAULT_MAX_TOKENS: Final = 8192
FINISHES: Final[Mapping[str, Finish]] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "max-tokens",
    "model_context_window_exceeded": "max-tokens",
    "tool_use": "tool-calls",
    "refusal": "content-filter",
}


@dataclass(frozen=True, slots=True)
class AnthropicMessages:
    """`Engine` over POST `{base_url}/v1/messages` (or `/messages` when the endpoint ends in `/v1`)."""

    http: Http = field(default_factory=Http)

    async def run(self, route: Route, request: EngineRequest) -> EngineReply:
        """One call.

        Raises:
            EyesError: as `OpenAIChat.run`.
        """
        versioned = (route.base_url or "").rstrip("/").endswith("/v1")
        url = address(route, "/messages" if versioned else "/v1/messages")
        headers = {
            "accept": "text/event-stream, application/json",
            "content-type": "application/json",
            "anthropic-version": VERSION,
            **credentials(route, "x-api-key"),
        }
        return await answered(self.http, url, headers, body_of(route, request), Answer(route, request), _read)


def body_of(route: Route, request: EngineRequest) -> dict[str, Any]:
    """The request body; system turns travel beside the messages, and the protocol demands an output budget."""
    system = "\n\n".join(message.text for message in request.messages if message.role == "system")
    body: dict[str, Any] = {
        "model": route.model,
        "max_tokens": request.max_tokens or route.limits.max_output_tokens or DEFAULT_MAX_TOKENS,
        "messages": [message_of(message) for message in request.messages if message.role != "system"],
        "stream": route.stream,
    }
    if system:
        body["system"] = system
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if request.thinking == "off":
        body.update(THINKING_OFF[route.thinking_switch])
    return {**body, **route.extra_body}


def message_of(message: Message) -> dict[str, Any]:
    """One turn: pictures first, then text."""
    if not message.pictures:
        return {"role": message.role, "content": message.text}
    parts: list[dict[str, Any]] = [
        {
            "type": "image",
            "source": {
                "type": "base64",
                "media_type": picture.media_type,
                "data": b64encode(picture.data).decode("ascii"),
            },
        }
        for picture in message.pictures
    ]
    if message.text:
        parts.append({"type": "text", "text": message.text})
    return {"role": message.role, "content": parts}


@dataclass(slots=True)
class Answer(Growing):
    """What has arrived so far."""

    stop: str | None = None
    ended: bool = False

    def event(self, document: object) -> None:
        """One event of a stream."""
        if not isinstance(document, dict):
            raise malformed(self.route, "an event that is not an object")
        kind = document.get("type")
        if kind == "error" or (kind is None and document.get("error")):
            raise refusal_in_stream(self.route, document.get("error"))
        if kind == "message_start":
            self._message(document.get("message"))
        elif kind == "content_block_start":
            self._block(document.get("content_block"))
        elif kind == "content_block_delta":
            self._block(document.get("delta"))
        elif kind == "message_delta":
            self.usage = merged(self.usage, document.get("usage"))
            self._stop(document.get("delta"))
        elif kind == "message_stop":
            self.ended = True

    def whole(self, document: object) -> None:
        """A whole answer."""
        if isinstance(document, dict) and document.get("type") == "error":
            raise refusal_in_stream(self.route, document.get("error"))
        if not isinstance(document, dict) or not isinstance(document.get("content"), list):
            raise malformed(self.route, "an answer without content")
        self._message(document)
        for block in document["content"]:
            self._block(block)
        self.ended = True

    def _message(self, message: object) -> None:
        if isinstance(message, Mapping):
            self.usage = merged(self.usage, message.get("usage"))
            self.served_by(message)
            self._stop(message)

    def _stop(self, part: object) -> None:
        if isinstance(part, Mapping) and isinstance(part.get("stop_reason"), str):
            self.stop = part["stop_reason"]

    def _block(self, block: object) -> None:
        if not isinstance(block, Mapping):
            return
        self.think(block.get("thinking"))
        self.say(block.get("text"))

    def counted(self) -> tuple[TokenUsage, tuple[str, ...]]:
        return anthropic(self.usage, self.route.usage_convention or "exclusive")

    def ending(self) -> tuple[Finish, tuple[str, ...]]:
        return FINISHES.get(self.stop or "end_turn", "other"), ()


async def _read(opened: Exchange, answer: Answer) -> None:
    if opened.media_type != "text/event-stream":
        answer.whole(parsed(opened.route, await opened.whole()))
        return
    parser = EventParser(limit=opened.route.limits.max_answer_bytes)
    try:
        async for chunk in opened.chunks():
            for event in parser.feed(chunk):
                answer.event(parsed(opened.route, event.data.encode()))
            if answer.ended:
                return
        for event in parser.close():
            answer.event(parsed(opened.route, event.data.encode()))
    except EventTooLargeError as error:
        raise malformed(opened.route, str(error)) from error
    if not answer.ended and answer.stop is None:
        raise cut_off(opened.route)
