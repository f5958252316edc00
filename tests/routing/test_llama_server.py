"""The chat-completions engine against a real llama.cpp server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from typing import Any

import pytest
from llama_server import CONTEXT_TOKENS, LlamaServer
from PIL import Image

from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing import codes
from deepseekeyes.routing.adapters.openai_chat import OpenAIChat
from deepseekeyes.routing.adapters.probers import OpenAIProber
from deepseekeyes.routing.ask import ask
from deepseekeyes.routing.capabilities import EYE
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.merge import read_entry
from deepseekeyes.routing.plan import Asked, plan
from deepseekeyes.routing.ports import EngineReply, EngineRequest, Message, Picture
from deepseekeyes.routing.tally import Tally
from deepseekeyes.routing.walk import walk

pytestmark = pytest.mark.service

ENGINE = OpenAIChat()


@pytest.fixture(scope="module")
def seeing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaServer]:
    with LlamaServer(tmp_path_factory.mktemp("llama")) as server:
        yield server


@pytest.fixture(scope="module")
def blind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaServer]:
    with LlamaServer(tmp_path_factory.mktemp("llama"), vision=False) as server:
        yield server


def route(server: LlamaServer, **more: Any) -> Route:
    fields = {
        "engine": "openai_chat",
        "base_url": server.url,
        "model": "tiny-random",
        "capabilities": ["image_to_evidence", "text_to_text"],
        "inputs": ["text", "image"],
        **more,
    }
    return read_entry("llama", fields)


def picture() -> Picture:
    out = BytesIO()
    Image.new("RGB", (28, 28), (220, 20, 60)).save(out, "PNG")
    return Picture(out.getvalue(), "image/png", 28, 28, sha256(out.getvalue()).hexdigest())


def call(served: Route, text: str, *pictures: Picture, **more: Any) -> EngineReply:
    request = EngineRequest("text_to_text", (Message("user", text, pictures),), max_tokens=8, temperature=0.0, **more)
    return asyncio.run(ENGINE.run(served, request))


def failure(served: Route, text: str, *pictures: Picture) -> str:
    with pytest.raises(EyesError) as caught:
        call(served, text, *pictures)
    return caught.value.code.name


def test_it_is_up_and_lists_its_model(seeing: LlamaServer) -> None:
    assert asyncio.run(OpenAIProber().probe(route(seeing), 5.0)).startswith("healthy")


@pytest.mark.parametrize("stream", [True, False])
def test_an_answer_comes_with_its_usage_and_its_end(seeing: LlamaServer, stream: bool) -> None:
    heard: list[str] = []
    reply = call(route(seeing, stream=stream), "hello", on_text=heard.append)
    assert (reply.finish, reply.usage.output_tokens, "".join(heard)) == ("max-tokens", 8, reply.text)
    assert reply.usage.input_tokens is not None
    assert reply.usage.input_tokens + (reply.usage.cache_read_tokens or 0) > 5


def test_a_picture_reaches_the_model(seeing: LlamaServer) -> None:
    def prompt(reply: EngineReply) -> int:
        return (reply.usage.input_tokens or 0) + (reply.usage.cache_read_tokens or 0)

    plain, seen = call(route(seeing), "what?"), call(route(seeing), "what?", picture())
    assert prompt(seen) > prompt(plain)


def test_a_server_without_eyes_says_so(blind: LlamaServer) -> None:
    assert failure(route(blind), "what?", picture()) == "ENGINE_IMAGE_UNSUPPORTED"


def test_a_picture_it_cannot_decode_is_rejected(seeing: LlamaServer) -> None:
    assert (
        failure(route(seeing), "what?", Picture(b"not a picture", "image/png", 1, 1, "0" * 64))
        == "ENGINE_IMAGE_REJECTED"
    )


def test_too_long_a_prompt_is_an_overflow(seeing: LlamaServer) -> None:
    assert failure(route(seeing), "word " * CONTEXT_TOKENS) == "ENGINE_CONTEXT_OVERFLOW"


def test_its_noise_fails_the_check_and_the_walk_goes_on(seeing: LlamaServer, bench: Any, make_entry: Any) -> None:
    """What a pixel check says about noise is a failed attempt, and the next eye serves."""
    noisy, other = route(seeing, priority=1), make_entry("other", priority=2)
    request = EngineRequest(EYE, (Message("user", "colours?", (picture(),)),), max_tokens=8, temperature=0.0)
    tally = Tally()

    async def run(served: Route) -> str:
        if served.id == "other":
            return "read"
        await ask(ENGINE, served, request, tally=tally, clock=bench.hand.clock())
        raise EyesError(codes.VISION_ROUTE_ERROR, "unreachable")

    walked = asyncio.run(walk(plan([noisy, other], Asked(EYE)), run, bench.deps(), operation="base", tally=tally))
    assert walked.route.id == "other"
    assert [(one.route, one.phase, one.status, one.error_code) for one in walked.attempts] == [
        ("llama", "transport-retry", "retry", "VISION_OUTPUT_TRUNCATED"),
        ("llama", "operation", "failed", "VISION_OUTPUT_TRUNCATED"),
        ("other", "operation", "success", None),
    ]
    assert (tally.calls, walked.usage.output_tokens) == (2, 24)
