"""Times in documents."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest

from deepseekeyes.core.clock import Clock, rfc3339


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2026, 12, 1, 10, 20, 30, 123_999, UTC), "2026-12-01T10:20:30.123Z"),
        (datetime(2026, 12, 1, tzinfo=UTC), "2026-12-01T00:00:00.000Z"),
        (datetime(2026, 12, 1, 1, tzinfo=timezone(timedelta(hours=8))), "2026-11-30T17:00:00.000Z"),
    ],
)
def test_times_print_in_utc_with_milliseconds(moment: datetime, text: str) -> None:
    assert rfc3339(moment) == text


@pytest.mark.parametrize(("reading", "milliseconds"), [(10.0, 0), (10.0004, 0), (11.2346, 1235), (9.0, 0)])
def test_durations_are_whole_and_never_negative(reading: float, milliseconds: int) -> None:
    assert Clock(monotonic=lambda: reading).milliseconds_since(10.0) == milliseconds


def test_the_real_clock_is_aware_and_ids_differ() -> None:
    clock = Clock()
    assert clock.now().tzinfo is UTC
    ids = {clock.new_id() for _ in range(8)}
    assert len(ids) == 8
    assert all(re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", one) for one in ids)
    assert {clock.randbelow(2) for _ in range(64)} == {0, 1}
