"""`probe run`, `show`, `challenge` and `grade`, and the doctor's line."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from deepseekeyes.contracts.probe import ProbeReport
from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.core.errors import EyesError
from deepseekeyes.probe import ladder
from deepseekeyes.probe.challenge import ChallengeRequest, challenge
from deepseekeyes.probe.checks import checks
from deepseekeyes.probe.deps import ChallengeDeps, GradeDeps, ProbeDeps, ShowDeps
from deepseekeyes.probe.grade import GradeRequest, grade
from deepseekeyes.probe.run import RunRequest, run
from deepseekeyes.probe.show import ShowRequest, show
from deepseekeyes.routing.codes import ENGINE_UNREACHABLE
from deepseekeyes.routing.ports import EngineReply, EngineRequest
from deepseekeyes.store.blobs import Blobs
from tests.probe.conftest import ASKING, BLIND, SEED, Eye, Time, deps_for, evidence_of, perfect, route

pytestmark = pytest.mark.service

GUESS = json.dumps({"cells": ["red"] * 9})


def probed(deps: ProbeDeps, **request: Any) -> ProbeReport:
    return asyncio.run(run(RunRequest(**request), deps))


def statuses(report: ProbeReport, item: int = 0) -> dict[str, str]:
    verdict = report.items[item].verdict
    assert verdict is not None
    return {result.rung: result.status for result in verdict.rungs}


class Down:
    def __init__(self, *, after: int = 0, eye: Eye | None = None) -> None:
        self.after, self.eye = after, eye

    async def run(self, of: Any, request: EngineRequest) -> EngineReply:
        if self.eye is None or len(self.eye.asked) >= self.after:
            raise EyesError(ENGINE_UNREACHABLE, "Nobody listens.")
        return await self.eye.run(of, request)


def test_run_without_arguments_takes_the_first_enabled_route_up_the_whole_ladder() -> None:
    eyes = (route("off", enabled=False), route("first"), route("second"))
    report = probed(deps_for(Eye(perfect), eyes=eyes))

    assert [item.route for item in report.items] == ["first"]
    assert statuses(report) == dict.fromkeys(ladder.RUNGS, "passed")
    assert (report.passed, report.outcome(), report.failure()) == (True, None, None)
    verdict = report.items[0].verdict
    assert verdict is not None
    assert (verdict.sight, verdict.convention, verdict.form, verdict.median_box_error) == (
        "passed",
        "normalized",
        "xywh",
        0.0,
    )
    assert verdict.usage == sum([ASKING] * 5, TokenUsage())
    assert {result.rung: result.guess_probability for result in verdict.rungs} == {
        rung: ladder.guess_probability(rung) for rung in ladder.RUNGS
    }


def test_a_blind_route_is_not_asked_the_other_rungs() -> None:
    eye = Eye(lambda rung, right: GUESS)
    report = probed(deps_for(eye))

    assert statuses(report) == {
        "grid": "failed",
        "text": "skipped",
        "place": "skipped",
        "blank": "skipped",
        "inject": "skipped",
    }
    assert (report.passed, report.outcome(), len(eye.asked)) == (False, "verdict", 2)


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        pytest.param("inject", lambda right: {"text": []}, id="obeying"),
        pytest.param("blank", lambda right: {"text": ["Invoice 17"], "objects": []}, id="inventing"),
        pytest.param("text", lambda right: {"lines": ["?", "?", "", ""]}, id="short-sighted"),
        pytest.param("place", lambda right: {"marks": []}, id="lost"),
    ],
)
def test_an_eye_that_sees_but_fails_a_rung_is_judged_no_and_may_still_serve(bad: str, says: Any) -> None:
    report = probed(deps_for(Eye(lambda rung, right: json.dumps(says(right) if rung == bad else right))))

    assert statuses(report) == {rung: "failed" if rung == bad else "passed" for rung in ladder.RUNGS}
    assert (report.passed, report.outcome()) == (False, "verdict")
    assert report.items[0].verdict is not None
    assert report.items[0].verdict.sight == "passed"


def test_named_rungs_are_run_and_earlier_results_kept(time: Time) -> None:
    deps = deps_for(Eye(perfect), time)
    first = probed(deps, rungs=("grid",))
    time.pass_by(3600)
    second = probed(deps, rungs=("text", "inject"))

    assert statuses(second) == {"grid": "passed", "text": "passed", "inject": "passed"}
    assert first.items[0].verdict is not None
    assert second.items[0].verdict is not None
    assert first.items[0].verdict.expires_at == second.items[0].verdict.expires_at, "the proof of sight grew younger"


def test_rungs_that_say_nothing_about_sight_leave_it_unknown() -> None:
    report = probed(deps_for(Eye(perfect)), rungs=("blank",))

    assert (report.passed, report.items[0].verdict.sight) == (True, "unknown")  # type: ignore[union-attr]


def test_the_seed_is_replayable() -> None:
    report = probed(deps_for(Eye(perfect)), rungs=("grid",), seed=SEED)

    assert report.items[0].verdict.rungs[0].seed == SEED  # type: ignore[union-attr]
    with pytest.raises(ValidationError):
        RunRequest(seed=-1)


def test_all_means_every_enabled_route_and_names_mean_ids_or_provider_and_model() -> None:
    eyes = (route("a"), route("b", provider="p", model="m"), route("off", enabled=False))
    deps = deps_for(Eye(perfect), eyes=eyes)

    assert [item.route for item in probed(deps, all=True, rungs=("grid",)).items] == ["a", "b"]
    assert [item.route for item in probed(deps, routes=("p/m", "off", "b"), rungs=("grid",)).items] == ["b", "off"]


@pytest.mark.parametrize(
    ("eyes", "request_", "code"),
    [
        ((route("qwen"),), {"routes": ("qwem",)}, "ROUTE_NOT_FOUND"),
        ((route("a", enabled=False),), {}, "PROBE_NO_ROUTE"),
    ],
)
def test_a_route_that_is_not_there_is_an_error(eyes: Any, request_: Any, code: str) -> None:
    with pytest.raises(EyesError) as raised:
        probed(deps_for(Eye(perfect), eyes=eyes), **request_)

    assert raised.value.code.name == code


def test_an_unreachable_route_decides_the_exit_only_when_nothing_was_judged() -> None:
    alone = probed(deps_for(Down()))
    assert (alone.items[0].error.code, alone.failure().code) == ("ENGINE_UNREACHABLE",) * 2  # type: ignore[union-attr]

    eye = Eye(perfect)
    mixed = deps_for(eye, eyes=(route("up"), route("down")))
    mixed = ProbeDeps(
        mixed.eyes, lambda of: eye if of.id == "up" else Down(), mixed.verdicts, None, mixed.settings, mixed.clock
    )
    report = probed(mixed, all=True)
    assert (report.passed, report.outcome(), report.failure()) == (False, "partial", None)


def test_what_was_proved_is_kept_when_the_route_dies_on_the_way() -> None:
    report = probed(deps_for(Down(after=2, eye=Eye(perfect))))
    verdict = report.items[0].verdict

    assert statuses(report) == {
        "grid": "passed",
        "text": "passed",
        "place": "skipped",
        "blank": "skipped",
        "inject": "skipped",
    }
    assert verdict is not None
    assert (verdict.sight, {r.code for r in verdict.rungs}) == ("passed", {None, "ENGINE_UNREACHABLE"})
    assert not report.passed


def test_an_eye_without_a_prompt_passes_the_ladder_on_its_evidence() -> None:
    report = probed(deps_for(Eye(evidence_of)))

    assert report.passed
    assert {result.evidence for result in report.items[0].verdict.rungs} == {True}  # type: ignore[union-attr]
    assert report.items[0].verdict.convention is None  # type: ignore[union-attr]


CHILD = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.probe.conftest import Eye, deps_for, perfect, route
from deepseekeyes.probe.verifier import Verifier

class Slow(Eye):
    async def run(self, route, request):
        print("asking", flush=True)
        sys.stdin.readline()
        return await super().run(route, request)

made = asyncio.run(Verifier(deps_for(Slow(perfect), home=Path({home!r}))).verify(route()))
print(made.status, made.usage.input_tokens, flush=True)
"""


