"""Rows, chain, trimming and counters."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from deepseekeyes.core.errors import EyesError
from deepseekeyes.store.ledger import Counter, Ledger
from deepseekeyes.store.ledger_chain import Verified

NOW_TEXT = "2026-12-01T10:00:00.000Z"


def numbers(ledger: Ledger, table: str = "attempts", **more: object) -> list[int]:
    return [row.body["n"] for row in ledger.rows(table, **more)]  # type: ignore[arg-type]


def test_rows_come_back_newest_first_with_number_time_and_subject(ledger: Ledger) -> None:
    assert ledger.append("runs", {"n": 1.0, "text": "é"}, subject="run-1") == 1
    assert ledger.append("runs", {"n": 2, "at": "2026-11-30T00:00:00.000Z"}) == 2
    second, first = ledger.rows("runs")
    assert (first.id, first.at, first.subject, first.body) == (1, NOW_TEXT, "run-1", {"n": 1, "text": "é"})
    assert (second.id, second.at, second.subject) == (2, "2026-11-30T00:00:00.000Z", None)
    assert first.digest != second.digest


def test_rows_are_filtered_paged_and_ordered(ledger: Ledger) -> None:
    ledger.extend("attempts", ((f"s{n % 2}", {"n": n, "route": f"r{n % 3}", "ok": n > 2}) for n in range(6)))
    assert numbers(ledger) == [5, 4, 3, 2, 1, 0]
    assert numbers(ledger, limit=2) == [5, 4]
    assert numbers(ledger, limit=2, before=5) == [3, 2]
    assert numbers(ledger, subject="s1") == [5, 3, 1]
    assert numbers(ledger, where={"route": "r0"}, oldest_first=True) == [0, 3]
    assert numbers(ledger, where={"route": "r0", "ok": True}, subject="s1") == [3]
    assert numbers(ledger, where={'"; DROP TABLE attempts; --': "x"}) == []
    assert ledger.count("attempts") == 6


def test_a_table_keeps_its_newest_rows_and_its_chain_still_verifies(open_ledger: Callable[..., Ledger]) -> None:
    ledger = open_ledger(limits={"attempts": 3})
    for n in range(10):
        ledger.append("attempts", {"n": n})
        assert ledger.count("attempts") == min(n + 1, 3)
    assert numbers(ledger) == [9, 8, 7]
    assert ledger.verify("attempts") == Verified("attempts", intact=True, rows=3, trimmed=7)
    ledger.extend("attempts", ((None, {"n": n}) for n in range(10, 20)))
    assert numbers(ledger) == [19, 18, 17]
    assert ledger.verify("attempts") == Verified("attempts", intact=True, rows=3, trimmed=17)


def test_the_default_limits_are_the_documented_ones(ledger: Ledger) -> None:
    ledger.extend("attempts", ((None, {"n": n}) for n in range(1005)))
    ledger.extend("audit", ((None, {"n": n}) for n in range(205)))
    assert (ledger.count("attempts"), ledger.count("audit")) == (1000, 200)


def test_trimming_by_number_and_by_age(ledger: Ledger) -> None:
    ledger.extend("audit", ((None, {"n": n, "at": f"2026-11-{n + 1:02}T00:00:00.000Z"}) for n in range(9)))
    assert ledger.trim("audit") == 0
    assert ledger.trim("audit", before="2026-11-03T00:00:00.000Z") == 2
    assert ledger.trim("audit", keep=4) == 3
    assert numbers(ledger, "audit") == [8, 7, 6, 5]
    assert ledger.trim("audit", before="2027-01-01T00:00:00.000Z") == 4
    assert ledger.trim("audit", keep=0) == 0
    ledger.append("audit", {"n": 9})
    assert ledger.verify("audit") == Verified("audit", intact=True, rows=1, trimmed=9)


DAMAGE = {
    "a body changed": ("UPDATE attempts SET body = '{\"n\":7}' WHERE id = 3", 3),
    "a time changed": ("UPDATE attempts SET at = '2020' WHERE id = 3", 3),
    "a subject changed": ("UPDATE attempts SET subject = 'x' WHERE id = 3", 3),
    "a row removed": ("DELETE FROM attempts WHERE id = 3", 4),
    "the first row removed": ("DELETE FROM attempts WHERE id = 1", 2),
    "the last row removed": ("DELETE FROM attempts WHERE id = 5", 5),
    "all rows removed": ("DELETE FROM attempts", 1),
    "a row slipped in": (
        "INSERT INTO attempts SELECT 6, at, subject, body, digest, digest FROM attempts WHERE id = 5",
        6,
    ),
    "two rows exchanged": (
        "UPDATE attempts SET body = (SELECT body FROM attempts AS a WHERE a.id = 5 - attempts.id) WHERE id IN (2, 3)",
        2,
    ),
}


@pytest.mark.parametrize(("statement", "bad"), DAMAGE.values(), ids=DAMAGE.keys())
def test_tampering_is_found_at_its_first_row(
    open_ledger: Callable[..., Ledger], tmp_path: Path, statement: str, bad: int
) -> None:
    ledger = open_ledger()
    ledger.extend("attempts", ((None, {"n": n}) for n in range(5)))
    db = sqlite3.connect(tmp_path / "home" / "ledger.sqlite3")
    db.execute(statement)
    db.commit()
    db.close()
    found = ledger.verify("attempts")
    assert (found.intact, found.first_bad) == (False, bad)
    assert ledger.verify("audit").intact


@examples(25)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 4), st.text()), max_size=12))
def test_any_mix_of_appending_and_trimming_verifies(steps: list[tuple[int, int, str]]) -> None:
    ledger = Ledger(None, limits={"runs": 7})
    wanted: list[str] = []
    for action, amount, text in steps:
        if action:
            ledger.extend("runs", ((text, {"text": text}) for _ in range(amount)))
            wanted = (wanted + [text] * amount)[-7:]
        else:
            ledger.trim("runs", keep=amount)
            wanted = wanted[-amount:]
    assert [row.body["text"] for row in ledger.rows("runs", oldest_first=True)] == wanted
    assert ledger.verify("runs").intact
    ledger.close()


def test_a_failing_batch_leaves_no_row(ledger: Ledger) -> None:
    ledger.append("attempts", {"n": 0})
    with pytest.raises(EyesError) as failure:
        ledger.extend("attempts", [(None, {"n": 1}), (None, {"n": float("nan")})])
    assert (failure.value.code.name, numbers(ledger)) == ("NOT_JSON", [0])
    assert ledger.append("attempts", {"n": 2}) == 2


def test_a_silenced_table_takes_no_rows_and_stays_readable(open_ledger: Callable[..., Ledger]) -> None:
    open_ledger().append("usage", {"purpose": "base"})
    quiet = open_ledger(silenced=frozenset({"usage"}))
    assert quiet.append("usage", {"purpose": "base"}) is None
    assert (quiet.count("usage"), sum(bucket.measures["events"] for bucket in quiet.totals())) == (1, 1)
    quiet.reset_usage()
    assert (quiet.count("usage"), quiet.totals()) == (0, [])


@pytest.mark.parametrize("table", ["", "meta", "guard", "usage; DROP TABLE usage"])
def test_a_table_that_is_none_is_refused(ledger: Ledger, table: str) -> None:
    for call in (lambda: ledger.append(table, {}), lambda: ledger.rows(table), lambda: ledger.verify(table)):
        with pytest.raises(EyesError) as failure:
            call()
        assert failure.value.code.name == "LEDGER_TABLE_UNKNOWN"
    with pytest.raises(EyesError):
        ledger.bump("usage", "x")


def test_undecodable_words_of_a_command_line_are_kept_as_escapes(ledger: Ledger) -> None:
    ledger.append("runs", {"n": 1}, subject="\udcff")
    assert numbers(ledger, "runs", subject="\udcff") == [1]
    assert [ledger.bump("guard", "\udcff"), ledger.forget("guard", "\udcff")] == [1, True]


def test_a_counter_stops_at_its_ceiling_unchanged(ledger: Ledger) -> None:
    assert [ledger.bump("mcp_runs", "run", ceiling=2) for _ in range(4)] == [1, 2, None, None]
    assert ledger.bump("mcp_runs", "run", by=3) == 5
    assert ledger.bump("guard", "run") == 1
    assert [(found.key, found.value) for found in ledger.counters("mcp_runs")] == [("run", 5)]
    assert [ledger.forget("mcp_runs", "run"), ledger.forget("mcp_runs", "run"), ledger.counters("mcp_runs")] == [
        True,
        False,
        [],
    ]


def test_an_expired_counter_starts_anew(open_ledger: Callable[..., Ledger]) -> None:
    moments = [datetime(2026, 12, 1, tzinfo=UTC)]
    ledger = open_ledger(now=lambda: moments[-1])
    ledger.bump("mcp_runs", "old", ceiling=1)
    moments.append(moments[0] + timedelta(hours=25))
    assert ledger.bump("mcp_runs", "old", ceiling=1) is None
    assert ledger.bump("mcp_runs", "old", ceiling=1, expires_s=24 * 3600) == 1
    assert ledger.counters("mcp_runs") == [Counter("old", 1, moments[-1].timestamp())]


def test_threads_may_share_one_ledger(ledger: Ledger) -> None:
    def write() -> None:
        for n in range(20):
            ledger.append("attempts", {"n": n})
            ledger.bump("guard", "k")

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ledger.verify("attempts") == Verified("attempts", intact=True, rows=80, trimmed=0)
    assert ledger.bump("guard", "k", by=0) == 80
