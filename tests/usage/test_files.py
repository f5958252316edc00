"""Export, import and reset."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.core.errors import EyesError
from deepseekeyes.usage.deps import UsageDeps
from deepseekeyes.usage.export import ExportRequest, export
from deepseekeyes.usage.import_ import ImportRequest, import_
from deepseekeyes.usage.reset import ResetRequest, reset
from deepseekeyes.usage.show import ShowRequest, show
from deepseekeyes.usage.statistics_file import counted
from tests.usage.conftest import booked, event


def imported(deps: UsageDeps, name: str = "f") -> Any:
    return asyncio.run(import_(ImportRequest(file=name), deps))


def totals(deps: UsageDeps) -> Any:
    return asyncio.run(show(ShowRequest(), deps)).totals


def code_of(act: Any) -> str:
    with pytest.raises(EyesError) as raised:
        act()
    return raised.value.code.name


STATISTICS: dict[str, Any] = {
    "schemaVersion": 3,
    "startedAt": "2026-01-01T00:00:00.000Z",
    "updatedAt": "2026-02-03T04:05:06.000Z",
    "totals": {
        "visualTurns": 4, "lookCalls": 2, "cacheHits": 1, "estimatedBridgeInputTokens": 90, "mcpLimitStops": 0,
        "calls": {"visionBase": 3, "upstreamFinal": 4, "visionProbe": 0},
        "usage": {
            "visionBase": {"inputTokens": 3000, "outputTokens": 600, "reasoningTokens": 50},
            "upstreamFinal": {"inputTokens": 800, "outputTokens": 200},
        },
    },
    "sessions": [{"sessionId": "raw-id", "updatedAt": "2026-02-03T04:05:06.000Z", "aggregate": {}}],
}  # fmt: skip


def test_statistics_of_the_plugin_are_added_to_the_totals() -> None:
    deps = booked(event(), files={"f": json.dumps(STATISTICS)})
    made = imported(deps)
    report = asyncio.run(show(ShowRequest(), deps))

    assert made.to_json() | {"fileSha256": ""} == {
        "schema": "deepseekeyes.usage-import.v1", "fileSha256": "", "source": "usage-stats.json version 3",
        "calls": 7, "newCalls": 7, "knownCalls": 0, "newTokens": 4600,
        "leftOut": ["1 sessions: their ids are not hashed"],
    }  # fmt: skip
    assert (report.totals.calls, report.totals.usage.input_tokens, report.totals.usage.reasoning_tokens) == (
        8,
        4800,
        50,
    )
    assert report.totals.counters == {
        "cacheHits": 1,
        "estimatedBridgeInputTokens": 90,
        "lookCalls": 2,
        "visualTurns": 4,
    }
    assert (report.derived.vision, report.derived.estimated_bridge) == (3600 + 1100, 90)
    assert "raw-id" not in report.model_dump_json()


def test_the_same_file_again_adds_nothing_in_whatever_form() -> None:
    deps = booked(files={"f": json.dumps(STATISTICS), "g": json.dumps(STATISTICS, indent=2).encode()})
    imported(deps)
    again = imported(deps, "g")

    assert (again.calls, again.new_calls, again.known_calls, again.new_tokens) == (7, 0, 7, 0)
    assert totals(deps).calls == 7


def test_statistics_that_went_on_add_what_came_since() -> None:
    grown = json.loads(json.dumps(STATISTICS))
    grown["updatedAt"] = "2026-02-05T00:00:00.000Z"
    grown["totals"]["calls"]["visionBase"] += 2
    grown["totals"]["usage"]["visionBase"]["inputTokens"] += 500
    deps = booked(files={"f": json.dumps(STATISTICS), "g": json.dumps(grown)})
    imported(deps)
    more = imported(deps, "g")

    assert (more.calls, more.new_calls, more.known_calls, more.new_tokens) == (9, 2, 7, 500)
    assert (totals(deps).calls, totals(deps).total_tokens) == (9, 5100)
    assert {bucket.key.day for bucket in deps.ledger.totals()} == {"2026-02-03", "2026-02-05"}
    assert imported(deps, "f").new_calls == 0


def test_writers_that_import_the_same_file_at_once_add_it_once(tmp_path: Path) -> None:
    def attempt(_: int) -> int:
        deps = booked(home=tmp_path, files={"f": json.dumps(STATISTICS)})
        try:
            new: int = imported(deps).new_calls
        finally:
            deps.ledger.close()
        return new

    with ThreadPoolExecutor(4) as pool:
        ended = sorted(pool.map(attempt, range(4)))

    assert ended == [0, 0, 0, 7]
    assert totals(booked(home=tmp_path)).calls == 7


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("", id="empty"),
        pytest.param("not json", id="prose"),
        pytest.param(b"\xff\xfe{\x00", id="UTF-16"),
        pytest.param("[" * 100_000, id="too deep"),
        pytest.param('{"schemaVersion": 4, "totals": {}}', id="a later version"),
        pytest.param('{"schemaVersion": 3}', id="no totals"),
        pytest.param('{"schema": "deepseekeyes.usage-export.v1", "buckets": 5}', id="a broken export"),
        pytest.param('{"schemaVersion": 3, "totals": {"visualTurns": NaN}}', id="no number"),
    ],
)
def test_what_is_no_statistics_file_is_refused_and_changes_nothing(content: str | bytes) -> None:
    deps = booked(files={"f": content})

    assert code_of(lambda: imported(deps)) == "USAGE_FILE_INVALID"
    assert deps.ledger.totals() == []


numbers = st.none() | st.integers(-5, 5) | st.floats() | st.text(max_size=2) | st.booleans()


@given(st.dictionaries(st.sampled_from(["calls", "usage", "visualTurns", "x"]),
                       numbers | st.dictionaries(st.sampled_from(["visionBase", "odd"]), numbers | st.dictionaries(
                           st.sampled_from(["inputTokens", "outputTokens"]), numbers))))  # fmt: skip
@examples(100)
def test_odd_members_of_a_statistics_file_count_for_nothing(body: Any) -> None:
    found = counted({"schemaVersion": 1, "totals": body})

    assert all(
        type(number) is int and number >= 0
        for bucket in found.sources[0].buckets
        for number in bucket.measures.values()
    )


def test_an_export_carries_the_totals_into_another_home() -> None:
    source = booked(event(session="a"), event("final", usage=TokenUsage(input_tokens=3)), event(outcome="failed"))
    made = asyncio.run(export(ExportRequest(), source))
    target = booked(files={"f": made.model_dump_json(by_alias=True)})
    imported(target)

    assert target.ledger.totals() == source.ledger.totals()
    assert totals(target) == totals(source)
    assert [row["purpose"] for row in made.rows] == ["base", "final", "base"]


def exported(deps: UsageDeps) -> str:
    return asyncio.run(export(ExportRequest(), deps)).model_dump_json(by_alias=True)


def passed_on(source: UsageDeps, target: UsageDeps) -> tuple[int, int]:
    """An export of one home imported into another: calls that were new there, and calls that were known."""
    content = exported(source)
    made = imported(replace(target, text=lambda _: content))
    return made.new_calls, made.known_calls


def test_an_export_of_this_home_is_known_to_it() -> None:
    home = booked(event(), event(), event(day="2026-11-30"))
    assert passed_on(home, home) == (0, 3)
    assert totals(home).calls == 3


def test_homes_that_exchange_exports_count_every_call_once() -> None:
    one, other, third = booked(event(), event()), booked(event("final"), event()), booked()
    assert passed_on(one, other) == (2, 0)
    assert passed_on(other, one) == (2, 2)
    one.ledger.append("usage", event(day="2026-12-02"))
    assert passed_on(one, other) == (1, 4)
    assert passed_on(one, third) == (5, 0)
    assert passed_on(other, third) == (0, 5)
    assert passed_on(third, one) == (0, 5)
    assert [totals(home).calls for home in (one, other, third)] == [5, 5, 5]
    assert one.ledger.totals() == other.ledger.totals() == third.ledger.totals()


def test_statistics_that_came_over_another_home_are_known() -> None:
    one, other = booked(files={"f": json.dumps(STATISTICS)}), booked(files={"f": json.dumps(STATISTICS)})
    imported(one)
    assert passed_on(one, other) == (7, 0)
    assert imported(other).new_calls == 0
    assert passed_on(other, one) == (0, 7)


def test_an_old_export_brings_back_what_a_reset_removed() -> None:
    home = booked(event(), event())
    kept = exported(home)
    asyncio.run(reset(ResetRequest(yes=True), home))
    home.ledger.append("usage", event())
    restored = imported(replace(home, text=lambda _: kept))
    again = imported(replace(home, text=lambda _: kept))
    assert (restored.new_calls, again.new_calls, totals(home).calls) == (2, 0, 3)


def test_an_export_is_cut_to_the_newest_rows_and_counts_the_rest() -> None:
    deps = booked(*(event("base" if index < 3 else "final") for index in range(5)))
    made = asyncio.run(export(ExportRequest(limit=2), deps))

    assert ([row["purpose"] for row in made.rows], made.truncated, made.omitted) == (["final", "final"], True, 3)


def test_a_reset_needs_a_yes() -> None:
    deps = booked(event(), event(session="a"), files={"f": json.dumps(STATISTICS)})
    imported(deps)

    assert code_of(lambda: asyncio.run(reset(ResetRequest(), deps))) == "USAGE_RESET_UNCONFIRMED"
    assert totals(deps).calls == 9

    done = asyncio.run(reset(ResetRequest(yes=True), deps))
    assert (done.removed_calls, done.removed_sessions, done.started_at) == (9, 1, "2026-12-01T10:00:00.000Z")
    assert (totals(deps).calls, deps.ledger.rows("usage"), deps.ledger.sessions()) == (0, [], [])
    assert imported(deps).calls == 7


def test_a_reset_works_while_booking_is_switched_off(tmp_path: Path) -> None:
    booked(event(), home=tmp_path).ledger.close()
    deps = booked(event(), home=tmp_path, silenced=frozenset({"usage"}))

    assert totals(deps).calls == 1
    assert asyncio.run(reset(ResetRequest(yes=True), deps)).removed_calls == 1
    assert totals(deps).calls == 0
