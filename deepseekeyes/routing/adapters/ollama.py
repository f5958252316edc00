"""Ollama's own protocol: JSON lines, raw base64 pictures, and what a model says it can do."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.routing.adapters.answering import Growing, answered, cut_off, malformed, parsed
from deepseekeyes.routing.adapters.http import Exchange, Http, address, credentials
from deepseekeyes.routing.adapters.refusals import refusal_in_stream
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.ports import EngineReply, EngineRequest, Finish, Message
from deepseekeyes.routing.sse import EventTooLargeError, Lines
from deepseekeyes.routing.usage_fields import merged, ollama

FINISHES: Final[Mapping[str, Finish]] = {"stop": "stop", "length": "max-tokens"}
CONTEXT_FILLED: Final = "context-filled"
PASSED_ON: Final = ("keep_alive", "format")


@dataclass(frozen=True, slots=True)
class Ollama:
    """`Engine` over POST `{base_url}/api/chat`."""

    http: Http = field(default_factory=Http)

    async def run(self, route: Route, request: EngineRequest) -> EngineReply:
        """One call.

        Raises:
            EyesError: as `OpenAIChat.run`.
        """
        url = address(route, "/api/chat")
        headers = {"content-type": "application/json", **credentials(route, "bearer")}
        return await answered(self.http, url, headers, body_of(route, request), Answer(route, request), _read)


def body_of(route: Route, request: EngineRequest) -> dict[str, Any]:
    """The request body. The window is always sent when known: the engine cuts longer input without a word."""
    options: dict[str, Any] = {}
    if request.max_tokens is not None:
        options["num_predict"] = request.max_tokens
    if request.temperature is not None:
        options["temperature"] = request.temperature
    if route.limits.context_tokens is not None:
        options["num_ctx"] = route.limits.context_tokens
    body: dict[str, Any] = {
        "model": route.model,
        "messages": [message_of(message) for message in request.messages],
        "stream": route.stream,
        "options": options,
    }
    body.update({name: route.options[name] for name in PASSED_ON if name in route.options})
    if request.thinking == "off" and route.thinking_switch != "none":
        body["think"] = False
    extra = dict(route.extra_body)
    if isinstance(extra.get("options"), Mapping):
        extra["options"] = {**extra["options"], **options}
    return {**body, **extra}


def message_of(message: Message) -> dict[str, Any]:
    """One turn; pictures travel as bare base64."""
    turn: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.pictures:
        turn["images"] = [b64encode(picture.data).decode("ascii") for picture in message.pictures]
    return turn


@dataclass(slots=True)
class Answer(Growing):
    """What has arrived so far."""

    reason: str | None = None
    done: bool = False

    def take(self, document: object) -> None:
        """One line of a stream, or a whole answer."""
        if not isinstance(document, dict):
            raise malformed(self.route, "a line that is not an object")
        if document.get("error"):
            raise refusal_in_stream(self.route, document["error"])
        message = document.get("message")
        if isinstance(message, Mapping):
            self.think(message.get("thinking"))
            self.say(message.get("content"))
        self.served_by(document)
        if document.get("done") is True:
            self.usage = merged(self.usage, document)
            self.reason = str(document.get("done_reason") or "stop")
            self.done = True

    def counted(self) -> tuple[TokenUsage, tuple[str, ...]]:
        usage, notes = ollama(self.usage)
        window = self.route.limits.context_tokens
        full = window is not None and usage.input_tokens is not None and usage.input_tokens >= window
        return usage, (*notes, CONTEXT_FILLED) if full else notes

    def ending(self) -> tuple[Finish, tuple[str, ...]]:
        return FINISHES.get(self.reason or "", "other"), ()


async def _read(opened: Exchange, answer: Answer) -> None:
    lines = Lines(opened.route.limits.max_answer_bytes)
    try:
        async for chunk in opened.chunks():
            _take(answer, lines.feed(chunk))
            if answer.done:
                return
    except EventTooLargeError as error:
        raise malformed(opened.route, str(error)) from error
    _take(answer, [lines.rest()])
    if not answer.done:
        raise cut_off(opened.route)


def _take(answer: Answer, lines: list[bytes]) -> None:
    for line in lines:
        if line.strip():
            answer.take(parsed(answer.route, line))
