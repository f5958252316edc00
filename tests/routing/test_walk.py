"""The walk: who is tried, who rests, what is on record, and what the end says."""

from __future__ import annotations

from typing import Any

import pytest
from walking import Runner, error, fails, go

from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.core.errors import Code, Details, EyesError
from deepseekeyes.routing import codes
from deepseekeyes.routing.capabilities import EYE
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.health import HealthGate
from deepseekeyes.routing.ports import Readied
from deepseekeyes.routing.tally import Tally

BAD = Code("INVALID_VISION_EVIDENCE", "contract", "x")
PERSIST = Code("EVIDENCE_PERSIST_FAILED", "input", "x")
IMAGE = Code("IMAGE_TRUNCATED", "input", "x")


def test_the_first_route_that_serves_ends_the_walk(bench: Any, make_entry: Any) -> None:
    run = Runner(a="seen", b="never")
    walked = go(bench, [make_entry("a"), make_entry("b")], run, session_hash="s" * 64, image_sha256="f" * 64)
    assert (walked.value, walked.route.id, run.seen) == ("seen", "a", ["a"])
    [attempt] = bench.recorded
    assert attempt.model_dump(by_alias=False) == {
        "attempt_id": "id-1",
        "at": "2026-12-01T10:00:00.000Z",
        "operation": "base",
        "capability": EYE,
        "route": "a",
        "provider": "a",
        "model": "a-model",
        "position": 0,
        "failover_index": 0,
        "phase": "operation",
        "status": "success",
        "duration_ms": 0,
        "error_code": None,
        "session_hash": "s" * 64,
        "image_sha256": "f" * 64,
    }
    assert walked.attempts == (attempt,)


def test_every_failed_route_is_on_record_and_rests(bench: Any, make_entry: Any) -> None:
    """R01: the second and third failures of one request count as much as the first."""
    routes = [make_entry(name) for name in "abcd"]
    walked = go(bench, routes, Runner(a=error(), b=error(BAD), c=error(codes.NO_ANSWER), d="seen"))
    assert bench.story == [
        ("a", "operation", "failed", "ENGINE_SERVER_ERROR"),
        ("b", "operation", "failed", "INVALID_VISION_EVIDENCE"),
        ("c", "operation", "failed", "NO_ANSWER"),
        ("d", "operation", "success", None),
    ]
    assert [one.failover_index for one in bench.recorded] == [0, 1, 2, 3]
    assert walked.place.position == 3
    now = bench.hand.at
    assert [bench.states.circuit(route).is_open(now) for route in routes] == [True, True, True, False]


def test_the_budget_bounds_failures_and_the_end_says_what_was_left(bench: Any, make_entry: Any) -> None:
    routes = [make_entry(name) for name in "abcde"]
    run = Runner(a=error(), b=error(BAD), c="never", d="never", e="never")
    found = fails(bench, routes, run, budget=2)
    assert run.seen == ["a", "b"]
    assert (found.code.name, found.exit_code, found.details["limit"]) == (
        "VISION_FAILOVER_EXHAUSTED",
        5,
        {"name": "attempt_budget", "value": 2, "setting": "vision.failover_attempts"},
    )
    assert "a/a-model [ENGINE_SERVER_ERROR] -> b/b-model [INVALID_VISION_EVIDENCE]" in found.message
    assert "3 more were not tried" in found.message
    assert [one["errorCode"] for one in found.details["attempts"]] == ["ENGINE_SERVER_ERROR", "INVALID_VISION_EVIDENCE"]


def test_a_budget_of_one_gives_the_first_error_as_it_was(bench: Any, make_entry: Any) -> None:
    """Case 11."""
    first = error(BAD)
    run = Runner(a=first, b="never")
    assert fails(bench, [make_entry("a"), make_entry("b")], run, budget=1) is first
    assert (first.exit_code, run.seen) == (6, ["a"])


def test_other_capabilities_have_their_own_word_for_exhaustion(bench: Any, make_entry: Any) -> None:
    routes = [make_entry(name, capabilities=["text_to_text"], inputs=["text"]) for name in "ab"]
    found = fails(bench, routes, Runner(a=error(), b=error()), capability="text_to_text")
    assert (found.code.name, found.exit_code) == ("ROUTES_EXHAUSTED", 5)


@pytest.mark.parametrize(
    "code",
    [
        PERSIST,
        IMAGE,
        *(
            Code(name, "input", "x")
            for name in (
                "ATTACHMENT_READ_FAILED",
                "VISION_STATE_MISMATCH",
                "UNKNOWN_PRESERVED_IMAGE",
                "DISK_FULL",
                "BLOB_NOT_FOUND",
            )
        ),
    ],
)
def test_what_no_route_can_mend_ends_the_walk_and_opens_nothing(bench: Any, make_entry: Any, code: Code) -> None:
    """Case 12, 13.1-3 and 13.1-5."""
    routes = [make_entry("a"), make_entry("b"), make_entry("c")]
    run = Runner(a=error(), b=error(code), c="never")
    tally = Tally(usage=TokenUsage(input_tokens=7), calls=1)
    found = fails(bench, routes, run, tally=tally)
    assert (found.code.name, run.seen, len(found.details["attempts"])) == (code.name, ["a", "b"], 2)
    assert found.details["usage"]["inputTokens"] == 7
    assert not bench.states.circuit(routes[1]).is_open(bench.hand.at)


LOST: Details = {"dispatched": "unknown"}


