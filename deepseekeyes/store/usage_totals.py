"""Running totals of usage rows, kept beside them so that a summary never reads the rows.

Every usage row adds to one bucket of the whole and, when it names a session, to one bucket of that session. Rows may be
trimmed and old sessions forgotten; the buckets of the whole stay. When there are very many of them, the oldest days
are merged into one bucket per route without a day.
"""

# ruff: noqa: S608 - names of tables and columns are literals of this package; values are bound.

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from sqlite3 import Connection

MAX_BUCKETS = 20_000
WHOLE = ""

Measures = dict[str, int]


class BucketKey(NamedTuple):
    """What a bucket adds up: `day` is `2026-12-01`, or empty for days that were merged."""

    day: str
    purpose: str
    provider: str
    model: str
    route: str
    outcome: str


class Bucket(NamedTuple):
    """One running total.

    Attributes:
        key: what it adds up.
        measures: `events` (rows), `durationMs`, `estimatedInputTokens`; for each token field the sum under its own
            name and the number of rows that reported it under `<name>Reported`; counters as `counter.<name>`.
    """

    key: BucketKey
    measures: Measures


class SessionTotals(NamedTuple):
    """One of the recent sessions, by its hash, with its buckets."""

    session_hash: str
    started_at: str
    updated_at: str
    buckets: tuple[Bucket, ...]


class Tally:
    """Adds rows up in memory, then books the sums into the ledger at once."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, BucketKey], Measures] = {}
        self._sessions: dict[str, tuple[str, str]] = {}

    def add(self, row: Mapping[str, Any], at: str) -> None:
        """Count one usage row (the JSON form of `contracts.usage.UsageEvent`)."""
        key = BucketKey(at[:10], *(str(row.get(name) or "") for name in BucketKey._fields[1:]))
        found = measures(row)
        self.add_bucket(Bucket(key, found))
        session = row.get("sessionHash")
        if session:
            self.add_bucket(Bucket(key, found), str(session))
            first, last = self._sessions.get(str(session), (at, at))
            self._sessions[str(session)] = min(first, at), max(last, at)

    def add_bucket(self, bucket: Bucket, session: str = WHOLE) -> None:
        """Count sums that were made elsewhere."""
        _merge(self._sums.setdefault((session, bucket.key), {}), bucket.measures)

    def book(self, db: Connection, sessions_kept: int) -> bool:
        """Write the sums, inside the caller's write transaction; True when a bucket is new."""
        grown = [_book(db, session, key, sums) for (session, key), sums in self._sums.items()]
        for session, (first, last) in self._sessions.items():
            db.execute(
                "INSERT INTO sessions VALUES (?,?,?) ON CONFLICT (session) DO UPDATE SET updated = max(updated, ?)",
                (session, first, last, last),
            )
        if any(grown):
            _forget_sessions(db, sessions_kept)
            _merge_days(db)
            return True
        return False


_SAME = " AND ".join(f"{name} = ?" for name in ("session", *BucketKey._fields))


def measures(row: Mapping[str, Any]) -> Measures:
    """What one usage row adds to a bucket."""
    found: Measures = {"events": 1}
    for name in ("durationMs", "estimatedInputTokens"):
        if _whole(row.get(name)):
            found[name] = row[name]
    for name, value in (row.get("usage") or {}).items():
        if _whole(value):
            found[name] = value
            found[f"{name}Reported"] = 1
    for name, value in (row.get("counters") or {}).items():
        if _whole(value):
            found[f"counter.{name}"] = value
    return found


def buckets(db: Connection, session: str = WHOLE) -> list[Bucket]:
    """The buckets of the whole, or of one session, by key."""
    rows = db.execute(
        f"SELECT {', '.join(BucketKey._fields)}, body FROM totals WHERE session = ? ORDER BY 1, 2, 3, 4, 5, 6",
        (session,),
    )
    return [Bucket(BucketKey(*row[:-1]), json.loads(row[-1])) for row in rows]


def sessions(db: Connection) -> list[SessionTotals]:
    """The kept sessions, the most recent first."""
    rows = db.execute("SELECT session, started, updated FROM sessions ORDER BY updated DESC, session").fetchall()
    return [SessionTotals(row[0], row[1], row[2], tuple(buckets(db, row[0]))) for row in rows]


def clear(db: Connection) -> None:
    """Forget every total and session; inside the caller's write transaction."""
    db.execute("DELETE FROM totals")
    db.execute("DELETE FROM sessions")


def _forget_sessions(db: Connection, kept: int) -> None:
    old = db.execute(
        "SELECT session FROM sessions ORDER BY updated DESC, session LIMIT -1 OFFSET ?", (kept,)
    ).fetchall()
    for row in old:
        db.execute("DELETE FROM totals WHERE session = ?", row)
        db.execute("DELETE FROM sessions WHERE session = ?", row)


def _book(db: Connection, session: str, key: BucketKey, sums: Measures) -> bool:
    """Add sums to a bucket; True when the bucket is new."""
    before = db.execute(f"SELECT body FROM totals WHERE {_SAME}", (session, *key)).fetchone()
    whole = json.loads(before[0]) if before else {}
    _merge(whole, sums)
    text = json.dumps(whole, separators=(",", ":"), sort_keys=True)
    db.execute("INSERT OR REPLACE INTO totals VALUES (?,?,?,?,?,?,?,?)", (session, *key, text))
    return before is None


def _merge_days(db: Connection) -> None:
    count = db.execute("SELECT count(*) FROM totals WHERE session = ?", (WHOLE,)).fetchone()[0]
    if count <= MAX_BUCKETS:
        return
    dated = "session = ? AND day > ''"
    edge = db.execute(
        f"SELECT day FROM totals WHERE {dated} ORDER BY day LIMIT 1 OFFSET ?", (WHOLE, count - MAX_BUCKETS // 2)
    ).fetchone()
    before = edge[0] if edge else "~"
    old = [bucket for bucket in buckets(db) if "" < bucket.key.day < before]
    db.execute(f"DELETE FROM totals WHERE {dated} AND day < ?", (WHOLE, before))
    for bucket in old:
        _book(db, WHOLE, bucket.key._replace(day=""), bucket.measures)


def _merge(into: Measures, more: Mapping[str, int]) -> None:
    for name, value in more.items():
        into[name] = into.get(name, 0) + value


def _whole(value: Any) -> bool:
    return type(value) is int and value >= 0


def merged(found: Iterable[Bucket]) -> Measures:
    """The sum of buckets."""
    whole: Measures = {}
    for bucket in found:
        _merge(whole, bucket.measures)
    return whole