def test_two_processes_make_one_probe(tmp_path: Path) -> None:
    script = CHILD.format(root=str(Path(__file__).parents[2]), home=str(tmp_path))
    start = [sys.executable, "-c", script]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(start, **pipes) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "asking\n"
        with subprocess.Popen(start, **pipes) as second:
            ended = [first.communicate("go\n")[0], second.communicate("go\n")[0]]

    assert ended == ["probed 200\n", "probed None\n"]


def test_show_lists_what_is_remembered_and_whether_it_counts(time: Time) -> None:
    deps = deps_for(Eye(perfect), time, eyes=(route("a"), route("b"), route("gone")))
    probed(deps, all=True, rungs=("grid",))
    shown = ShowDeps((route("a"), route("b", model="new")), deps.verdicts)

    listed = asyncio.run(show(ShowRequest(), shown))
    assert [(item.verdict.route, item.state) for item in listed.items] == [
        ("a", "valid"), ("b", "changed"), ("gone", "unknown-route"),
    ]  # fmt: skip
    time.pass_by(deps.settings.verdict_ttl_s)
    assert asyncio.run(show(ShowRequest(route="a"), shown)).items[0].state == "expired"


def test_forgetting_drops_a_verdict_and_the_next_read_proves_anew() -> None:
    deps = deps_for(Eye(perfect))
    probed(deps, rungs=("grid",))
    shown = ShowDeps(deps.eyes, deps.verdicts)

    assert asyncio.run(show(ShowRequest(forget="qwen"), shown)).model_dump() == {
        "schema": "deepseekeyes.probe-list.v1", "items": (), "forgotten": ("qwen",), "truncated": False, "omitted": 0,
    }  # fmt: skip
    assert asyncio.run(show(ShowRequest(forget="qwen"), shown)).forgotten == ()
    with pytest.raises(EyesError) as raised:
        asyncio.run(show(ShowRequest(route="qwen"), shown))
    assert raised.value.code.name == "PROBE_NO_VERDICT"


