"""The probe over real engines: a scripted endpoint, and a llama.cpp server whose words are noise."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from llama_server import LlamaServer
from scripted_model import ScriptedModel, drops_image, refuses, says, sees_image

from deepseekeyes.contracts.probe import ProbeOutcome
from deepseekeyes.probe import ladder
from deepseekeyes.probe.run import RunRequest, run
from deepseekeyes.routing.adapters.anthropic_messages import AnthropicMessages
from deepseekeyes.routing.adapters.ollama import Ollama
from deepseekeyes.routing.adapters.openai_chat import OpenAIChat
from deepseekeyes.routing.merge import read_entry
from tests.probe.conftest import deps_for

pytestmark = pytest.mark.service

ENGINES = {"openai_chat": OpenAIChat, "anthropic_messages": AnthropicMessages, "ollama": Ollama}


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


def probed(entry: Any, engine: Any, **request: Any) -> ProbeOutcome:
    return asyncio.run(run(RunRequest(**request), deps_for(engine, eyes=(entry,)))).items[0]


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_carries_the_ladder(model: ScriptedModel, engine: str) -> None:
    model.script(*(says(json.dumps(ladder.right_answer(rung, 7))) for rung in ladder.RUNGS))
    outcome = probed(model.route(engine), ENGINES[engine]())

    assert outcome.passed
    assert [request.images for request in model.calls] == [1] * 5
    assert outcome.verdict is not None
    assert outcome.verdict.usage.output_tokens == 25


def test_a_fenced_answer_with_thoughts_before_it_passes(model: ScriptedModel) -> None:
    right = json.dumps(ladder.right_answer("grid", 7))
    model.script(says(f"<think>first cell...</think>\n```json\n{right}\n```"))

    assert probed(model.route(), OpenAIChat(), rungs=("grid",)).passed


def test_an_endpoint_that_drops_the_picture_silently_is_found_out(model: ScriptedModel) -> None:
    model.script(drops_image(json.dumps({"cells": ["red"] * 9})), drops_image("no picture"))
    outcome = probed(model.route(), OpenAIChat())

    assert outcome.verdict is not None
    assert (outcome.verdict.code, outcome.verdict.picture_tokens) == ("IMAGE_NOT_CONSUMED", 0)
    assert [request.images for request in model.calls] == [1, 0]


def test_a_bad_eye_that_took_the_picture_in_is_another_matter(model: ScriptedModel) -> None:
    model.script(sees_image(json.dumps({"cells": ["red"] * 9})), sees_image("no picture"))
    outcome = probed(model.route(), OpenAIChat())

    assert outcome.verdict is not None
    assert (outcome.verdict.code, outcome.verdict.picture_tokens) == ("VISION_PROBE_FAILED", 300)


@pytest.mark.parametrize(
    ("status", "code"),
    [(401, "ENGINE_AUTH"), (402, "ENGINE_QUOTA"), (429, "ENGINE_RATE_LIMITED"), (500, "ENGINE_SERVER_ERROR")],
)
def test_a_refusing_endpoint_leaves_no_verdict_on_its_sight(model: ScriptedModel, status: int, code: str) -> None:
    model.script(refuses(status))
    outcome = probed(model.route(), OpenAIChat())

    assert outcome.verdict is None
    assert outcome.error is not None
    assert outcome.error.code == code


@pytest.mark.service
@pytest.mark.parametrize(
    ("vision", "seen"),
    [
        pytest.param(True, "INVALID_MODEL_OUTPUT", id="noise"),
        pytest.param(False, "ENGINE_IMAGE_UNSUPPORTED", id="no projector"),
    ],
)
def test_the_words_of_a_random_model_prove_nothing(tmp_path: Any, vision: bool, seen: str) -> None:
    with LlamaServer(tmp_path, vision=vision) as server:
        entry = read_entry(
            "llama",
            {
                "engine": "openai_chat",
                "base_url": server.url,
                "model": "tiny-random",
                "capabilities": ["image_to_evidence"],
            },
        )
        outcome = probed(entry, OpenAIChat())
    verdict = outcome.verdict

    assert (outcome.error.code if outcome.error else verdict and verdict.code) == seen
    if verdict is not None:
        assert (verdict.sight, [rung.status for rung in verdict.rungs[1:]]) == ("failed", ["skipped"] * 4)
        assert (verdict.usage.input_tokens or 0) > 0
        assert verdict.picture_tokens == 7
