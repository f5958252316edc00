"""What each misbehaviour of an endpoint comes to when another route stands behind it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from scripted_model import Behaviour, ScriptedModel, drops_image, huge, raw, refuses, says, sees_image

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Affine
from deepseekeyes.evidence.reading import read_answer
from deepseekeyes.routing.adapters.openai_chat import OpenAIChat
from deepseekeyes.routing.ask import REASONING_NOTE, ask
from deepseekeyes.routing.capabilities import EYE
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.plan import Asked, plan
from deepseekeyes.routing.ports import EngineReply, EngineRequest, Message, Picture
from deepseekeyes.routing.tally import Tally
from deepseekeyes.routing.walk import Walked, walk

pytestmark = pytest.mark.service

ENGINE = OpenAIChat()
REQUEST = EngineRequest(
    EYE, (Message("user", "read it", (Picture(b"x", "image/png", 8, 8, "a" * 64),)),), max_tokens=600, variant="base"
)
EVIDENCE = json.dumps(
    {
        "schemaVersion": "deepseekeyes.evidence.v1",
        "summary": "a page",
        "regions": [],
        "ocr": [{"text": "hi", "confidence": 0.9, "bbox": [0.1, 0.1, 0.2, 0.2]}],
    }
)


def understood(text: str) -> dict[str, Any]:
    return read_answer(
        text, "base", width=8, height=8, declared="normalized", affine=Affine(), source_size=(8, 8)
    ).evidence


def usable(text: str) -> bool:
    try:
        understood(text)
    except EyesError:
        return False
    return True


def look(bench: Any, model: ScriptedModel, *behaviours: Behaviour, **more: Any) -> tuple[Walked[EngineReply], Tally]:
    """Read over the scripted route, with a spare route that always serves."""
    model.script(*behaviours)
    routes = [model.route(priority=1, **more), model.route("replay", id="spare", base_url=None, priority=2)]
    tally = Tally()

    async def run(route: Route) -> EngineReply:
        if route.id == "spare":
            return EngineReply(text="spare")
        reply = await ask(ENGINE, route, REQUEST, tally=tally, clock=bench.hand.clock(), usable=usable)
        understood(reply.text)
        return reply

    made = plan(routes, Asked(EYE, attempt_budget=3))
    return asyncio.run(walk(made, run, bench.deps(), operation="base", tally=tally)), tally


GOOD = says(EVIDENCE, pieces=4)


@pytest.mark.parametrize(
    ("behaviours", "code", "calls", "rests"),
    [
        pytest.param([refuses(401, "bad key")], "ENGINE_AUTH", 1, 30, id="401"),
        pytest.param([refuses(402, "Insufficient Balance")], "ENGINE_QUOTA", 1, 3600, id="402"),
        pytest.param([refuses(429, "slow", headers={"retry-after": "77"})], "ENGINE_RATE_LIMITED", 1, 77, id="429"),
        pytest.param([refuses(500, "boom")], "ENGINE_SERVER_ERROR", 1, 30, id="500"),
        pytest.param([says(EVIDENCE, hold_before=True)], "ENGINE_TIMEOUT", 1, 30, id="slow-first-byte"),
        pytest.param([says(EVIDENCE, cut_after=1)] * 2, "INCOMPLETE_STREAM", 2, 30, id="cut-stream-twice"),
        pytest.param([raw("<html>", content_type="text/html")], "ENGINE_MALFORMED", 1, 30, id="wrong-content-type"),
        pytest.param([huge()], "ANSWER_TOO_LARGE", 1, 0, id="20-MB"),
        pytest.param([says("", reasoning="hmm", finish="length")] * 2, "NO_ANSWER", 2, 30, id="J05"),
        pytest.param([says("I see a page.")], "INVALID_MODEL_OUTPUT", 1, 30, id="prose"),
        pytest.param([says(EVIDENCE[:40], finish="length")] * 2, "VISION_OUTPUT_TRUNCATED", 2, 0, id="truncated"),
        pytest.param([refuses(400, "unknown field")], "ENGINE_BAD_REQUEST", 1, 0, id="400"),
    ],
)
def test_the_spare_route_serves_and_the_trail_names_the_cause(
    bench: Any, model: ScriptedModel, behaviours: list[Behaviour], code: str, calls: int, rests: float
) -> None:
    walked, _ = look(bench, model, *behaviours, limits={"first_byte_timeout_s": 0.3, "max_output_tokens": 4000})
    model.release()
    failed = [(one.route, one.phase, one.error_code) for one in walked.attempts if one.status == "failed"]
    assert (walked.route.id, failed, len(model.calls)) == ("spare", [("scripted", "operation", code)], calls)
    assert bench.states.circuit(model.route(limits={"first_byte_timeout_s": 0.3})).returns_in(bench.hand.at) == rests


@pytest.mark.parametrize(
    ("behaviours", "calls", "notes"),
    [
        pytest.param([GOOD], 1, (), id="plain"),
        pytest.param([says(f"```json\n{EVIDENCE}\n```")], 1, (), id="J01"),
        pytest.param([says(f"Let me think.\n```json\n{EVIDENCE}\n```\nDone.")], 1, (), id="J03"),
        pytest.param([says(f"<think>{{}}</think>{EVIDENCE}")], 1, (), id="J07"),
        pytest.param([says("", reasoning=EVIDENCE)], 1, (REASONING_NOTE,), id="reasoning-content"),
        pytest.param([says(EVIDENCE, cut_after=1), GOOD], 2, (), id="cut-stream-once"),
        pytest.param([refuses(400, "max_tokens must be at most 512"), GOOD], 2, (), id="budget"),
        pytest.param([says("", reasoning="hmm", finish="length"), GOOD], 2, (), id="J05-second-try"),
    ],
)
def test_the_route_itself_serves_with_no_call_too_many(
    bench: Any, model: ScriptedModel, behaviours: list[Behaviour], calls: int, notes: tuple[str, ...]
) -> None:
    walked, tally = look(bench, model, *behaviours)
    assert (walked.route.id, walked.value.notes, len(model.calls), tally.calls) == ("scripted", notes, calls, calls)
    assert understood(walked.value.text)["ocr"][0]["text"] == "hi"


def test_a_dropped_picture_shows_in_the_tokens_and_nowhere_else(model: ScriptedModel) -> None:
    """The token difference with and without the picture is what a pixel check goes by."""

    def spent(request: EngineRequest) -> int | None:
        return asyncio.run(ENGINE.run(model.route(), request)).usage.input_tokens

    without = EngineRequest(EYE, (Message("user", "read it"),), max_tokens=600)
    model.script(drops_image(), drops_image(), sees_image("{}"), sees_image("{}"))
    assert [spent(without), spent(REQUEST)] == [12, 12]
    assert [spent(without), spent(REQUEST)] == [12, 312]


OPENER = """
import sys
from deepseekeyes.core.clock import Clock
from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing import codes
from deepseekeyes.routing.merge import read_entry
from deepseekeyes.routing.settings import RoutingSettings
from deepseekeyes.routing.states import RouteStates
from deepseekeyes.store.documents import Documents
from pathlib import Path

states = RouteStates(Documents(Path(sys.argv[1])), Clock(), RoutingSettings())
fields = {"engine": "replay", "model": "m", "capabilities": ["image_to_evidence"]}
sys.stdin.readline()
for number in range(5):
    states.failed(read_entry("shared", fields), EyesError(codes.ENGINE_SERVER_ERROR, "boom"))
    states.failed(read_entry(f"own-{sys.argv[2]}-{number}", fields), EyesError(codes.ENGINE_SERVER_ERROR, "boom"))
"""


def test_processes_that_fail_at_once_lose_no_circuit(bench: Any, tmp_path: Path) -> None:
    children = [
        subprocess.Popen([sys.executable, "-c", OPENER, str(tmp_path), str(number)], stdin=subprocess.PIPE, text=True)
        for number in range(3)
    ]
    for child in children:
        child.communicate("go\n", timeout=60)
    assert [child.returncode for child in children] == [0, 0, 0]
    document = json.loads((tmp_path / "route-state.json").read_text())["content"]["routes"]
    assert len(document) == 16
    assert document["shared"]["circuit"]["failures"] == 15
