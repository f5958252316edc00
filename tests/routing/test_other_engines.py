"""Messages, Ollama and replay: the same work over other protocols."""

from __future__ import annotations

import asyncio
import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from scripted_model import ScriptedModel, huge, raw, refuses, says

from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing import codes
from deepseekeyes.routing.adapters.anthropic_messages import AnthropicMessages
from deepseekeyes.routing.adapters.ollama import Ollama
from deepseekeyes.routing.adapters.openai_chat import OpenAIChat
from deepseekeyes.routing.adapters.replay import Recorded, Replay, exchange_key
from deepseekeyes.routing.ports import Engine, EngineReply, EngineRequest, Message, Picture

pytestmark = pytest.mark.service

ENGINES: dict[str, Engine] = {
    "openai_chat": OpenAIChat(),
    "anthropic_messages": AnthropicMessages(),
    "ollama": Ollama(),
}
OTHERS = ["anthropic_messages", "ollama"]
PIXELS = Picture(b"\x89PNG-bytes", "image/png", 4, 3, "ab" * 32)
LOOK = EngineRequest(
    "image_to_evidence",
    (Message("system", "be exact"), Message("user", "what is this?", (PIXELS,))),
    max_tokens=256,
    temperature=0.0,
)


def call(engine: str, route: Any, request: EngineRequest) -> EngineReply:
    return asyncio.run(ENGINES[engine].run(route, request))


def failure(engine: str, route: Any, request: EngineRequest) -> EyesError:
    with pytest.raises(EyesError) as caught:
        call(engine, route, request)
    return caught.value


@pytest.mark.parametrize("engine", OTHERS)
@pytest.mark.parametrize("stream", [True, False])
def test_streamed_and_whole_answers_read_the_same(
    model: ScriptedModel, asked: EngineRequest, engine: str, stream: bool
) -> None:
    model.script(says("Grüße, 世界", reasoning="aside", model="served-name"))
    assert call(engine, model.route(engine, stream=stream), asked) == EngineReply(
        text="Grüße, 世界",
        reasoning="aside",
        finish="stop",
        usage=TokenUsage(input_tokens=10, output_tokens=5),
        served_model="served-name",
    )


def test_the_messages_request_is_as_the_protocol_wants(model: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EYE_KEY", "some-key-value")
    call("anthropic_messages", model.route("anthropic_messages", key={"env": "EYE_KEY"}), LOOK)
    [sent] = model.requests
    image = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": b64encode(PIXELS.data).decode()},
    }
    assert (sent.path, sent.headers["x-api-key"], sent.headers["anthropic-version"]) == (
        "/v1/messages",
        "some-key-value",
        "2023-06-01",
    )
    assert sent.body == {
        "model": "m",
        "max_tokens": 256,
        "messages": [{"role": "user", "content": [image, {"type": "text", "text": "what is this?"}]}],
        "stream": True,
        "system": "be exact",
        "temperature": 0.0,
    }


def test_messages_always_carry_a_budget_and_may_live_below_a_sub_path(model: ScriptedModel) -> None:
    request = EngineRequest("text_to_text", (Message("user", "x"),), thinking="off")
    route = model.route("anthropic_messages", base_url=f"{model.root}/anthropic", thinking_switch="thinking")
    call("anthropic_messages", route, request)
    assert model.requests[0].path == "/anthropic/v1/messages"
    assert model.requests[0].body["max_tokens"] == 8192
    assert model.requests[0].body["thinking"] == {"type": "disabled"}


def test_the_ollama_request_is_as_the_protocol_wants(model: ScriptedModel) -> None:
    route = model.route(
        "ollama", limits={"context_tokens": 4096}, options={"keep_alive": "10m"}, thinking_switch="think"
    )
    call("ollama", route, EngineRequest(LOOK.capability, LOOK.messages, 256, 0.0, thinking="off"))
    [sent] = model.requests
    assert sent.path == "/api/chat"
    assert sent.body == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "be exact"},
            {"role": "user", "content": "what is this?", "images": [b64encode(PIXELS.data).decode()]},
        ],
        "stream": True,
        "options": {"num_predict": 256, "temperature": 0.0, "num_ctx": 4096},
        "keep_alive": "10m",
        "think": False,
    }


def test_usage_of_a_messages_stream_merges_by_field(model: ScriptedModel, asked: EngineRequest) -> None:
    start = {"input_tokens": 25, "cache_read_input_tokens": 100, "output_tokens": 1}
    model.script(says("x", usages=[start], usage={"output_tokens": 15}))
    assert call("anthropic_messages", model.route("anthropic_messages"), asked).usage == TokenUsage(
        input_tokens=25, cache_read_tokens=100, output_tokens=15
    )


def test_a_full_window_is_noted_since_ollama_cuts_without_a_word(model: ScriptedModel, asked: EngineRequest) -> None:
    model.script(says("x", usage={"prompt_eval_count": 4096, "eval_count": 5}))
    reply = call("ollama", model.route("ollama", limits={"context_tokens": 4096}), asked)
    assert reply.notes == ("context-filled",)