def test_lost_work_that_may_not_be_done_twice_is_unresolved(bench: Any, make_entry: Any) -> None:
    routes = [make_entry(name, capabilities=["text_to_image"], inputs=["text"]) for name in "ab"]
    run = Runner(a=EyesError(codes.ENGINE_TIMEOUT, "late", details=LOST), b="never")
    found = fails(bench, routes, run, capability="text_to_image")
    assert (found.code.name, found.exit_code, found.details["dispatched"], run.seen) == (
        "INVOCATION_UNRESOLVED",
        8,
        "unknown",
        ["a"],
    )
    assert bench.story == [("a", "operation", "unresolved", "ENGINE_TIMEOUT")]


@pytest.mark.parametrize("dispatched", ["no", "yes"])
def test_work_that_was_refused_or_never_sent_goes_on_to_the_next_route(
    bench: Any, make_entry: Any, dispatched: Any
) -> None:
    routes = [make_entry(name, capabilities=["text_to_image"], inputs=["text"]) for name in "ab"]
    lost = EyesError(codes.ENGINE_SERVER_ERROR, "no", details={"dispatched": dispatched})
    assert go(bench, routes, Runner(a=lost, b="made"), capability="text_to_image").value == "made"


@pytest.mark.parametrize(
    ("capability", "word", "outcome"),
    [(EYE, None, "seen"), (EYE, False, "INVOCATION_UNRESOLVED"), ("text_to_image", True, "seen")],
)
def test_an_entry_may_say_whether_its_work_can_be_repeated(
    bench: Any, make_entry: Any, capability: str, word: bool | None, outcome: str
) -> None:
    """A reading is idempotent unless its entry says otherwise; a picture is not unless its entry says so."""
    kinds = ["text", "image"]
    routes = [make_entry(name, capabilities=[capability], inputs=kinds, idempotent=word) for name in "ab"]
    run = Runner(a=EyesError(codes.ENGINE_TIMEOUT, "late", details=LOST), b="seen")
    try:
        found = go(bench, routes, run, capability=capability).value
    except EyesError as failure:
        found = failure.code.name
    assert found == outcome


def test_a_lost_answer_of_a_sole_eye_exits_five(bench: Any, make_entry: Any) -> None:
    found = fails(bench, [make_entry("a")], Runner(a=EyesError(codes.ENGINE_TIMEOUT, "late", details=LOST)))
    assert (found.code.name, found.exit_code) == ("ENGINE_TIMEOUT", 5)


def test_a_defect_of_one_engine_leaves_the_others_usable(bench: Any, make_entry: Any) -> None:
    routes = [make_entry("a"), make_entry("b")]
    assert go(bench, routes, Runner(a=KeyError("oops"), b="seen")).value == "seen"
    assert bench.story[0] == ("a", "operation", "failed", "KeyError")
    with pytest.raises(KeyError):
        go(bench, routes[:1], Runner(a=KeyError("oops")))


class Up:
    async def probe(self, route: Route, timeout_s: float) -> str:
        return "up"


class Gate:
    """Readiness by script."""

    def __init__(self, **plays: Any) -> None:
        self.plays = plays

    async def ready(self, route: Route, capability: str, *, fresh: bool = False) -> Readied:
        play = self.plays[route.id]
        if isinstance(play, Exception):
            raise play
        return Readied(play)


def test_a_fresh_check_is_on_record_and_a_remembered_one_is_not(bench: Any, make_entry: Any) -> None:
    routes = [make_entry("a"), make_entry("b")]
    gate = Gate(a="fresh", b="cached")
    go(bench, routes, Runner(a=error(), b="seen"), readiness=gate)
    assert bench.story == [
        ("a", "health", "success", None),
        ("a", "operation", "failed", "ENGINE_SERVER_ERROR"),
        ("b", "operation", "success", None),
    ]


def test_a_failed_check_counts_as_an_attempt_and_opens_nothing(bench: Any, make_entry: Any) -> None:
    routes = [make_entry("a"), make_entry("b")]
    run = Runner(b="seen")
    go(bench, routes, run, readiness=Gate(a=error(codes.ENGINE_UNREACHABLE), b="none"), budget=2)
    assert (run.seen, bench.story[0]) == (["b"], ("a", "health", "failed", "ENGINE_UNREACHABLE"))
    assert not bench.states.circuit(routes[0]).is_open(bench.hand.at)


def test_a_secret_in_the_last_failure_is_not_told(bench: Any, make_entry: Any) -> None:
    """13.1-15."""
    routes = [make_entry("a"), make_entry("b")]
    secret = EyesError(codes.ENGINE_SERVER_ERROR, "Authorization: Bearer abcdefgh12345678 sk-abcdefghijklmnop")
    message = fails(bench, routes, Runner(a=secret, b=secret)).message
    assert "abcdefgh12345678" not in message
    assert "sk-abcdefghijklmnop" not in message


def test_state_that_cannot_be_read_or_kept_never_fails_the_work(bench: Any, make_entry: Any) -> None:
    class Broken:
        def load(self, name: str, version: int) -> None:
            raise EyesError(Code("DOCUMENT_VERSION", "input", "x"), "from the future")

        def update(self, name: str, version: int, change: Any) -> None:
            raise EyesError(Code("DOCUMENT_VERSION", "input", "x"), "from the future")

    bench.documents = Broken()
    routes = [make_entry("a"), make_entry("b")]
    gate = HealthGate({"openai_chat": Up()}, bench.states)
    walked = go(bench, routes, Runner(a=error(), b="seen"), readiness=gate)
    assert (walked.value, walked.state_code) == ("seen", "DOCUMENT_VERSION")
    assert fails(bench, routes, Runner(a=error(), b=error())).code.name == "VISION_FAILOVER_EXHAUSTED"
