"""Who rests, for how long, and who closes a circuit."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from walking import Runner, error, fails, go

from deepseekeyes.core.errors import Code
from deepseekeyes.routing import codes
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.settings import RoutingSettings
from deepseekeyes.routing.states import STATE, STATE_VERSION
from deepseekeyes.store.documents import Documents

BAD = Code("INVALID_VISION_EVIDENCE", "contract", "x")


def test_a_resting_route_is_skipped_until_it_returns(bench: Any, make_entry: Any) -> None:
    routes = [make_entry("a"), make_entry("b")]
    go(bench, routes, Runner(a=error(), b="seen"))
    second = Runner(a="back", b="seen")
    assert go(bench, routes, second, budget=1).route.id == "b"
    assert second.seen == ["b"]
    assert bench.story[2:] == [("a", "circuit", "skipped-open-circuit", None), ("b", "operation", "success", None)]
    bench.hand.advance(30)
    assert go(bench, routes, Runner(a="back", b="never")).route.id == "a"
    assert bench.states.circuit(routes[0]).consecutive_failures == 0


def test_a_sole_resting_route_gets_its_trial(bench: Any, make_entry: Any) -> None:
    """13.1-4."""
    routes = [make_entry("a")]
    assert fails(bench, routes, Runner(a=error())).code.name == "ENGINE_SERVER_ERROR"
    assert go(bench, routes, Runner(a="back")).value == "back"
    assert [status for _, _, status, _ in bench.story] == ["failed", "skipped-open-circuit", "success"]


def test_of_several_resting_routes_only_the_first_gets_a_trial(bench: Any, make_entry: Any) -> None:
    routes = [make_entry("a"), make_entry("b")]
    fails(bench, routes, Runner(a=error(), b=error()))
    second = Runner(a=error(), b="never")
    assert fails(bench, routes, second).code.name == "ENGINE_SERVER_ERROR"
    assert second.seen == ["a"]


def test_when_all_rest_at_their_own_wish_the_seconds_are_told(bench: Any, make_entry: Any) -> None:
    """R05."""
    routes = [make_entry("a"), make_entry("b")]
    slow = Runner(
        a=error(codes.ENGINE_RATE_LIMITED, retryAfterSeconds=90.0),
        b=error(codes.ENGINE_RATE_LIMITED, retryAfterSeconds=40.0),
    )
    assert fails(bench, routes, slow).details["retryAfterSeconds"] == 40.0
    bench.hand.advance(10)
    run = Runner(a="never", b="never")
    found = fails(bench, routes, run)
    assert (found.code.name, found.details["retryAfterSeconds"], run.seen) == ("ROUTES_COOLING", 30.0, [])


def test_waiting_is_possible_when_asked_for(bench: Any, make_entry: Any) -> None:
    routes = [make_entry("a")]
    run = Runner(a=[error(codes.ENGINE_RATE_LIMITED, retryAfterSeconds=40.0), "back"])
    assert fails(
        bench, routes, Runner(a=error(codes.ENGINE_RATE_LIMITED, retryAfterSeconds=40.0)), wait_s=10
    ).code.name == ("ENGINE_RATE_LIMITED")
    assert bench.slept == []
    bench.hand.advance(60)
    assert go(bench, routes, run, wait_s=60).value == "back"
    assert bench.slept == [40.0]


def test_a_short_wait_of_the_endpoint_is_all_that_is_waited_for(bench: Any, make_entry: Any) -> None:
    """Its trial comes before the rest is over that other faults would bring."""
    routes = [make_entry("a")]
    short = error(codes.ENGINE_RATE_LIMITED, retryAfterSeconds=2.0)
    assert fails(bench, routes, Runner(a=short)).details["retryAfterSeconds"] == 2.0
    bench.hand.advance(0.5)
    assert fails(bench, routes, Runner(a="never")).details["retryAfterSeconds"] == 1.5
    assert go(bench, routes, Runner(a="back"), wait_s=5).value == "back"
    assert bench.slept == [1.5]


def test_a_trial_that_failed_is_not_repeated_at_once(bench: Any, make_entry: Any) -> None:
    routes = [make_entry("a")]
    fails(bench, routes, Runner(a=error()))
    assert fails(bench, routes, Runner(a=error())).details["retryAfterSeconds"] == 30.0


def test_the_file_is_the_truth_between_processes(tmp_path: Any, bench: Any, make_entry: Any) -> None:
    """R03: another process that opened the circuit is heard before the next attempt."""
    bench.documents = Documents(tmp_path)
    routes = [make_entry("a"), make_entry("b")]
    go(bench, routes, Runner(a=error(), b="seen"))
    bench.documents = Documents(tmp_path)
    second = Runner(a="never", b="seen")
    go(bench, routes, second)
    assert second.seen == ["b"]


def test_a_circuit_opened_while_a_walk_is_under_way_is_heard(bench: Any, make_entry: Any) -> None:
    routes = [make_entry("a"), make_entry("b"), make_entry("c")]

    async def run(route: Route) -> str:
        if route.id == "a":
            bench.states.failed(routes[1], error())
            raise error()
        return route.id

    assert go(bench, routes, run).value == "c"


@pytest.mark.parametrize(
    ("code", "rests"),
    [
        (codes.ENGINE_SERVER_ERROR, 30.0),
        (codes.ENGINE_TIMEOUT, 30.0),
        (codes.ENGINE_AUTH, 30.0),
        (codes.NO_ANSWER, 30.0),
        (BAD, 30.0),
        (codes.ENGINE_QUOTA, 3600.0),
        (codes.ENGINE_BAD_REQUEST, 0.0),
        (codes.ENGINE_CONTEXT_OVERFLOW, 0.0),
        (codes.ENGINE_IMAGE_REJECTED, 0.0),
        (codes.VISION_OUTPUT_TRUNCATED, 0.0),
        (Code("EXTRA_MISSING", "input", "x"), 0.0),
        (Code("CREDENTIAL_MISSING", "auth", "x"), 0.0),
    ],
)
def test_only_a_fault_of_the_route_lets_it_rest(bench: Any, make_entry: Any, code: Code, rests: float) -> None:
    routes = [make_entry("a"), make_entry("b")]
    go(bench, routes, Runner(a=error(code), b="seen"))
    assert bench.states.circuit(routes[0]).returns_in(bench.hand.at) == rests


@pytest.mark.parametrize("interrupt", [asyncio.CancelledError, KeyboardInterrupt, SystemExit])
def test_an_interrupted_walk_is_on_record_and_opens_nothing(
    bench: Any, make_entry: Any, interrupt: type[BaseException]
) -> None:
    routes = [make_entry("a"), make_entry("b")]
    with pytest.raises(interrupt):
        go(bench, routes, Runner(a=interrupt(), b="never"))
    assert bench.story == [("a", "operation", "aborted", "INVOCATION_ABORTED")]
    assert bench.documents.load(STATE, STATE_VERSION) is None


def test_a_trial_that_fails_otherwise_ends_the_long_rest_of_an_empty_quota(bench: Any, make_entry: Any) -> None:
    routes = [make_entry("a")]
    fails(bench, routes, Runner(a=error(codes.ENGINE_QUOTA)))
    assert bench.states.circuit(routes[0]).returns_in(bench.hand.at) == 3600.0
    bench.hand.advance(60)
    fails(bench, routes, Runner(a=error()))
    circuit = bench.states.circuit(routes[0])
    assert (circuit.returns_in(bench.hand.at), circuit.opened_by) == (30.0, "ENGINE_SERVER_ERROR")


def test_a_wait_that_the_endpoint_asked_for_outlives_another_fault(bench: Any, make_entry: Any) -> None:
    """Two processes asked at once: one was told to wait, the other failed later and otherwise."""
    route = make_entry("a")
    bench.states.failed(route, error(codes.ENGINE_RATE_LIMITED, retryAfterSeconds=90.0))
    bench.hand.advance(10)
    bench.states.failed(route, error())
    circuit = bench.states.circuit(route)
    assert (circuit.returns_in(bench.hand.at), circuit.returns_to_trial_in(bench.hand.at)) == (80.0, 80.0)


def test_a_fault_without_a_cooldown_closes_what_another_left_open(bench: Any, make_entry: Any) -> None:
    bench.settings = RoutingSettings(failure_cooldown_ms=0)
    route = make_entry("a")
    bench.states.failed(route, error(codes.ENGINE_QUOTA))
    bench.states.failed(route, error())
    circuit = bench.states.circuit(route)
    assert (circuit.is_open(bench.hand.at), circuit.opened_by, circuit.failures) == (False, None, 2)


def test_a_cooldown_of_zero_never_opens(bench: Any, make_entry: Any) -> None:
    bench.settings = RoutingSettings(failure_cooldown_ms=0)
    routes = [make_entry("a"), make_entry("b")]
    go(bench, routes, Runner(a=error(codes.ENGINE_RATE_LIMITED, retryAfterSeconds=9.0), b="seen"))
    assert not bench.states.circuit(routes[0]).is_open(bench.hand.at)


def test_an_endpoint_may_not_ask_for_more_than_the_limit(bench: Any, make_entry: Any) -> None:
    bench.settings = RoutingSettings(max_retry_after_ms=60_000)
    routes = [make_entry("a"), make_entry("b")]
    go(bench, routes, Runner(a=error(codes.ENGINE_RATE_LIMITED, retryAfterSeconds=86_400.0), b="seen"))
    assert bench.states.circuit(routes[0]).returns_in(bench.hand.at) == 60.0


def test_a_changed_entry_starts_with_a_closed_circuit(bench: Any, make_entry: Any) -> None:
    go(bench, [make_entry("a"), make_entry("b")], Runner(a=error(), b="seen"))
    assert not bench.states.circuit(make_entry("a", model="other")).is_open(bench.hand.at)


def test_a_reset_closes_one_or_all(bench: Any, make_entry: Any) -> None:
    routes = [make_entry(name) for name in "abc"]
    go(bench, routes, Runner(a=error(), b=error(), c="seen"))
    assert bench.states.reset("a") == ("a",)
    assert [bench.states.circuit(route).is_open(bench.hand.at) for route in routes] == [False, True, False]
    assert bench.states.reset() == ("b", "c")
    assert bench.states.reset() == ()


def test_a_reset_needs_no_readable_state(bench: Any, make_entry: Any, tmp_path: Any) -> None:
    bench.documents = Documents(tmp_path)
    (tmp_path / "route-state.json").write_text('{"version": 99, "content": {}}')
    assert bench.states.reset() == ()
    assert not bench.states.circuit(make_entry("a")).is_open(bench.hand.at)
