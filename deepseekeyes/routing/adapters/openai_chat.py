"""The chat-completions protocol, as served by OpenAI-compatible endpoints of every kind."""

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
from deepseekeyes.routing.sse import Event, EventParser, EventTooLargeError
from deepseekeyes.routing.usage_fields import merged, openai

FINISHES: Final[Mapping[str, Finish]] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "length": "max-tokens",
    "max_tokens": "max-tokens",
    "tool_calls": "tool-calls",
    "function_call": "tool-calls",
    "content_filter": "content-filter",
    "safety": "content-filter",
}
REASONING_FIELDS: Final = ("reasoning_content", "reasoning", "thinking")
DONE: Final = "[DONE]"
THINKING_OFF: Final[Mapping[str, Mapping[str, Any]]] = {
    "none": {},
    "thinking": {"thinking": {"type": "disabled"}},
    "enable_thinking": {"enable_thinking": False},
    "chat_template_kwargs": {"chat_template_kwargs": {"enable_thinking": False}},
    "reasoning": {"reasoning": {"enabled": False}},
    "reasoning_effort": {"reasoning_effort": "none"},
    "think": {"think": False},
}


@dataclass(frozen=True, slots=True)
class OpenAIChat:
    """`Engine` over POST `{base_url}/chat/completions`; streams unless the route says otherwise."""

    http: Http = field(default_factory=Http)

    async def run(self, route: Route, request: EngineRequest) -> EngineReply:
        """One call.

        Raises:
            EyesError: what the endpoint refused, `ENGINE_UNREACHABLE`, `ENGINE_TIMEOUT`, `INCOMPLETE_STREAM`,
                `ENGINE_MALFORMED`, `ANSWER_TOO_LARGE`, `CREDENTIAL_MISSING`. `details.usage` holds what was spent.
        """
        url = address(route, "/chat/completions")
        headers = {
            "accept": "text/event-stream, application/json",
            "content-type": "application/json",
            **credentials(route, "bearer"),
        }
        return await answered(self.http, url, headers, body_of(route, request), Answer(route, request), _read)


def body_of(route: Route, request: EngineRequest) -> dict[str, Any]:
    """The request body."""
    body: dict[str, Any] = {
        "model": route.model,
        "messages": [message_of(route, message) for message in request.messages],
        "stream": route.stream,
    }
    if route.stream and route.options.get("stream_usage", True):
        body["stream_options"] = {"include_usage": True}
    if request.max_tokens is not None:
        body[route.max_tokens_field] = request.max_tokens
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if request.thinking == "off":
        body.update(THINKING_OFF[route.thinking_switch])
    return _with_extras(body, route.extra_body)


def message_of(route: Route, message: Message) -> dict[str, Any]:
    """One turn: a plain string without pictures, else parts with the pictures first."""
    if not message.pictures:
        return {"role": message.role, "content": message.text}
    parts: list[dict[str, Any]] = []
    for picture in message.pictures:
        url = f"data:{picture.media_type};base64,{b64encode(picture.data).decode('ascii')}"
        image = {"url": url} if route.image_detail is None else {"url": url, "detail": route.image_detail}
        parts.append({"type": "image_url", "image_url": image})
    if message.text:
        parts.append({"type": "text", "text": message.text})
    return {"role": message.role, "content": parts}


def _with_extras(body: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    for name, value in extra.items():
        before = body.get(name)
        body[name] = {**value, **before} if isinstance(before, dict) and isinstance(value, dict) else value
    return body


@dataclass(slots=True)
class Answer(Growing):
    """What has arrived so far."""

    finish: str | None = None
    done: bool = False

    def take(self, document: object) -> None:
        """One chunk of a stream, or a whole answer."""
        if not isinstance(document, dict):
            raise malformed(self.route, "an answer that is not an object")
        if document.get("error"):
            raise refusal_in_stream(self.route, document["error"])
        self.usage = merged(self.usage, document.get("usage"))
        self.served_by(document)
        choices = document.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, dict) and choice.get("index", 0) in (0, None):
                self._choice(choice)

    def _choice(self, choice: Mapping[str, Any]) -> None:
        self.usage = merged(self.usage, choice.get("usage"))
        part = choice.get("delta") or choice.get("message")
        if isinstance(part, Mapping):
            self.say(text_of(part.get("content")) or text_of(part.get("refusal")))
            self.think(next((text_of(part.get(name)) for name in REASONING_FIELDS if part.get(name)), ""))
        else:
            self.say(text_of(choice.get("text")))
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            if reason == "error":
                raise refusal_in_stream(self.route, choice.get("error") or "the provider ended with an error")
            self.finish = reason

    def counted(self) -> tuple[TokenUsage, tuple[str, ...]]:
        return openai(self.usage, self.route.usage_convention or "inclusive")

    def ending(self) -> tuple[Finish, tuple[str, ...]]:
        finish = FINISHES.get((self.finish or "stop").lower(), "other")
        return finish, () if self.finish is not None else ("finish-not-stated",)


def text_of(content: object) -> str:
    """Text of a content field: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "".join(
        part["text"]
        for part in content
        if isinstance(part, Mapping) and part.get("type", "text") == "text" and isinstance(part.get("text"), str)
    )


async def _read(opened: Exchange, answer: Answer) -> None:
    """Read a stream or a whole answer, whichever the endpoint chose to send."""
    if opened.media_type == "text/event-stream":
        await _read_stream(opened, answer)
        return
    raw = await opened.whole()
    if raw.lstrip()[:5] == b"data:":
        parser = EventParser()
        _take_events(answer, [*parser.feed(raw), *parser.close()])
        _check_end(answer)
        return
    if "json" not in opened.media_type and raw.lstrip()[:1] != b"{":
        raise malformed(opened.route, f"{opened.media_type or 'no media type'} instead of JSON")
    document = parsed(opened.route, raw)
    answer.take(document)
    if not isinstance(document, dict) or not isinstance(document.get("choices"), list) or not document["choices"]:
        raise malformed(opened.route, "an answer without choices")


async def _read_stream(opened: Exchange, answer: Answer) -> None:
    parser = EventParser(limit=opened.route.limits.max_answer_bytes)
    try:
        async for chunk in opened.chunks():
            _take_events(answer, parser.feed(chunk))
            if answer.done:
                return
        _take_events(answer, parser.close())
    except EventTooLargeError as error:
        raise malformed(opened.route, str(error)) from error
    _check_end(answer)


def _take_events(answer: Answer, events: list[Event]) -> None:
    for event in events:
        if event.data.strip() == DONE:
            answer.done = True
            return
        answer.take(parsed(answer.route, event.data.encode()))


def _check_end(answer: Answer) -> None:
    if answer.finish is None and not answer.done:
        raise cut_off(answer.route)
