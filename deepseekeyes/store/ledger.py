"""Append-only rows in SQLite: bounded, digest-chained, safe with many processes.

Every row carries the digest of the row before it. Trimming removes the oldest rows and leaves their last digest as the
anchor of the rest, so `verify` still proves that nothing in between was changed, removed or slipped in. Counters and
running totals stand beside the rows and are changed in the same way: one `BEGIN IMMEDIATE` transaction each.
"""

# ruff: noqa: S608 - names of tables and columns are literals of this package; values are bound.

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from deepseekeyes.core.canonical import canonical
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.store import usage_marks
from deepseekeyes.store.codes import LEDGER_TABLE_UNKNOWN
from deepseekeyes.store.ledger_chain import Verified, cut, link, verified
from deepseekeyes.store.ledger_connection import LedgerConnection
from deepseekeyes.store.ledger_file import CHAINED, COUNTED
from deepseekeyes.store.quarantine import Quarantined

if TYPE_CHECKING:
    from sqlite3 import Connection

    from deepseekeyes.store.ledger_later import Later, Make
    from deepseekeyes.store.usage_imports import Source
    from deepseekeyes.store.usage_totals import Bucket, SessionTotals

LIMITS: Mapping[str, int] = {"usage": 10_000, "attempts": 1000, "audit": 200, "runs": 10_000, "unresolved": 1000}
BUSY_TIMEOUT_MS = 5000
SESSIONS_KEPT = 50


class LedgerRow(NamedTuple):
    """One row: its number in the table, its time (RFC 3339), what it is about, its content, its digest."""

    id: int
    at: str
    subject: str | None
    body: dict[str, Any]
    digest: str


class Counter(NamedTuple):
    """A counter's key, its value, and when it started (seconds since the epoch)."""

    key: str
    value: int
    started: float


