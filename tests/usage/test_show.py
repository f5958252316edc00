"""What `usage show` and `usage sessions` say."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from deepseekeyes.contracts.usage import TokenUsage, UsageEvent
from deepseekeyes.contracts.usage_report import Derived, Figures, UsageReport
from deepseekeyes.core.clock import Clock
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.metered import Metered
from deepseekeyes.routing.ports import EngineReply, EngineRequest, Message, Picture
from deepseekeyes.store.usage_imports import Source
from deepseekeyes.store.usage_totals import Bucket, BucketKey
from deepseekeyes.usage import fold
from deepseekeyes.usage.deps import METERING_OFF, UsageDeps
from deepseekeyes.usage.export import ExportRequest, export
from deepseekeyes.usage.sessions import SessionsRequest, sessions
from deepseekeyes.usage.show import ShowRequest, show
from tests.usage.conftest import booked, event


def shown(deps: UsageDeps, **request: Any) -> UsageReport:
    return asyncio.run(show(ShowRequest(**request), deps))


def test_an_empty_ledger_shows_zeros_and_no_money() -> None:
    report = shown(booked())

    assert (report.started_at, report.totals, report.groups, report.cost.amounts) == (None, Figures(), (), ())
    assert all(identity.holds for identity in report.identities)


def test_zeros_of_a_ledger_that_is_switched_off_are_explained(history: Any) -> None:
    told: list[str] = []
    deps = replace(booked(*history), metering=False, note=told.append)
    asyncio.run(sessions(SessionsRequest(), deps))
    asyncio.run(export(ExportRequest(), deps))

    assert ([("ledger.usage" in said) for said in shown(deps).warnings], shown(deps).totals.calls) == ([True], 8)
    assert told == [METERING_OFF, METERING_OFF]
    assert shown(booked()).warnings == ()


def test_failed_and_repeated_calls_are_counted_and_cache_hits_are_none(history: Any) -> None:
    totals = shown(booked(*history)).totals

    assert totals == Figures(
        calls=8, succeeded=6, failed=1, retried=1, cache_hits=1, unreported=1, duration_ms=90,
        usage=TokenUsage(
            input_tokens=4290, output_tokens=770, cache_read_tokens=500, reasoning_tokens=120, image_tokens=600
        ),
        total_tokens=4290 + 770 + 500, estimated_input_tokens=650, counters={"mcpExternalCalls": 1},
    )  # fmt: skip


def test_final_calls_and_estimates_stand_apart_from_what_seeing_cost(history: Any) -> None:
    vision, clarification, mcp = 220 + 1300 + 1250 + 450, 760, 100

    assert shown(booked(*history)).derived == Derived(
        vision=vision, clarification=clarification, automation=0, mcp=mcp,
        exact_additional=vision + clarification + mcp, final=1480,
        estimated_bridge=650, estimated_additional=vision + clarification + mcp + 650,
    )  # fmt: skip


def test_groups_come_in_the_order_of_the_work_or_by_name(history: Any) -> None:
    deps = booked(*history)

    assert [group.name for group in shown(deps).groups] == ["probe", "base", "target", "clarification", "mcp", "final"]
    assert [(group.name, group.as_of) for group in shown(deps, by="route").groups] == [
        ("brain", None),
        ("qwen", "2026-11-30"),
    ]
    assert [group.name for group in shown(deps, by="outcome").groups] == ["cache-hit", "failed", "retry", "success"]


def test_what_nobody_reported_is_unknown_and_not_zero() -> None:
    usage = shown(booked(event(usage=TokenUsage(output_tokens=5)))).totals.usage

    assert usage == TokenUsage(output_tokens=5)


def test_a_day_limits_what_is_shown() -> None:
    deps = booked(event(day="2026-11-29"), event(day="2026-11-30"), event(day="2026-12-01"))

    assert shown(deps, since="2026-11-30").totals.calls == 2
    undated = Bucket(BucketKey("", "base", "p", "m", "qwen", "success"), {"events": 3})
    deps.ledger.import_totals([Source("elsewhere", (undated,))])
    assert shown(deps, since="2026-11-30").warnings == ("3 older calls have no day any more and are left out.",)


def test_many_groups_are_cut_and_the_rest_counted() -> None:
    report = shown(booked(*(event(route=f"r{index}") for index in range(5))), by="route", limit=2)

    assert ([group.name for group in report.groups], report.truncated, report.omitted) == (["r0", "r1"], True, 3)


def test_rows_that_were_trimmed_stay_in_the_totals() -> None:
    deps = booked(*(event() for _ in range(30)), limits={"usage": 10})

    assert (deps.ledger.count("usage"), shown(deps).totals.calls) == (10, 30)


def test_a_provider_whose_parts_exceed_their_whole_is_named() -> None:
    odd = event(route="odd", usage=TokenUsage(input_tokens=10, output_tokens=5, reasoning_tokens=9, image_tokens=50))
    found = {identity.rule: identity for identity in shown(booked(event(), odd)).identities}

    assert not found["reasoning tokens are a part of output tokens"].holds
    assert found["reasoning tokens are a part of output tokens"].seen == "odd: 9 of 5"
    assert found["image tokens are a part of input tokens"].seen == "odd: 50 of 10"
    assert found["the routes add up to the total"].holds


@pytest.mark.parametrize(
    ("image_tokens", "warned"),
    [
        pytest.param(1088, "enlarges", id="V27"),
        pytest.param(196, None, id="usual"),
        pytest.param(1, "shrinks", id="tiny"),
    ],
)
def test_image_tokens_out_of_proportion_to_the_pixels_sent_are_named(image_tokens: int, warned: str | None) -> None:
    usage = TokenUsage(input_tokens=1500, output_tokens=5, image_tokens=image_tokens)
    report = shown(booked(event(usage=usage, counters={"picturesSent": 1, "pixelsSent": 386 * 386})))

    assert report.totals.counters == {"picturesSent": 1, "pixelsSent": 148_996}
    assert [warned in said for said in report.warnings] == ([True] if warned else [])


def test_sessions_are_listed_newest_first_by_their_hash() -> None:
    deps = booked(
        event(session="a", day="2026-11-30"),
        event(session="b"),
        event(session="a"),
        event("final", session="a"),
        event(),
    )
    listed = asyncio.run(sessions(SessionsRequest(), deps))
    first = listed.items[0]

    assert {item.figures.calls for item in listed.items} == {1, 3}
    assert all(len(item.session_hash) == 64 for item in listed.items)
    assert [group.name for group in next(i for i in listed.items if i.figures.calls == 3).by_purpose] == [
        "base",
        "final",
    ]
    one = asyncio.run(sessions(SessionsRequest(session=first.session_hash[:12], limit=1), deps))
    assert (one.items, one.truncated) == ((first,), False)
    assert asyncio.run(sessions(SessionsRequest(limit=1), deps)).omitted == 1


tokens_ = st.builds(
    TokenUsage,
    **{
        name: st.none() | st.integers(0, 10_000)
        for name in ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
    },
)
events = st.lists(
    st.tuples(
        st.sampled_from(fold.PURPOSES), st.sampled_from(["qwen", "glm", "brain"]),
        st.sampled_from(["success", "failed", "retry", "cache-hit"]), st.sampled_from(["2026-11-30", "2026-12-01"]),
        tokens_,
    ),
    max_size=12,
)  # fmt: skip


@given(events)
@examples(40)
def test_groups_of_any_kind_add_up_to_the_totals(rows: Any) -> None:
    deps = booked(*(event(p, r, outcome=o, day=d, usage=u) for p, r, o, d, u in rows))
    for by in ("purpose", "route", "day", "outcome"):
        report = shown(deps, by=by)
        figures = [group.figures for group in report.groups]
        assert (
            sum(one.calls for one in figures) == report.totals.calls == sum(1 for row in rows if row[2] != "cache-hit")
        )
        assert (
            sum(one.total_tokens for one in figures) == report.totals.total_tokens == sum(row[4].total for row in rows)
        )
        assert report.totals.calls == report.totals.succeeded + report.totals.failed + report.totals.retried
    derived = report.derived
    assert derived.exact_additional + derived.final == report.totals.total_tokens


def test_the_same_numbers_come_from_the_disk(tmp_path: Path, history: Any) -> None:
    assert shown(booked(*history, home=tmp_path)) == shown(booked(*history))


def test_pictures_that_go_out_are_booked_with_their_pixels() -> None:
    rows: list[UsageEvent] = []
    picture = Picture(b"", "image/png", 386, 386, "0" * 64)

    class Engine:
        async def run(self, route: Route, request: EngineRequest) -> EngineReply:
            return EngineReply("x", usage=TokenUsage(input_tokens=1200, image_tokens=1088))

    entry = Route.model_validate(
        {"id": "qwen", "engine": "ollama", "model": "m", "capabilities": ["image_to_evidence"]}
    )
    engine = Metered(Engine(), rows.append, Clock(), "base")
    asyncio.run(engine.run(entry, EngineRequest("image_to_evidence", (Message("user", "read", (picture, picture)),))))
    asyncio.run(engine.run(entry, EngineRequest("text_to_text", (Message("user", "hi"),))))

    assert [row.counters for row in rows] == [{"picturesSent": 2, "pixelsSent": 2 * 386 * 386}, {}]
