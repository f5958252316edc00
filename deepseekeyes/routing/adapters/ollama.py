"""Ollama's own protocol: JSON lines, raw base64 pictures, and what a model says it can do."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing import codes
from deepseekeyes.routing.adapters.http import Exchange, Http, address, credentials, exchange
from deepseekeyes.routing.adapters.openai_chat import malformed, parsed
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
        sent = json.dumps(body_of(route, request), ensure_ascii=False, separators=(",", ":")).encode()
        answer = Answer(route, request)
        try:
            async with exchange(self.http, route, "POST", url, headers=headers, body=sent) as opened:
                await _read(opened, answer)
        except EyesError as error:
            raise answer.with_usage(error) from error.__cause__
        return answer.reply()


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
class Answer:
    """What has arrived so far."""

    route: Route
    request: EngineRequest
    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    usage: dict[str, Any] = field(default_factory=dict)
    reason: str | None = None
    model: str | None = None
    done: bool = False

    def take(self, document: object) -> None:
        """One line of a stream, or a whole answer."""
        if not isinstance(document, dict):
            raise malformed(self.route, "a line that is not an object")
        if document.get("error"):
            raise refusal_in_stream(self.route, document["error"])
        message = document.get("message")
        if isinstance(message, Mapping):
            self._say(message)
        if isinstance(document.get("model"), str):
            self.model = document["model"]
        if document.get("done") is True:
            self.usage = merged(self.usage, document)
            self.reason = str(document.get("done_reason") or "stop")
            self.done = True

    def _say(self, message: Mapping[str, Any]) -> None:
        text, thought = message.get("content"), message.get("thinking")
        if isinstance(thought, str) and thought:
            self.reasoning.append(thought)
        if isinstance(text, str) and text:
            self.text.append(text)
            if self.request.on_text is not None:
                self.request.on_text(text)

    def reply(self) -> EngineReply:
        """The whole answer."""
        usage, notes = ollama(self.usage)
        window = self.route.limits.context_tokens
        if window is not None and usage.input_tokens is not None and usage.input_tokens >= window:
            notes = (*notes, CONTEXT_FILLED)
        return EngineReply(
            text="".join(self.text),
            reasoning="".join(self.reasoning),
            finish=FINISHES.get(self.reason or "", "other"),
            usage=usage,
            served_model=self.model,
            notes=notes,
        )

    def with_usage(self, error: EyesError) -> EyesError:
        """The failure, carrying what was spent before it."""
        if self.usage:
            usage, _ = ollama(self.usage)
            error.details["usage"] = usage.model_dump(mode="json", by_alias=True)
        return error


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
        raise EyesError(
            codes.INCOMPLETE_STREAM,
            f"The stream of route {opened.route.id} ended before the answer was whole.",
            details={"dispatched": "unknown"},
        )


def _take(answer: Answer, lines: list[bytes]) -> None:
    for line in lines:
        if line.strip():
            answer.take(parsed(answer.route, line))