class Ledger:
    """The ledger of a home. Threads may share one object; processes open their own.

    Chained tables: `usage`, `attempts`, `audit`, `runs`, `unresolved`. Counters: `mcp_runs`, `guard`.

    Args:
        path: the file, created when first written to; None keeps everything in memory.
        limits: rows kept per chained table, over `LIMITS`.
        silenced: tables whose appends do nothing; what they hold stays readable.
        busy_timeout_ms: how long a write waits for other processes (setting `ledger.busy_timeout_ms`).
        sessions_kept: sessions whose usage totals are kept apart.
        quarantine: where a file that is no database goes; `quarantine/` beside it by default.
        now: the wall clock, timezone-aware.
    """

    def __init__(
        self,
        path: Path | None,
        *,
        limits: Mapping[str, int] | None = None,
        silenced: frozenset[str] = frozenset(),
        busy_timeout_ms: int = BUSY_TIMEOUT_MS,
        sessions_kept: int = SESSIONS_KEPT,
        quarantine: Path | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._file = LedgerConnection(path, busy_timeout_ms, quarantine)
        self._limits = {**LIMITS, **(limits or {})}
        self._silenced = silenced
        self._sessions_kept = sessions_kept
        self._now = now
        self._later: Later | None = None

    @property
    def quarantined(self) -> tuple[Quarantined, ...]:
        """Files in the ledger's place that were no database and were moved aside."""
        return self._file.quarantined

    def append(self, table: str, row: Mapping[str, Any], *, subject: str | None = None) -> int | None:
        """Add a row and trim the table to its limit; `usage` rows are added to the totals too.

        Args:
            table: a chained table.
            row: JSON values, without secrets; its `at`, if any, becomes the row's time.
            subject: what the row is about (a run, a session, a submission), for `rows(subject=...)`.

        Returns:
            The row's number; None when the table is silenced.

        Raises:
            EyesError: NOT_JSON; any code of `ledger_file.connect`, which a caller may turn into `Persistence`.
        """
        return self.extend(table, ((subject, row),))

    def extend(self, table: str, rows: Iterable[tuple[str | None, Mapping[str, Any]]]) -> int | None:
        """Add several rows in one transaction, all or none: pairs of subject and row, as in `append`.

        Returns:
            The last row's number; None when the table is silenced.
        """
        return self.extend_each({table: rows})[table]

    def extend_each(
        self,
        tables: Mapping[str, Iterable[tuple[str | None, Mapping[str, Any]]]],
        *,
        hit: Mapping[str, Any] | None = None,
    ) -> dict[str, int | None]:
        """Add rows to several tables in one transaction, all or none: pairs of subject and row for each table.

        Args:
            tables: the rows.
            hit: the attempt row of a reading that the cache served, to be counted in the totals of usage.

        Returns:
            The last row's number by table; None for a silenced one.

        Raises:
            EyesError: as `append`.
        """
        for table in tables:
            _check(table, CHAINED)
        numbers: dict[str, int | None] = dict.fromkeys(tables)
        spoken = {table: rows for table, rows in tables.items() if table not in self._silenced}
        if "usage" in self._silenced:
            hit = None
        if not spoken and hit is None:
            return numbers
        now = rfc3339(self._now())
        with self._file.writing() as db:
            for table, rows in spoken.items():
                numbers[table] = self._add(db, table, rows, now)
            if hit is not None:
                usage_marks.count_hit(db, hit)
        return numbers

    def extend_later(self, make: Make, failed: Callable[[EyesError], None]) -> None:
        """Add rows as `extend_each` does, on a thread of the ledger's, so that a caller in a hurry need not wait.

        Reading, trimming and closing wait for them; a killed process loses what is not written yet.

        Args:
            make: gives the pairs of subject and row for each table, on that thread.
            failed: told, on that thread, what went wrong.
        """
        if self._later is None:
            from deepseekeyes.store.ledger_later import Later

            self._later = Later(self.extend_each)
        self._later.put(make, failed)

    def _add(self, db: Connection, table: str, rows: Iterable[tuple[str | None, Mapping[str, Any]]], now: str) -> int:
        """Add rows to one table; inside the write transaction."""
        tally = _totals().Tally() if table == "usage" else None
        anchor, number, digest = db.execute(
            "SELECT id, head, head_digest FROM anchors WHERE name = ?", (table,)
        ).fetchone()
        for about, row in rows:
            number, at, body, subject = (
                number + 1,
                str(row.get("at") or now),
                canonical(row),
                about and _text(about),
            )
            before, digest = digest, link(digest, table, number, at, subject, body)
            db.execute(f"INSERT INTO {table} VALUES (?,?,?,?,?,?)", (number, at, subject, body, before, digest))
            if tally is not None:
                tally.add(row, at)
        db.execute("UPDATE anchors SET head = ?, head_digest = ? WHERE name = ?", (number, digest, table))
        if number - self._limits[table] > anchor:
            cut(db, table, number - self._limits[table])
        if tally is not None:
            grown = tally.book(db, self._sessions_kept)
            if grown:
                usage_marks.begin(db, now)
        return int(number)

    def rows(
        self,
        table: str,
        limit: int = 100,
        *,
        subject: str | None = None,
        before: int | None = None,
        oldest_first: bool = False,
        where: Mapping[str, str | int] | None = None,
    ) -> list[LedgerRow]:
        """Rows of a chained table, the newest first.

        Args:
            table: a chained table.
            limit: the most rows to return.
            subject: only rows about this.
            before: only rows with a lower number, for paging.
            oldest_first: turn the order round.
            where: only rows whose top-level members equal these values.

        Raises:
            EyesError: any code of `ledger_file.connect`. A ledger that was never written to has no rows.
        """
        _check(table, CHAINED)
        tests: dict[str, str | int] = {} if subject is None else {"subject = ?": _text(subject)}
        if before is not None:
            tests["id < ?"] = before
        values: list[str | int] = list(tests.values())
        clauses = list(tests)
        for name, value in (where or {}).items():
            clauses.append("json_extract(body, ?) = ?")
            values += [f'$."{name}"', value]
        order = "ASC" if oldest_first else "DESC"
        query = (
            f"SELECT id, at, subject, body, digest FROM {table} "
            f"WHERE {' AND '.join(clauses) or '1'} ORDER BY id {order} LIMIT ?"
        )
        with self._reading() as db:
            found = db.execute(query, (*values, limit)).fetchall() if db else []
        return [LedgerRow(row[0], row[1], row[2], json.loads(row[3]), row[4]) for row in found]

    def count(self, table: str) -> int:
        """How many rows a chained table holds."""
        _check(table, CHAINED)
        with self._reading() as db:
            found = db.execute("SELECT head - id FROM anchors WHERE name = ?", (table,)).fetchone() if db else (0,)
        return int(found[0])

    def trim(self, table: str, *, keep: int | None = None, before: str | None = None) -> int:
        """Remove the oldest rows and anchor the rest; returns how many went. Usage totals are not touched.

        Args:
            table: a chained table.
            keep: the most rows to leave.
            before: rows older than that time (RFC 3339) go, up to the first younger one.
        """
        _check(table, CHAINED)
        self._settle()
        with self._file.writing() as db:
            anchor, head = db.execute("SELECT id, head FROM anchors WHERE name = ?", (table,)).fetchone()
            last = anchor if keep is None else head - keep
            if before is not None:
                young = db.execute(f"SELECT min(id) FROM {table} WHERE at >= ?", (before,)).fetchone()[0]
                last = max(last, head if young is None else young - 1)
            return cut(db, table, min(last, head))

    def verify(self, table: str) -> Verified:
        """Recompute the chain of a table from its anchor to its head."""
        _check(table, CHAINED)
        with self._reading() as db:
            if db is None:
                return Verified(table, intact=True, rows=0, trimmed=0)
            return verified(db, table)

    def bump(
        self, table: str, key: str, by: int = 1, *, ceiling: int | None = None, expires_s: float | None = None
    ) -> int | None:
        """Add to a counter in one step.

        Args:
            table: `mcp_runs` or `guard`.
            key: which counter; it starts at 0.
            by: how much to add.
            ceiling: the most the counter may reach.
            expires_s: a counter that started longer ago than that many seconds starts anew.

        Returns:
            The new value, or None when it would exceed the ceiling (nothing changed then).
        """
        _check(table, COUNTED)
        now, key = self._now().timestamp(), _text(key)
        with self._file.writing() as db:
            if expires_s is not None:
                db.execute("DELETE FROM counters WHERE name = ? AND started < ?", (table, now - expires_s))
            found = db.execute("SELECT value FROM counters WHERE name = ? AND key = ?", (table, key)).fetchone()
            value = int(found[0] if found else 0) + by
            if ceiling is not None and value > ceiling:
                return None
            db.execute(
                "INSERT INTO counters VALUES (?,?,?,?) ON CONFLICT (name, key) DO UPDATE SET value = excluded.value",
                (table, key, value, now),
            )
            return value

    def counters(self, table: str, limit: int = 1000) -> list[Counter]:
        """The counters of a table, the most recently started first."""
        _check(table, COUNTED)
        query = "SELECT key, value, started FROM counters WHERE name = ? ORDER BY started DESC, key LIMIT ?"
        with self._reading() as db:
            return [Counter(*row) for row in db.execute(query, (table, limit))] if db else []

    def forget(self, table: str, key: str) -> bool:
        """Remove a counter; False when there was none."""
        _check(table, COUNTED)
        with self._file.writing() as db:
            return db.execute("DELETE FROM counters WHERE name = ? AND key = ?", (table, _text(key))).rowcount > 0

    def totals(self) -> list[Bucket]:
        """The running totals of all usage rows ever appended since the last reset, trimmed ones included."""
        with self._reading() as db:
            return _totals().buckets(db) if db else []

    def sessions(self) -> list[SessionTotals]:
        """The usage totals of the most recent sessions, newest first."""
        with self._reading() as db:
            return _totals().sessions(db) if db else []

    def usage_started_at(self) -> str | None:
        """When the totals began (RFC 3339); None before the first row."""
        with self._reading() as db:
            return usage_marks.read(db, usage_marks.STARTED) if db else None

    def usage_sources(self) -> tuple[str | None, list[Source]]:
        """The name of the totals' own part, None before the first row, and what was imported by its source."""
        with self._reading() as db:
            return (_imports().named(db), _imports().imported(db)) if db else (None, [])

    def import_totals(self, sources: Iterable[Source]) -> list[Bucket]:
        """Add sums that were counted elsewhere to the totals, without rows, as far as they are not in them yet.

        Returns:
            What was new.
        """
        tally = _totals().Tally()
        with self._file.writing() as db:
            new: list[Bucket] = _imports().merge(db, sources, tally)
            if tally.book(db, self._sessions_kept):
                usage_marks.begin(db, rfc3339(self._now()))
        return new

    def reset_usage(self) -> None:
        """Remove all usage rows, totals and sessions, and begin anew; works while `usage` is silenced."""
        self._settle()
        with self._file.writing() as db:
            head = db.execute("SELECT head FROM anchors WHERE name = 'usage'").fetchone()[0]
            cut(db, "usage", head)
            _totals().clear(db)
            _imports().forget(db)
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (usage_marks.STARTED, rfc3339(self._now())))

    def close(self) -> None:
        """Write what waits and close the file; the next use opens it again. A ledger in memory is forgotten."""
        if self._later is not None:
            self._later.close()
        self._file.close()

    @contextmanager
    def _reading(self) -> Iterator[Connection | None]:
        self._settle()
        with self._file.reading() as db:
            yield db

    def _settle(self) -> None:
        if self._later is not None:
            self._later.drain()


def _check(table: str, known: tuple[str, ...]) -> None:
    if table not in known:
        raise EyesError(LEDGER_TABLE_UNKNOWN, f"The ledger has no table {table!r} of that kind.")


def _text(word: str) -> str:
    """A word as SQLite takes it: undecodable bytes of a command line become escapes."""
    return word.encode("utf-8", "backslashreplace").decode()


def _totals() -> ModuleType:
    """Running totals are loaded with the first usage row; an attempt row does without."""
    from deepseekeyes.store import usage_totals

    return usage_totals


def _imports() -> ModuleType:
    """What was counted elsewhere is looked at when totals begin, are imported or are exported."""
    from deepseekeyes.store import usage_imports

    return usage_imports
