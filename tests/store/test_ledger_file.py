"""The ledger's file: creation, versions, damage and failures."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.store.ledger import Ledger
from deepseekeyes.store.ledger_file import COUNTED, VERSION

Open = Callable[..., Ledger]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "ledger.sqlite3"


@contextmanager
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        yield db


def failure_of(call: Callable[[], object]) -> tuple[str, int]:
    with pytest.raises(EyesError) as failure:
        call()
    return failure.value.code.name, failure.value.exit_code


def test_reading_a_ledger_that_was_never_written_creates_nothing(open_ledger: Open, tmp_path: Path) -> None:
    ledger = open_ledger()
    assert (ledger.rows("usage"), ledger.totals(), ledger.sessions(), ledger.usage_started_at()) == ([], [], [], None)
    assert [ledger.counters(table) for table in COUNTED] == [[], []]
    assert (ledger.count("usage"), ledger.verify("usage").intact) == (0, True)
    assert list(tmp_path.iterdir()) == []


def test_the_file_and_its_companions_are_private(open_ledger: Open, path: Path) -> None:
    open_ledger().append("usage", {})
    modes = {entry.name: stat.S_IMODE(entry.stat().st_mode) for entry in path.parent.iterdir()}
    assert modes == {"ledger.sqlite3": 0o600, "ledger.sqlite3-wal": 0o600, "ledger.sqlite3-shm": 0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_closing_leaves_one_file_and_the_next_use_opens_it_again(open_ledger: Open, path: Path) -> None:
    ledger = open_ledger()
    ledger.append("usage", {"n": 1})
    ledger.close()
    ledger.close()
    assert [entry.name for entry in path.parent.iterdir()] == ["ledger.sqlite3"]
    assert [row.body for row in ledger.rows("usage")] == [{"n": 1}]
    assert [row.body for row in open_ledger().rows("usage")] == [{"n": 1}]


def test_the_write_ahead_log_is_on_and_the_schema_has_a_version(open_ledger: Open, path: Path) -> None:
    open_ledger().append("usage", {})
    with raw(path) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)


def test_a_newer_schema_is_refused_for_reading_and_writing_and_left_alone(open_ledger: Open, path: Path) -> None:
    ledger = open_ledger()
    ledger.append("usage", {})
    ledger.close()
    with raw(path) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    assert failure_of(lambda: ledger.rows("usage")) == ("LEDGER_VERSION", 3)
    assert failure_of(lambda: ledger.append("usage", {})) == ("LEDGER_VERSION", 3)
    with raw(path) as db:
        assert db.execute("SELECT count(*) FROM usage").fetchone() == (1,)


def test_a_database_of_another_program_is_refused_and_left_alone(open_ledger: Open, path: Path) -> None:
    path.parent.mkdir()
    with raw(path) as db:
        db.execute("CREATE TABLE usage (x)")
    assert failure_of(lambda: open_ledger().append("usage", {})) == ("LEDGER_CORRUPT", 3)
    with raw(path) as db:
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("usage",)]


@pytest.mark.parametrize("content", [b"not a database at all", b"SQLite", b"\x00" * 5000])
def test_a_file_that_is_no_database_is_quarantined_and_a_new_one_begins(
    open_ledger: Open, path: Path, content: bytes
) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    ledger = open_ledger()
    assert ledger.append("usage", {}) == 1
    (moved,) = ledger.quarantined
    assert (moved.path, moved.moved_to.parent, moved.moved_to.read_bytes()) == (
        path,
        path.parent / "quarantine",
        content,
    )


def test_an_empty_file_becomes_a_ledger(open_ledger: Open, path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    ledger = open_ledger()
    assert (ledger.append("usage", {}), ledger.quarantined) == (1, ())


def test_a_damaged_page_is_a_typed_failure_and_nothing_is_overwritten(open_ledger: Open, path: Path) -> None:
    ledger = open_ledger()
    ledger.extend("runs", ((None, {"text": "x" * 500}) for _ in range(200)))
    ledger.close()
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    assert failure_of(lambda: ledger.append("runs", {})) == ("LEDGER_CORRUPT", 3)
    assert failure_of(lambda: ledger.rows("runs")) == ("LEDGER_CORRUPT", 3)
    assert path.read_bytes() == bytes(data)
    with pytest.raises(EyesError) as caught:
        ledger.rows("runs")
    assert caught.value.hint.endswith(f": mv {path} {path}.corrupt")


def test_a_writer_that_waits_too_long_names_the_setting(open_ledger: Open, path: Path) -> None:
    ledger = open_ledger(busy_timeout_ms=20)
    ledger.append("usage", {})
    with raw(path) as db:
        db.execute("BEGIN IMMEDIATE")
        with pytest.raises(EyesError) as failure:
            ledger.append("usage", {})
        assert (failure.value.code.name, failure.value.exit_code) == ("LEDGER_BUSY", 5)
        assert failure.value.details["limit"]["value"] == 20
        assert failure.value.details["limit"]["setting"] == "ledger.busy_timeout_ms"
        assert ledger.count("usage") == 1
    assert ledger.append("usage", {}) == 2


def test_a_full_disk_is_a_typed_failure_and_the_ledger_stays_usable(open_ledger: Open) -> None:
    ledger = open_ledger()
    ledger.append("runs", {"n": 0})
    db = ledger._file._connection()
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count = {pages}")
    assert failure_of(lambda: ledger.append("runs", {"text": "x" * 100_000})) == ("DISK_FULL", 3)
    db.execute("PRAGMA max_page_count = 100000")
    assert ledger.append("runs", {"n": 1}) == 2
    assert ledger.verify("runs").intact


def test_a_directory_in_the_place_of_the_file_is_a_typed_failure(open_ledger: Open, path: Path) -> None:
    path.mkdir(parents=True)
    assert failure_of(lambda: open_ledger().append("usage", {}))[0] == "LEDGER_UNAVAILABLE"


def test_a_forgotten_ledger_closes_its_file(path: Path) -> None:
    def use() -> None:
        Ledger(path).append("usage", {})

    use()
    assert [entry.name for entry in path.parent.iterdir()] == ["ledger.sqlite3"]


def test_a_ledger_in_memory_writes_no_file(open_ledger: Open, tmp_path: Path) -> None:
    ledger = open_ledger(None)
    assert (ledger.append("usage", {}), ledger.count("usage")) == (1, 1)
    ledger.close()
    assert (ledger.count("usage"), list(tmp_path.iterdir())) == (0, [])


def test_a_ledger_that_another_process_creates_while_it_is_opened_is_ours(
    open_ledger: Open, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.parent.mkdir(mode=0o700)
    opened = sqlite3.connect

    class Late(sqlite3.Connection):
        """The other one is through right after this one saw a file without a mark."""

        def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
            found = super().execute(sql, *values)
            if sql == "PRAGMA application_id" and sqlite3.connect is not opened:
                monkeypatch.setattr(sqlite3, "connect", opened)
                seen = found.fetchone()
                found.close()
                open_ledger().append("usage", {"by": "another"})
                return super().execute("SELECT ?", seen)
            return found

    monkeypatch.setattr(sqlite3, "connect", lambda *args, **more: opened(*args, **more, factory=Late))
    ledger = open_ledger()
    ledger.append("usage", {"by": "this one"})
    assert [row.body["by"] for row in ledger.rows("usage")] == ["this one", "another"]