@pytest.mark.parametrize("engine", OTHERS)
@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        (refuses(401, "bad key", kind="authentication_error"), "ENGINE_AUTH"),
        (refuses(404, "model 'm' not found", kind="not_found_error"), "ENGINE_MODEL_NOT_FOUND"),
        (refuses(429, "slow down", kind="rate_limit_error"), "ENGINE_RATE_LIMITED"),
        (refuses(500, "boom", kind="api_error"), "ENGINE_SERVER_ERROR"),
        (says("a long answer", cut_after=1), "INCOMPLETE_STREAM"),
        (says("half", done=False), "INCOMPLETE_STREAM"),
        (says("x", error_in_stream="the runner has unexpectedly stopped"), "ENGINE_FAILED"),
        (raw("<html></html>", content_type="text/html"), "ENGINE_MALFORMED"),
        (raw("[1]"), "ENGINE_MALFORMED"),
    ],
)
def test_every_failure_has_its_code(
    model: ScriptedModel, asked: EngineRequest, engine: str, behaviour: Any, code: str
) -> None:
    model.script(behaviour)
    assert failure(engine, model.route(engine), asked).code.name == code


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("overloaded_error", "ENGINE_RATE_LIMITED"),
        ("rate_limit_error", "ENGINE_RATE_LIMITED"),
        ("billing_error", "ENGINE_QUOTA"),
        ("authentication_error", "ENGINE_AUTH"),
        ("api_error", "ENGINE_SERVER_ERROR"),
        ("invalid_request_error", "ENGINE_BAD_REQUEST"),
        ("never_seen_error", "ENGINE_FAILED"),
    ],
)
def test_an_error_event_of_messages_keeps_what_was_spent(
    model: ScriptedModel, asked: EngineRequest, kind: str, code: str
) -> None:
    model.script(says("x", error_in_stream={"type": kind, "message": "sorry"}))
    error = failure("anthropic_messages", model.route("anthropic_messages"), asked)
    assert (error.code.name, error.details["usage"]["inputTokens"]) == (code, 10)


@pytest.mark.parametrize("engine", OTHERS)
def test_a_slow_first_byte_and_a_huge_answer_are_bounded(
    model: ScriptedModel, asked: EngineRequest, engine: str
) -> None:
    model.script(says(hold_before=True), huge(3_000_000))
    assert (
        failure(engine, model.route(engine, limits={"first_byte_timeout_s": 0.1}), asked).code.name == "ENGINE_TIMEOUT"
    )
    model.release()
    error = failure(engine, model.route(engine, limits={"max_answer_bytes": 100_000}), asked)
    assert error.code.name == "ANSWER_TOO_LARGE"


@pytest.mark.parametrize(
    ("engine", "word", "finish"),
    [
        ("anthropic_messages", "length", "max-tokens"),
        ("anthropic_messages", "refusal", "content-filter"),
        ("anthropic_messages", "pause_turn", "other"),
        ("ollama", "length", "max-tokens"),
        ("ollama", "load", "other"),
    ],
)
def test_each_finish_has_its_meaning(
    model: ScriptedModel, asked: EngineRequest, engine: str, word: str, finish: str
) -> None:
    model.script(says("x", finish=word))
    assert call(engine, model.route(engine), asked).finish == finish


def replay_route(model: ScriptedModel, path: Path) -> Any:
    return model.route("replay", base_url=None, options={"recording": str(path)})


def test_a_recording_plays_back_the_same_answers_in_order(model: ScriptedModel, tmp_path: Path) -> None:
    path = tmp_path / "exchanges.jsonl"
    model.script(says("first"), says("second", reasoning="aside"))
    with path.open("w") as out:
        recorder = Recorded(OpenAIChat(), lambda line: print(line, file=out))
        live = [asyncio.run(recorder.run(model.route(), LOOK)) for _ in range(2)]
    engine = Replay()
    played = [asyncio.run(engine.run(replay_route(model, path), LOOK)) for _ in range(3)]
    assert played == [*live, live[1]]
    assert len(model.requests) == 2


def test_a_recording_holds_no_secret_and_no_question(
    model: ScriptedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EYE_KEY", "plain-looking-value")
    model.script(says("your key is plain-looking-value"), refuses(401, "bad key plain-looking-value"))
    lines: list[str] = []
    recorder = Recorded(OpenAIChat(), lines.append)
    route = model.route(key={"env": "EYE_KEY"})
    asyncio.run(recorder.run(route, LOOK))
    with pytest.raises(EyesError):
        asyncio.run(recorder.run(route, LOOK))
    assert len(lines) == 2
    assert "plain-looking-value" not in "".join(lines)
    assert "what is this?" not in "".join(lines)
    assert json.loads(lines[1])["error"]["code"] == "ENGINE_AUTH"


def test_a_recorded_failure_fails_again(model: ScriptedModel, tmp_path: Path) -> None:
    path = tmp_path / "exchanges.jsonl"
    model.script(refuses(429, "slow"))
    lines: list[str] = []
    with pytest.raises(EyesError):
        asyncio.run(Recorded(OpenAIChat(), lines.append).run(model.route(), LOOK))
    path.write_text("\n".join(lines))
    with pytest.raises(EyesError) as caught:
        asyncio.run(Replay().run(replay_route(model, path), LOOK))
    assert (caught.value.code.name, caught.value.kind) == ("ENGINE_RATE_LIMITED", "unavailable")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (None, "RECORDING_MISSING"),
        ("", "RECORDING_MISSING"),
        ("{", "RECORDING_INVALID"),
        ('{"schema": "deepseekeyes.recording.v2", "key": "x"}', "RECORDING_INVALID"),
        ('{"schema": "deepseekeyes.recording.v1", "key": "KEY"}', "RECORDING_INVALID"),
        (
            '{"schema": "deepseekeyes.recording.v1", "key": "KEY", "reply": {"usage": {"inputTokens": -1}}}',
            "RECORDING_INVALID",
        ),
    ],
)
def test_a_recording_that_does_not_serve_says_why(
    model: ScriptedModel, tmp_path: Path, text: str | None, code: str
) -> None:
    path = tmp_path / "exchanges.jsonl"
    if text is not None:
        path.write_text(text.replace("KEY", exchange_key(LOOK)))
    with pytest.raises(EyesError) as caught:
        asyncio.run(Replay().run(replay_route(model, path), LOOK))
    assert caught.value.code.name == code
    assert codes.RECORDING_MISSING.kind == "input"
