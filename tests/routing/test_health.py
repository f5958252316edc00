"""Is it up? Asked once, believed for a while, and what engines say about pictures."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from scripted_model import ScriptedModel, raw, refuses, says

from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.adapters.probers import AnthropicProber, OllamaProber, OpenAIProber
from deepseekeyes.routing.health import HealthGate
from deepseekeyes.routing.ports import Readied
from deepseekeyes.routing.reported import lists_model, llama_props, ollama_show, openai_listing
from deepseekeyes.routing.settings import RoutingSettings

PROBERS = {"openai_chat": OpenAIProber(), "anthropic_messages": AnthropicProber(), "ollama": OllamaProber()}


def seen(engine: str, route: Any) -> str:
    return asyncio.run(PROBERS[engine].probe(route, 2.0))


def failure(engine: str, route: Any, timeout_s: float = 2.0) -> EyesError:
    with pytest.raises(EyesError) as caught:
        asyncio.run(PROBERS[engine].probe(route, timeout_s))
    return caught.value


def test_each_engine_is_asked_in_its_own_way(model: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EYE_KEY", "some-key-value")
    key = {"env": "EYE_KEY"}
    told = {engine: seen(engine, model.route(engine, key=key)) for engine in PROBERS}
    assert told == {
        "openai_chat": "healthy, lists the model",
        "anthropic_messages": "answers, lists the model",
        "ollama": "up, version 0.12.0, pictures: yes",
    }
    assert [(one.path, one.headers.get("authorization"), one.headers.get("x-api-key")) for one in model.requests] == [
        ("/health", None, None),
        ("/v1/models", "Bearer some-key-value", None),
        ("/v1/models", None, "some-key-value"),
        ("/api/version", "Bearer some-key-value", None),
        ("/api/show", "Bearer some-key-value", None),
    ]


@pytest.mark.parametrize(
    ("status", "code"), [(401, "ENGINE_AUTH"), (403, "ENGINE_FORBIDDEN"), (500, "ENGINE_SERVER_ERROR")]
)
def test_a_refused_key_shows_at_the_model_list(model: ScriptedModel, status: int, code: str) -> None:
    model.pages["/v1/models"] = refuses(status, "no")
    error = failure("openai_chat", model.route())
    assert (error.code.name, error.details["dispatched"]) == (code, "no")


def test_an_engine_that_still_loads_is_told_apart(model: ScriptedModel) -> None:
    model.pages["/health"] = refuses(503, "Loading model")
    assert failure("openai_chat", model.route()).code.name == "ENGINE_LOADING"


@pytest.mark.parametrize(
    ("health", "models", "told"),
    [
        (refuses(404), raw('{"data": [{"id": "m"}]}'), "answers, lists the model"),
        (refuses(401), raw('{"data": [{"id": "other"}]}'), "answers, does not list the model"),
        (raw("ok", content_type="text/plain"), refuses(404), "answers, no model list"),
        (raw('{"status": "ok"}'), raw('{"data": []}'), "healthy, an empty model list"),
        (refuses(415), refuses(405), "answers, no model list"),
    ],
)
def test_missing_pages_do_not_make_an_endpoint_ill(model: ScriptedModel, health: Any, models: Any, told: str) -> None:
    model.pages.update({"/health": health, "/v1/models": models})
    assert seen("openai_chat", model.route()) == told


def test_a_closed_port_and_a_silent_one_are_told_apart(model: ScriptedModel) -> None:
    assert failure("openai_chat", model.route(base_url="http://127.0.0.1:9/v1")).code.name == "ENGINE_UNREACHABLE"
    model.pages["/health"] = says(hold_before=True)
    assert failure("openai_chat", model.route(), 0.1).code.name == "ENGINE_TIMEOUT"
    model.release()


def test_ollama_names_a_model_it_lacks(model: ScriptedModel) -> None:
    model.pages["/api/show"] = refuses(404, "model 'm' not found")
    assert failure("ollama", model.route("ollama")).code.name == "ENGINE_MODEL_NOT_FOUND"


class Counting:
    def __init__(self, *plays: Any) -> None:
        self.plays = list(plays)
        self.asked = 0

    async def probe(self, route: Any, timeout_s: float) -> str:
        self.asked += 1
        play = self.plays.pop(0)
        if isinstance(play, Exception):
            raise play
        return str(play)


def ready(gate: HealthGate, route: Any, **more: Any) -> Readied:
    return asyncio.run(gate.ready(route, "image_to_evidence", **more))


def test_a_good_answer_is_believed_for_its_time_and_for_that_entry_only(bench: Any, make_entry: Any) -> None:
    """13.1-17."""
    prober = Counting("up", "up again", "another", "asked for")
    gate = HealthGate({"openai_chat": prober}, bench.states)
    route = make_entry("a")
    assert ready(gate, route) == Readied("fresh", "up")
    bench.hand.advance(59.999)
    assert ready(gate, route) == Readied("cached", "up")
    bench.hand.advance(0.001)
    assert ready(gate, route) == Readied("fresh", "up again")
    assert ready(gate, make_entry("a", model="other")) == Readied("fresh", "another")
    assert ready(gate, make_entry("a", model="other"), fresh=True) == Readied("fresh", "asked for")
    assert prober.asked == 4


def test_a_bad_answer_is_shown_and_asked_again(bench: Any, make_entry: Any) -> None:
    from deepseekeyes.routing import codes

    prober = Counting(EyesError(codes.ENGINE_AUTH, "no"), "up")
    gate = HealthGate({"openai_chat": prober}, bench.states)
    with pytest.raises(EyesError):
        ready(gate, make_entry("a"))
    known = bench.states.health(make_entry("a"))
    assert (known.code, known.detail) == ("ENGINE_AUTH", "no")
    assert ready(gate, make_entry("a")) == Readied("fresh", "up")


def test_a_reset_forgets_health_too(bench: Any, make_entry: Any) -> None:
    gate = HealthGate({"openai_chat": Counting("up", "up")}, bench.states)
    ready(gate, make_entry("a"))
    assert bench.states.reset() == ("a",)
    assert bench.states.health(make_entry("a")) is None


def test_no_check_is_made_when_it_is_off_or_nothing_could_be_asked(bench: Any, make_entry: Any) -> None:
    bench.settings = RoutingSettings(health_check=False)
    gate = HealthGate({"openai_chat": Counting("up")}, bench.states)
    assert ready(gate, make_entry("a")) == Readied("none")
    assert ready(gate, make_entry("b", engine="local", base_url=None)) == Readied("none")
    assert ready(gate, make_entry("a"), fresh=True) == Readied("fresh", "up")


@pytest.mark.parametrize(
    ("document", "vision"),
    [
        ({"capabilities": ["completion", "vision"]}, "yes"),
        ({"capabilities": ["completion"]}, "no"),
        ({"capabilities": ["completion"], "projector_info": {"general.architecture": "clip"}}, "likely"),
        ({"capabilities": ["completion"], "model_info": {"gemma3.vision.block_count": 27}}, "likely"),
        ({"details": {"families": ["llama", "clip"]}}, "likely"),
        ({"details": {"families": ["llama"]}}, "unknown"),
        ({}, "unknown"),
        ({"capabilities": None, "model_info": None, "projector_info": []}, "unknown"),
    ],
)
def test_what_ollama_says_about_pictures(document: dict[str, Any], vision: str) -> None:
    """C01, C03: a projector is a hint to be probed, silence is unknown."""
    assert ollama_show(document).vision == vision


def test_ollama_also_tells_window_place_and_whether_it_talks() -> None:
    document = {"capabilities": ["embedding"], "model_info": {"bert.context_length": 512}, "remote_host": "https://x"}
    found = ollama_show(document)
    assert (found.text, found.context_tokens, found.remote) == ("no", 512, True)


@pytest.mark.parametrize(
    ("entry", "vision"),
    [
        ({"architecture": {"input_modalities": ["text", "image"]}}, "yes"),
        ({"architecture": {"input_modalities": ["text"]}}, "no"),
        ({"type": "vlm"}, "yes"),
        ({"type": "llm"}, "no"),
        ({"capabilities": ["completion", "multimodal"]}, "yes"),
        ({"capabilities": {"vision": True}}, "yes"),
        ({"modalities": {"input": ["text", "image"]}}, "yes"),
        ({}, "unknown"),
    ],
)
def test_what_other_listings_say_about_pictures(entry: dict[str, Any], vision: str) -> None:
    """C01: each server has its own field."""
    document = {"data": [{"id": "other", "type": "vlm"}, {"id": "m", **entry}]}
    assert (openai_listing(document, "m").vision, lists_model(document, "m")) == (vision, "yes")
    assert openai_listing(document, "gone").vision == "unknown"


def test_llama_props() -> None:
    assert llama_props({"modalities": {"vision": True}, "default_generation_settings": {"n_ctx": 512}}).vision == "yes"
    assert llama_props({"modalities": {"vision": False}}).vision == "no"
    assert llama_props({}).vision == "unknown"
