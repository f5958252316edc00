"""The chat-completions engine against an endpoint that does everything wrong, one thing at a time."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from typing import Any

import pytest
from scripted_model import ScriptedModel, huge, raw, refuses, says

from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.adapters.http import Http
from deepseekeyes.routing.adapters.openai_chat import OpenAIChat
from deepseekeyes.routing.ports import EngineReply, EngineRequest, Message, Picture

pytestmark = pytest.mark.service

ENGINE = OpenAIChat()
PIXELS = Picture(b"\x89PNG-bytes", "image/png", 4, 3, "ab" * 32)


def call(route: Any, request: EngineRequest, engine: OpenAIChat = ENGINE) -> EngineReply:
    return asyncio.run(engine.run(route, request))


def failure(route: Any, request: EngineRequest) -> EyesError:
    with pytest.raises(EyesError) as caught:
        call(route, request)
    return caught.value


@pytest.mark.parametrize("stream", [True, False])
def test_a_streamed_and_a_whole_answer_read_the_same(model: ScriptedModel, asked: EngineRequest, stream: bool) -> None:
    model.script(says("Grüße, 世界", reasoning="aside", model="served-name"))
    assert call(model.route(stream=stream), asked) == EngineReply(
        text="Grüße, 世界",
        reasoning="aside",
        finish="stop",
        usage=TokenUsage(input_tokens=10, output_tokens=5),
        served_model="served-name",
    )


def test_the_request_holds_what_was_asked_and_pictures_come_before_text(
    model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EYE_KEY", "sk-secret-value-1")
    monkeypatch.setenv("EYE_EXTRA", "extra-header-value")
    request = EngineRequest(
        "image_to_evidence", (Message("user", "what is this?", (PIXELS, PIXELS)),), max_tokens=256, temperature=0.0
    )
    route = model.route(
        key={"env": "EYE_KEY"}, headers={"X-Extra": {"env": "EYE_EXTRA"}}, image_detail="high", extra_body={"seed": 7}
    )
    call(route, request)
    [sent] = model.requests
    image = {
        "type": "image_url",
        "image_url": {"url": sent.body["messages"][0]["content"][0]["image_url"]["url"], "detail": "high"},
    }
    assert sent.path == "/v1/chat/completions"
    assert sent.headers["authorization"] == "Bearer sk-secret-value-1"
    assert sent.headers["x-extra"] == "extra-header-value"
    assert sent.body == {
        "model": "m",
        "messages": [{"role": "user", "content": [image, image, {"type": "text", "text": "what is this?"}]}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 256,
        "temperature": 0.0,
        "seed": 7,
    }
    prefix, _, data = image["image_url"]["url"].partition(",")
    assert (prefix, b64decode(data)) == ("data:image/png;base64", PIXELS.data)


@pytest.mark.parametrize(
    ("switch", "sent"),
    [
        ("none", {}),
        ("thinking", {"thinking": {"type": "disabled"}}),
        ("enable_thinking", {"enable_thinking": False}),
        ("chat_template_kwargs", {"chat_template_kwargs": {"enable_thinking": False}}),
        ("reasoning", {"reasoning": {"enabled": False}}),
        ("reasoning_effort", {"reasoning_effort": "none"}),
        ("think", {"think": False}),
    ],
)
def test_thinking_is_turned_off_as_the_entry_says(model: ScriptedModel, switch: str, sent: dict[str, Any]) -> None:
    request = EngineRequest("text_to_text", (Message("user", "x"),), thinking="off")
    call(model.route(thinking_switch=switch), request)
    body = model.requests[0].body
    assert {name: body[name] for name in body if name not in ("model", "messages", "stream", "stream_options")} == sent


def test_the_output_budget_goes_by_the_name_the_endpoint_knows(model: ScriptedModel, asked: EngineRequest) -> None:
    call(model.route(max_tokens_field="max_completion_tokens"), asked)
    body = model.requests[0].body
    assert (body.get("max_completion_tokens"), body.get("max_tokens")) == (64, None)


def test_text_arrives_while_it_is_said(model: ScriptedModel) -> None:
    pieces: list[str] = []
    model.script(says("one two three four", pieces=4))
    call(model.route(), EngineRequest("text_to_text", (Message("user", "x"),), on_text=pieces.append))
    assert (len(pieces), "".join(pieces)) == (4, "one two three four")


@pytest.mark.parametrize(
    ("status", "message", "kind", "code"),
    [
        (401, "Incorrect API key provided", "invalid_api_key", "ENGINE_AUTH"),
        (403, "not allowed", "permission_error", "ENGINE_FORBIDDEN"),
        (402, "Insufficient Balance", "error", "ENGINE_QUOTA"),
        (429, "You exceeded your current quota, check billing", "insufficient_quota", "ENGINE_QUOTA"),
        (429, "Too many requests", "rate_limit_error", "ENGINE_RATE_LIMITED"),
        (529, "Overloaded", "overloaded_error", "ENGINE_RATE_LIMITED"),
        (400, "maximum context length is 8192 tokens", "invalid_request_error", "ENGINE_CONTEXT_OVERFLOW"),
        (400, "the request exceeds the available context size", "exceed_context_size_error", "ENGINE_CONTEXT_OVERFLOW"),
        (413, "request too large", "request_too_large", "ENGINE_CONTEXT_OVERFLOW"),
        (400, "max_tokens must be less than 4096", "invalid_request_error", "ENGINE_BUDGET_REJECTED"),
        (400, "image_url is not supported by this model", "invalid_request_error", "ENGINE_IMAGE_UNSUPPORTED"),
        (500, "image input is not supported - hint: provide the mmproj", "server_error", "ENGINE_IMAGE_UNSUPPORTED"),
        (400, "Failed to load image or audio file", "invalid_request_error", "ENGINE_IMAGE_REJECTED"),
        (400, "unknown parameter foo", "invalid_request_error", "ENGINE_BAD_REQUEST"),
        (422, "field required", "error", "ENGINE_BAD_REQUEST"),
        (404, "The model `m` does not exist", "model_not_found", "ENGINE_MODEL_NOT_FOUND"),
        (404, "Not Found", "error", "ENGINE_ENDPOINT_NOT_FOUND"),
        (400, "Model does not exist", "invalid_request_error", "ENGINE_MODEL_NOT_FOUND"),
        (500, "boom", "server_error", "ENGINE_SERVER_ERROR"),
        (502, "bad gateway", "error", "ENGINE_SERVER_ERROR"),
        (503, "Loading model", "unavailable_error", "ENGINE_LOADING"),
        (503, "try later", "error", "ENGINE_SERVER_ERROR"),
        (302, "moved", "error", "ENGINE_ENDPOINT_NOT_FOUND"),
    ],
)
def test_every_refusal_has_its_code(
    model: ScriptedModel, asked: EngineRequest, status: int, message: str, kind: str, code: str
) -> None:
    model.script(refuses(status, message, kind=kind, headers={"location": "http://127.0.0.1:9/"}))
    error = failure(model.route(), asked)
    assert (error.code.name, error.details["dispatched"]) == (code, "yes")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [({"retry-after": "7"}, 7.0), ({"retry-after-ms": "1500"}, 1.5), ({}, None), ({"retry-after": "soon"}, None)],
)
def test_the_wait_an_endpoint_asks_for_is_kept(
    model: ScriptedModel, asked: EngineRequest, headers: dict[str, str], seconds: float | None
) -> None:
    model.script(refuses(429, "slow down", headers=headers))
    assert failure(model.route(), asked).details.get("retryAfterSeconds") == seconds


def test_an_error_page_is_named_and_not_quoted(model: ScriptedModel, asked: EngineRequest) -> None:
    model.script(raw("<html><title>502</title></html>", status=502, content_type="text/html"))
    assert failure(model.route(), asked).message == "Route scripted answered 502: an HTML page"


def test_a_key_that_the_endpoint_echoes_never_reaches_the_message(
    model: ScriptedModel, asked: EngineRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EYE_KEY", "plain-looking-value")
    model.script(refuses(401, "bad key plain-looking-value and sk-abcdefghijklmnop"))
    message = failure(model.route(key={"env": "EYE_KEY"}), asked).message
    assert "plain-looking-value" not in message
    assert "sk-abcdefghijklmnop" not in message


def test_a_key_that_is_not_set_is_named_and_nothing_is_sent(model: ScriptedModel, asked: EngineRequest) -> None:
    error = failure(model.route(key={"env": "NOT_SET_HERE"}), asked)
    assert (error.code.name, model.requests) == ("CREDENTIAL_MISSING", [])


def test_a_key_that_no_header_may_carry_is_refused(
    model: ScriptedModel, asked: EngineRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EYE_KEY", "first\nsecond: header")
    error = failure(model.route(key={"env": "EYE_KEY"}), asked)
    assert (error.code.name, model.requests, "second" in error.message) == ("ENGINE_AUTH", [], False)


def test_plain_http_beyond_loopback_is_refused_unless_the_entry_allows_it(
    asked: EngineRequest, model: ScriptedModel
) -> None:
    far = model.route(base_url="http://models.example.invalid/v1")
    assert failure(far, asked).code.name == "ENGINE_URL_REFUSED"


def test_a_closed_port_is_unreachable_and_nothing_was_sent(model: ScriptedModel, asked: EngineRequest) -> None:
    error = failure(model.route(base_url="http://127.0.0.1:9/v1"), asked)
    assert (error.code.name, error.details["dispatched"]) == ("ENGINE_UNREACHABLE", "no")


def test_a_slow_first_byte_is_a_timeout_that_names_its_limit(model: ScriptedModel, asked: EngineRequest) -> None:
    model.script(says(hold_before=True))
    error = failure(model.route(limits={"first_byte_timeout_s": 0.15}), asked)
    model.release()
    assert (error.code.name, error.details) == (
        "ENGINE_TIMEOUT",
        {
            "dispatched": "unknown",
            "limit": {
                "name": "first_byte_timeout_s",
                "value": 0.15,
                "setting": "routes.scripted.limits.first_byte_timeout_s",
            },
        },
    )


def test_a_whole_call_has_its_own_limit(model: ScriptedModel, asked: EngineRequest) -> None:
    model.script(says(hold_before=True))
    error = failure(model.route(limits={"timeout_s": 0.15}), asked)
    model.release()
    assert error.details["limit"]["name"] == "timeout_s"


@pytest.mark.parametrize("engine", ["openai_chat"])
def test_a_cut_stream_keeps_the_tokens_it_told(model: ScriptedModel, asked: EngineRequest, engine: str) -> None:
    model.script(says("a long answer", cut_after=2, usages=[{"prompt_tokens": 9, "completion_tokens": 1}]))
    error = failure(model.route(engine), asked)
    assert (error.code.name, error.details["usage"]["inputTokens"], error.details["usage"]["outputTokens"]) == (
        "INCOMPLETE_STREAM",
        9,
        1,
    )


def test_a_stream_that_just_ends_is_incomplete(model: ScriptedModel, asked: EngineRequest) -> None:
    model.script(says("half", done=False))
    assert failure(model.route(), asked).code.name == "INCOMPLETE_STREAM"


@pytest.mark.parametrize("stream", [True, False])
def test_a_huge_answer_is_dropped_at_its_limit(model: ScriptedModel, asked: EngineRequest, stream: bool) -> None:
    model.script(huge(20_000_000))
    error = failure(model.route(stream=stream), asked)
    assert (error.code.name, error.details["limit"]["value"]) == ("ANSWER_TOO_LARGE", 8_388_608)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<html>login</html>", "text/html"),
        ("hello", "text/plain"),
        ("{not json", "application/json"),
        ("[]", "application/json"),
        ('{"choices": []}', "application/json"),
        ('"text"', "application/json"),
        ("", "application/json"),
    ],
)
def test_an_answer_in_another_form_is_malformed(
    model: ScriptedModel, asked: EngineRequest, body: str, content_type: str
) -> None:
    model.script(raw(body, content_type=content_type))
    assert failure(model.route(), asked).code.name == "ENGINE_MALFORMED"


def test_a_whole_answer_to_a_stream_request_is_taken(model: ScriptedModel, asked: EngineRequest) -> None:
    model.script(raw(json.dumps({"choices": [{"message": {"content": "whole"}, "finish_reason": "stop"}]})))
    assert call(model.route(), asked).text == "whole"


def test_events_under_another_content_type_are_taken(model: ScriptedModel, asked: EngineRequest) -> None:
    events = 'data: {"choices": [{"delta": {"content": "hi"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
    model.script(raw(events, content_type="text/plain"))
    assert call(model.route(), asked).text == "hi"


def test_content_in_parts_and_the_old_text_field_are_read(model: ScriptedModel, asked: EngineRequest) -> None:
    parts = {"message": {"content": [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]}}
    model.script(raw(json.dumps({"choices": [parts]})), raw(json.dumps({"choices": [{"text": "legacy"}]})))
    assert [call(model.route(), asked).text for _ in range(2)] == ["ab", "legacy"]


def test_an_error_inside_a_stream_is_a_stated_failure(model: ScriptedModel, asked: EngineRequest) -> None:
    model.script(
        says("start", error_in_stream={"message": "provider exploded", "code": 502}),
        says("start", error_in_stream={"message": "Overloaded", "type": "overloaded_error"}),
        says("start", error_in_stream="plain words"),
    )
    assert [failure(model.route(), asked).code.name for _ in range(3)] == [
        "ENGINE_SERVER_ERROR",
        "ENGINE_RATE_LIMITED",
        "ENGINE_FAILED",
    ]


def test_cumulative_usage_in_every_chunk_counts_once(model: ScriptedModel, asked: EngineRequest) -> None:
    """U03."""
    told = [{"prompt_tokens": 100, "completion_tokens": n} for n in (1, 2, 3)]
    model.script(says("abc", usages=told, usage={"prompt_tokens": 100, "completion_tokens": 4, "total_tokens": 104}))
    assert call(model.route(), asked).usage == TokenUsage(input_tokens=100, output_tokens=4)


@pytest.mark.parametrize(
    ("word", "finish"),
    [("stop", "stop"), ("length", "max-tokens"), ("content_filter", "content-filter"), ("weird", "other")],
)
def test_each_finish_has_its_meaning(model: ScriptedModel, asked: EngineRequest, word: str, finish: str) -> None:
    model.script(says("x", finish=word))
    assert call(model.route(), asked).finish == finish


def test_an_empty_answer_comes_with_its_reasoning_apart(model: ScriptedModel, asked: EngineRequest) -> None:
    model.script(says("", reasoning='{"summary": "x"}', finish="length"))
    reply = call(model.route(), asked)
    assert (reply.text, reply.reasoning, reply.finish) == ("", '{"summary": "x"}', "max-tokens")


def test_connections_are_shared_while_the_way_out_is_open(model: ScriptedModel, asked: EngineRequest) -> None:
    async def twice() -> list[str]:
        async with Http() as http:
            engine = OpenAIChat(http)
            return [(await engine.run(model.route(stream=False), asked)).text for _ in range(2)]

    assert asyncio.run(twice()) == ["hello", "hello"]
