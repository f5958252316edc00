"""Rows in several tables at once, and rows that are written behind the caller's back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.store.ledger import Ledger
from deepseekeyes.store.ledger_chain import link
from deepseekeyes.store.ledger_later import Later


def fail(trouble: EyesError) -> None:
    raise AssertionError(trouble)


def bodies(ledger: Ledger, table: str) -> list[dict[str, object]]:
    return [row.body for row in ledger.rows(table, oldest_first=True)]


def test_rows_of_several_tables_are_written_together_or_not_at_all(ledger: Ledger) -> None:
    assert ledger.extend_each({"usage": [(None, {"n": 1})], "audit": [("r", {"n": 2}), (None, {"n": 3})]}) == {
        "usage": 1,
        "audit": 2,
    }
    with pytest.raises(EyesError) as caught:
        ledger.extend_each({"usage": [(None, {"n": 4})], "audit": [(None, {"n": float("nan")})]})
    assert caught.value.code.name == "NOT_JSON"
    assert (bodies(ledger, "usage"), bodies(ledger, "audit")) == ([{"n": 1}], [{"n": 2}, {"n": 3}])
    assert ledger.verify("usage").intact
    assert ledger.verify("audit").intact


def test_a_silenced_table_does_not_silence_the_others(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite3", silenced=frozenset({"usage"}))
    assert ledger.extend_each({"usage": [(None, {})], "audit": [(None, {})]}) == {"usage": None, "audit": 1}
    ledger.close()


def test_what_was_put_is_there_for_the_next_reader_in_order(ledger: Ledger) -> None:
    for n in range(50):
        ledger.extend_later(lambda n=n: {"audit": [(None, {"n": n})]}, fail)  # type: ignore[misc]
    assert [body["n"] for body in bodies(ledger, "audit")] == list(range(50))
    assert ledger.verify("audit").intact


@pytest.mark.parametrize("after", [Ledger.close, lambda ledger: ledger.trim("audit", keep=10)])
def test_closing_and_trimming_wait_for_what_was_put(tmp_path: Path, after: Callable[[Ledger], object]) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite3")
    ledger.extend_later(lambda: {"audit": [(None, {"n": 1})]}, fail)
    after(ledger)
    other = Ledger(tmp_path / "ledger.sqlite3")
    assert bodies(other, "audit") == [{"n": 1}]
    other.close()
    ledger.extend_later(lambda: {"audit": [(None, {"n": 2})]}, fail)
    ledger.close()
    assert bodies(other, "audit") == [{"n": 1}, {"n": 2}]
    other.close()
    ledger.close()


def test_what_cannot_be_made_or_written_is_told_and_later_rows_go_on(ledger: Ledger) -> None:
    told: list[str] = []
    for wrong in (lambda: {"audit": [(None, {"n": float("inf")})]}, lambda: {"audit": [(None, {"n": 1 // 0})]}):
        ledger.extend_later(wrong, lambda trouble: told.append(trouble.code.name))
        assert ledger.count("audit") == 0
    ledger.extend_later(lambda: {"audit": [(None, {"n": 1})]}, fail)
    assert (bodies(ledger, "audit"), told) == ([{"n": 1}], ["NOT_JSON", "LEDGER_UNAVAILABLE"])


def test_puts_meanwhile_share_a_transaction_and_a_crowd_waits() -> None:
    written: list[dict[str, object]] = []
    go = threading.Event()

    def write(rows: dict[str, object]) -> None:
        assert go.wait(60)
        written.append(rows)

    later = Later(write, most_waiting=2, gather_s=0)
    later.put(lambda: {"a": [(None, {"n": 0})]}, fail)
    while later._waiting:  # the thread has taken the first put and is held at the write
        threading.Event().wait(0.001)
    later.put(lambda: {"a": [(None, {"n": 1})]}, fail)
    later.put(lambda: {"b": [(None, {"n": 2})], "a": [(None, {"n": 3})]}, fail)
    crowd = threading.Thread(target=later.put, args=(lambda: {"a": [(None, {"n": 4})]}, fail))
    crowd.start()
    assert len(written) == 0
    go.set()
    crowd.join(60)
    rest = [each for found in written[1:] for each in found.get("a", [])]  # type: ignore[attr-defined]
    assert (written[0], rest) == ({"a": [(None, {"n": 0})]}, [(None, {"n": n}) for n in (1, 3, 4)])
    later.close()


def test_a_link_covers_the_same_text_however_it_is_spelled() -> None:
    from hashlib import sha256

    from deepseekeyes.core.canonical import canonical

    for at, subject, body in [("t", None, '{"a":"\\n\\""}'), ('t"', None, "{}"), ("t", "s", "{}"), ("é", None, "ü")]:
        text = canonical(["0" * 64, "audit", 7, at, subject, body])
        assert link("0" * 64, "audit", 7, at, subject, body) == sha256(text.encode()).hexdigest()