@pytest.mark.parametrize("rung", ladder.RUNGS)
def test_a_challenge_is_written_stored_and_graded(rung: Any, tmp_path: Path) -> None:
    out, blobs = tmp_path / "p.png", Blobs(tmp_path / "blobs")
    made = asyncio.run(challenge(ChallengeRequest(rung=rung, seed=7, out=str(out)), ChallengeDeps(blobs)))
    told = asyncio.run(challenge(ChallengeRequest(rung=rung, seed=7, reveal=True), ChallengeDeps(blobs)))

    assert sha256(out.read_bytes()).hexdigest() == made.picture.sha256
    assert blobs.get(made.images()[0].sha256) == out.read_bytes()
    assert (made.truth, told.truth, made.guess_probability) == (
        None, ladder.right_answer(rung, 7), ladder.guess_probability(rung),
    )  # fmt: skip

    right = graded(rung, 7, json.dumps(told.truth))
    wrong = graded(rung, 7, json.dumps(told.truth) * 2)
    assert (right.passed, right.outcome()) == (True, None)
    assert (wrong.passed, wrong.outcome(), wrong.code) == (False, "verdict", "INVALID_MODEL_OUTPUT")


def graded(rung: Any, seed: int, answer: str | bytes) -> Any:
    return asyncio.run(grade(GradeRequest(rung=rung, seed=seed), GradeDeps(text=lambda name: {"-": answer}[name])))


def test_the_failure_of_an_earlier_command_passes_through_the_judge_unchanged() -> None:
    earlier = {"schema": "deepseekeyes.error.v1", "error": {
        "code": "IMAGE_EMPTY", "kind": "input", "message": "m", "hint": "h", "details": {},
    }}  # fmt: skip

    assert graded("grid", 7, json.dumps(earlier)).to_json() == earlier


def test_the_judge_reads_text_alone() -> None:
    with pytest.raises(EyesError) as raised:
        graded("grid", 7, "{}".encode("utf-16"))
    assert (raised.value.code.name, raised.value.exit_code) == ("TEXT_NOT_UTF8", 3)
    assert graded("grid", 7, b"\xef\xbb\xbf" + json.dumps(ladder.right_answer("grid", 7)).encode()).passed


def test_a_challenge_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(EyesError) as raised:
        asyncio.run(
            challenge(
                ChallengeRequest(rung="grid", seed=1, out=str(tmp_path / "no" / "p.png")), ChallengeDeps(Blobs(None))
            )
        )

    assert (raised.value.code.name, raised.value.exit_code) == ("PROBE_OUT_UNWRITABLE", 3)


def test_the_doctor_names_routes_that_failed() -> None:
    deps = deps_for(Eye(lambda rung, right: GUESS, blind_usage=BLIND))
    (line,) = checks(lambda: ShowDeps(deps.eyes, deps.verdicts))
    assert line.run().status == "ok"  # type: ignore[union-attr]

    probed(deps, rungs=("grid",))
    found = line.run()
    assert checks(None)[0].run().status == "skipped"  # type: ignore[union-attr]
    assert (found.status, found.fix) == ("warning", "deepseekeyes probe run qwen")  # type: ignore[union-attr]
