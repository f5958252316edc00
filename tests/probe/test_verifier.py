"""Proving routes: what the router learns, what is remembered, and what it costs."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.lock import locked
from deepseekeyes.probe import ladder
from deepseekeyes.probe.settings import ProbeSettings
from deepseekeyes.probe.verifier import Verifier
from deepseekeyes.routing.codes import ENGINE_UNREACHABLE
from deepseekeyes.routing.faults import fault
from deepseekeyes.routing.ports import EngineReply, EngineRequest
from tests.probe.conftest import ASKING, BLIND, Eye, Time, as_text, deps_for, evidence, evidence_of, perfect, route

pytestmark = pytest.mark.service

GUESS = json.dumps({"cells": ["red"] * 9})


def verify(deps: Any, of: Any = None) -> Any:
    return asyncio.run(Verifier(deps).verify(of or route()))


def failure(deps: Any, of: Any = None) -> EyesError:
    with pytest.raises(EyesError) as raised:
        verify(deps, of)
    return raised.value


def test_an_eye_that_sees_is_proved_once_and_then_free() -> None:
    eye = Eye(perfect)
    deps = deps_for(eye)

    first, second = verify(deps), verify(deps)

    assert (first.status, first.usage, [r.rung for r in first.rungs]) == ("probed", ASKING, ["grid"])
    assert (second.status, second.usage, len(eye.asked)) == ("probed", TokenUsage(), 1)


def test_the_question_goes_out_with_the_picture_at_temperature_zero() -> None:
    eye = Eye(perfect)
    verify(deps_for(eye))
    request = eye.asked[0]
    challenge = ladder.challenge("grid", 7)

    assert (request.temperature, request.max_tokens, request.capability) == (0.0, 4096, "image_to_evidence")
    assert [(m.role, m.text, [p.data for p in m.pictures]) for m in request.messages] == [
        ("user", challenge.prompt, [challenge.png])
    ]


def test_a_guessing_eye_fails_and_its_tokens_are_booked() -> None:
    eye = Eye(lambda rung, right: GUESS)
    error = failure(deps_for(eye))

    assert (error.code.name, fault(error)) == ("VISION_PROBE_FAILED", "route")
    assert error.details["usage"] == (ASKING + BLIND).model_dump(mode="json", by_alias=True)
    assert [len(m.pictures) for request in eye.asked for m in request.messages] == [1, 0]


def test_an_eye_that_answers_in_prose_fails_as_invalid_output() -> None:
    assert failure(deps_for(Eye(lambda rung, right: "A colourful grid."))).code.name == "INVALID_MODEL_OUTPUT"


def test_an_endpoint_that_drops_the_picture_is_told_apart_by_its_tokens() -> None:
    eye = Eye(perfect, drops_pictures=True, usage=BLIND)
    deps = deps_for(eye)
    error = failure(deps)

    assert (error.code.name, fault(error)) == ("IMAGE_NOT_CONSUMED", "route")
    assert [v.picture_tokens for v in deps.verdicts.every()] == [0]


@pytest.mark.parametrize(
    ("usage", "calls", "code"),
    [
        pytest.param(TokenUsage(), 1, "VISION_PROBE_FAILED", id="no usage reported: not asked again"),
        pytest.param(
            TokenUsage(input_tokens=164, image_tokens=64), 1, "VISION_PROBE_FAILED", id="picture tokens stated"
        ),
        pytest.param(TokenUsage(input_tokens=105), 2, "IMAGE_NOT_CONSUMED", id="a placeholder word instead"),
        pytest.param(TokenUsage(input_tokens=106), 2, "VISION_PROBE_FAILED", id="as much as the smallest picture"),
        pytest.param(
            TokenUsage(input_tokens=50, cache_read_tokens=150), 2, "VISION_PROBE_FAILED", id="part was cached"
        ),
    ],
)
def test_the_second_question_is_asked_only_where_it_can_tell(usage: TokenUsage, calls: int, code: str) -> None:
    eye = Eye(lambda rung, right: GUESS, usage=usage)

    assert (failure(deps_for(eye)).code.name, len(eye.asked)) == (code, calls)


def test_a_failed_verdict_keeps_the_route_out_until_it_expires_or_is_forgotten(time: Time) -> None:
    eye = Eye(lambda rung, right: GUESS)
    deps = deps_for(eye, time)
    failure(deps)
    spent = len(eye.asked)
    again = failure(deps)

    assert (len(eye.asked), again.code.name) == (spent, "VISION_PROBE_FAILED")
    assert again.details["usage"] == TokenUsage().model_dump(mode="json", by_alias=True)
    assert Verifier(deps).known(route()).status == "failed"

    eye.answers = perfect
    time.pass_by(deps.settings.failure_ttl_s)
    assert verify(deps).status == "probed"


@pytest.mark.parametrize("changed", [{"model": "vl-2"}, {"coordinates": "pixel"}, {"base_url": "https://x.invalid/v1"}])
def test_a_route_that_is_configured_anew_is_proved_anew(changed: dict[str, Any]) -> None:
    eye = Eye(perfect)
    deps = deps_for(eye)
    verify(deps)
    verify(deps, route(**changed))

    assert len(eye.asked) == 2


def test_a_proof_expires(time: Time) -> None:
    eye = Eye(perfect)
    deps = deps_for(eye, time)
    verify(deps)
    time.pass_by(deps.settings.verdict_ttl_s - 1)
    verify(deps)
    assert len(eye.asked) == 1
    time.pass_by(1)
    verify(deps)
    assert len(eye.asked) == 2


def test_switched_off_probing_asks_nothing() -> None:
    eye = Eye(perfect)

    assert (verify(deps_for(eye, enabled=False)).status, eye.asked) == ("disabled", [])


def test_the_convention_is_found_before_first_evidence_where_it_is_wished_and_not_declared(time: Time) -> None:
    eye = Eye(perfect)
    deps = deps_for(eye, time, settings=ProbeSettings(calibrate=True))

    assert verify(deps).convention == "normalized"
    assert len(eye.asked) == 2
    assert verify(deps, route("other", coordinates="normalized")).convention is None
    assert len(eye.asked) == 3

    time.pass_by(deps.settings.verdict_ttl_s)
    known = Verifier(deps).known(route())
    assert (known.status, known.convention) == ("unprobed", "normalized")


def test_an_engine_that_fails_leaves_no_verdict() -> None:
    class Down:
        async def run(self, route: Any, request: EngineRequest) -> EngineReply:
            raise EyesError(ENGINE_UNREACHABLE, "Nobody listens.")

    deps = deps_for(Down())

    assert failure(deps).code.name == "ENGINE_UNREACHABLE"
    assert deps.verdicts.every() == ()


def test_a_cut_answer_is_asked_once_more_with_twice_the_room() -> None:
    class Thinker(Eye):
        async def run(self, route: Any, request: EngineRequest) -> EngineReply:
            reply = await super().run(route, request)
            return (
                reply if request.max_tokens > 4096 else EngineReply(reasoning="hm", finish="max-tokens", usage=ASKING)
            )

    eye = Thinker(perfect)
    made = verify(deps_for(eye))

    assert (made.status, made.usage, [r.max_tokens for r in eye.asked]) == ("probed", ASKING + ASKING, [4096, 8192])


def test_a_model_that_only_thinks_fails_as_invalid_output() -> None:
    class Thinker(Eye):
        async def run(self, route: Any, request: EngineRequest) -> EngineReply:
            self.asked.append(request)
            return EngineReply(reasoning="hm", finish="max-tokens", usage=ASKING)

    assert failure(deps_for(Thinker(perfect))).code.name in ("INVALID_MODEL_OUTPUT", "IMAGE_NOT_CONSUMED")


def test_an_eye_without_a_prompt_proves_sight_by_the_colours_it_reports() -> None:
    eye = Eye(evidence_of)
    made = verify(deps_for(eye, eyes=(route("local", engine="local"),)), route("local", engine="local"))

    assert (made.status, [(r.rung, r.status, r.evidence) for r in made.rungs]) == ("probed", [("grid", "passed", True)])


def test_an_eye_without_a_prompt_that_names_no_colours_proves_sight_by_reading() -> None:
    eye = Eye(lambda rung, right: evidence() if rung == "grid" else evidence_of(rung, right))
    deps = deps_for(eye)
    made = verify(deps)

    assert (made.status, [(r.rung, r.status) for r in made.rungs]) == (
        "probed",
        [("grid", "skipped"), ("text", "passed")],
    )
    verify(deps)
    assert len(eye.asked) == 2


def test_an_eye_without_a_prompt_that_reads_nothing_is_blind() -> None:
    eye = Eye(lambda rung, right: evidence(ocr=[as_text([0, 0, 1, 1], "HELLO")]))

    assert failure(deps_for(eye)).code.name == "VISION_PROBE_FAILED"


def test_tasks_that_ask_at_once_share_one_probe(tmp_path: Path) -> None:
    eye = Eye(perfect)
    deps = deps_for(eye, home=tmp_path)

    async def together() -> list[Any]:
        return await asyncio.gather(*(Verifier(deps).verify(route()) for _ in range(5)))

    made = asyncio.run(together())

    assert len(eye.asked) == 1
    assert sum((one.usage for one in made), TokenUsage()) == ASKING


def test_a_probe_that_another_process_never_ends_is_reported_as_busy(tmp_path: Path) -> None:
    deps = deps_for(Eye(perfect), home=tmp_path, settings=ProbeSettings(wait_s=0))
    verify(deps, route("other"))
    lock = next((tmp_path / "run").glob("probe-*.lock"))
    with locked(lock):
        error = failure(deps, route("other", model="changed"))

    assert (error.code.name, error.details["limit"]["setting"], fault(error)) == (
        "PROBE_BUSY",
        "probe.wait_s",
        "request",
    )


def test_rows_that_nobody_understands_are_passed_over(tmp_path: Path) -> None:
    deps = deps_for(Eye(perfect), home=tmp_path)
    verify(deps)
    deps.verdicts.documents.update(
        "probe-verdicts", 1, lambda content: {"verdicts": {**content["verdicts"], "odd": {"route": 5}, "qwen2": None}}
    )

    assert [v.route for v in deps.verdicts.every()] == ["qwen"]


def test_the_number_of_verdicts_is_bounded(time: Time) -> None:
    deps = deps_for(Eye(perfect), time, settings=ProbeSettings(max_verdicts=2))
    for name in ("a", "b", "c"):
        time.pass_by(1)
        verify(deps, route(name))

    assert [v.route for v in deps.verdicts.every()] == ["b", "c"]
