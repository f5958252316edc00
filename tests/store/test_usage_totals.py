"""Running totals of usage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from deepseekeyes.contracts.usage import TokenUsage, UsageEvent
from deepseekeyes.store import usage_totals
from deepseekeyes.store.ledger import Ledger
from deepseekeyes.store.usage_imports import Source, growth
from deepseekeyes.store.usage_totals import Bucket, BucketKey, measures, merged


def event(**more: Any) -> dict[str, Any]:
    usage = more.pop("usage", TokenUsage(input_tokens=10, output_tokens=0))
    fields = {"at": "2026-12-01T10:00:00.000Z", "purpose": "base", "provider": "p", "model": "m", "route": "r", **more}
    return UsageEvent(usage=usage, **fields).model_dump(mode="json", by_alias=True)


def key(**more: str) -> BucketKey:
    return BucketKey("2026-12-01", "base", "p", "m", "r", "success")._replace(**more)


def test_an_event_measures_what_was_reported_and_nothing_else() -> None:
    found = measures(event(duration_ms=7, counters={"lookCalls": 2}))
    assert found == {
        "events": 1,
        "durationMs": 7,
        "inputTokens": 10,
        "inputTokensReported": 1,
        "outputTokens": 0,
        "outputTokensReported": 1,
        "counter.lookCalls": 2,
    }


def test_rows_add_up_by_day_purpose_route_and_outcome(ledger: Ledger) -> None:
    for row in (
        event(),
        event(),
        event(purpose="probe"),
        event(outcome="failed"),
        event(at="2026-12-02T00:00:00.000Z"),
    ):
        ledger.append("usage", row)
    assert {bucket.key: bucket.measures["events"] for bucket in ledger.totals()} == {
        key(): 2,
        key(purpose="probe"): 1,
        key(outcome="failed"): 1,
        key(day="2026-12-02"): 1,
    }
    assert merged(ledger.totals())["inputTokens"] == 50
    assert ledger.usage_started_at() == "2026-12-01T10:00:00.000Z"


def test_totals_outlive_the_rows_and_the_sessions(open_ledger: Callable[..., Ledger]) -> None:
    ledger = open_ledger(limits={"usage": 10}, sessions_kept=3)
    for number in range(30):
        at = f"2026-12-01T10:{number:02}:00.000Z"
        ledger.append("usage", event(at=at, session_hash=f"s{number % 6}"))
    assert ledger.count("usage") == 10
    assert merged(ledger.totals())["events"] == 30
    sessions = ledger.sessions()
    assert [session.session_hash for session in sessions] == ["s5", "s4", "s3"]
    assert sessions[0].updated_at == "2026-12-01T10:29:00.000Z"
    assert [merged(session.buckets)["events"] for session in sessions] == [1, 1, 1]


def test_a_session_that_stays_recent_keeps_its_whole_total(open_ledger: Callable[..., Ledger]) -> None:
    ledger = open_ledger(sessions_kept=2)
    for number in range(5):
        ledger.append("usage", event(at=f"2026-12-0{number + 1}T00:00:00.000Z", session_hash="kept"))
    (session,) = ledger.sessions()
    assert (session.started_at, session.updated_at) == ("2026-12-01T00:00:00.000Z", "2026-12-05T00:00:00.000Z")
    assert (merged(session.buckets)["events"], len(session.buckets)) == (5, 5)


def test_a_batch_books_as_single_rows_do(open_ledger: Callable[..., Ledger]) -> None:
    rows = [event(session_hash=f"s{n % 3}", purpose=("base", "probe")[n % 2]) for n in range(12)]
    one, many = open_ledger(None), open_ledger(None)
    for row in rows:
        one.append("usage", row)
    many.extend("usage", ((None, row) for row in rows))
    assert (one.totals(), one.sessions(), one.rows("usage")) == (many.totals(), many.sessions(), many.rows("usage"))


@examples(25)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b"]),
            st.sampled_from(["2026-12-01", "2026-12-02"]),
            st.none() | st.integers(0, 2**40),
        ),
        max_size=20,
    )
)
def test_totals_equal_the_sum_of_all_rows_ever(rows: list[tuple[str, str, int | None]]) -> None:
    ledger = Ledger(None, limits={"usage": 3})
    for route, day, tokens in rows:
        ledger.append("usage", event(route=route, at=f"{day}T00:00:00.000Z", usage=TokenUsage(input_tokens=tokens)))
    found = merged(ledger.totals())
    reported = [tokens for *_, tokens in rows if tokens is not None]
    assert (found.get("events", 0), found.get("inputTokens", 0), found.get("inputTokensReported", 0)) == (
        len(rows),
        sum(reported),
        len(reported),
    )
    ledger.close()


def test_imported_sums_join_the_totals_without_rows(ledger: Ledger) -> None:
    ledger.append("usage", event())
    elsewhere = Source("x", (Bucket(key(), {"events": 4, "inputTokens": 5}), Bucket(key(day=""), {"events": 1})))
    assert ledger.import_totals([elsewhere]) == list(reversed(elsewhere.buckets))
    assert ledger.import_totals([elsewhere]) == []
    assert [(bucket.key.day, bucket.measures["events"]) for bucket in ledger.totals()] == [("", 1), ("2026-12-01", 5)]
    assert merged(ledger.totals())["inputTokens"] == 15
    assert ledger.count("usage") == 1


def test_the_own_part_of_the_totals_has_a_name_of_its_own_from_the_first_row_to_the_reset(ledger: Ledger) -> None:
    assert ledger.usage_sources() == (None, [])
    ledger.append("usage", event())
    name, imported = ledger.usage_sources()
    ledger.append("usage", event(route="other"))
    assert (ledger.usage_sources(), imported) == ((name, []), [])
    assert ledger.import_totals([Source(name or "", (Bucket(key(), {"events": 9}),))]) == []
    ledger.reset_usage()
    ledger.append("usage", event())
    assert ledger.usage_sources()[0] not in (None, name)


days = st.sampled_from(["", "2026-11-30", "2026-12-01"])
sums = st.dictionaries(st.sampled_from(["events", "inputTokens"]), st.integers(1, 5), min_size=1)
parts = st.lists(st.builds(lambda day, found: Bucket(key(day=day), found), days, sums), max_size=4)


@given(parts, parts)
@examples(200)
def test_growth_is_what_was_added_and_adding_it_leaves_none(before: list[Bucket], more: list[Bucket]) -> None:
    now = [*before, *more]
    grown = growth(now, before)
    assert merged(grown) == merged(more)
    assert growth(now, [*before, *grown]) == []


@given(parts)
@examples(100)
def test_days_that_a_source_merged_are_no_growth(before: list[Bucket]) -> None:
    folded = [Bucket(one.key._replace(day=""), one.measures) for one in before]
    assert growth(folded, before) == []
    assert growth(before, folded, dated=False) == []


def test_reset_forgets_rows_totals_and_sessions_and_begins_anew(ledger: Ledger) -> None:
    ledger.append("usage", event(session_hash="s"))
    ledger.reset_usage()
    assert (ledger.totals(), ledger.sessions(), ledger.count("usage")) == ([], [], 0)
    assert ledger.verify("usage").intact
    ledger.append("usage", event())
    assert merged(ledger.totals())["events"] == 1


def test_very_many_days_are_merged_into_one_bucket_per_route(
    open_ledger: Callable[..., Ledger], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usage_totals, "MAX_BUCKETS", 10)
    ledger = open_ledger()
    for number in range(28):
        ledger.append("usage", event(at=f"2026-11-{number + 1:02}T00:00:00.000Z", route=f"r{number % 2}"))
        assert len(ledger.totals()) <= 11
    days = [bucket.key.day for bucket in ledger.totals()]
    assert days[:2] == ["", ""]
    assert days[-1] == "2026-11-28"
    assert merged(ledger.totals()) == {
        "events": 28,
        "durationMs": 0,
        "inputTokens": 280,
        "inputTokensReported": 28,
        "outputTokens": 0,
        "outputTokensReported": 28,
    }
