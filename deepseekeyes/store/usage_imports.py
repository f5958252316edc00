"""Totals that were counted elsewhere, each kept under the source that counted it.

The sums of a source only grow. What is remembered of it therefore tells which part of a later copy is new, whichever
way that copy came: the same file again, a newer one, or one that another home passed on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from deepseekeyes.store.usage_marks import NAME, read
from deepseekeyes.store.usage_totals import Bucket, BucketKey, Measures, Tally

if TYPE_CHECKING:
    from sqlite3 import Connection

UNDATED = "statistics:"
"""How the names of sources begin whose sums have no days of their own, but the day on which they were written."""

_IMPORT = "usage_import:"


class Source(NamedTuple):
    """Whoever counted, by a name that no other has, and the sums."""

    name: str
    buckets: tuple[Bucket, ...]


def named(db: Connection) -> str | None:
    """The name of this ledger's own totals; None while nothing was ever counted."""
    return read(db, NAME)


def imported(db: Connection) -> list[Source]:
    """What was taken from elsewhere so far, by the names of the sources."""
    found = db.execute(
        "SELECT name, value FROM meta WHERE name > ? AND name < ? ORDER BY name", (_IMPORT, _IMPORT[:-1] + ";")
    )
    return [Source(name.removeprefix(_IMPORT), tuple(_buckets(value))) for name, value in found]


def merge(db: Connection, sources: Iterable[Source], tally: Tally) -> list[Bucket]:
    """Remember what sources have more than before, and add it to a tally; inside the caller's write transaction.

    Returns:
        What was new.
    """
    before = {source.name: source.buckets for source in imported(db)}
    own = named(db)
    new: list[Bucket] = []
    for name, buckets in sources:
        if name == own:
            continue
        grown = growth(buckets, before.get(name, ()), dated=not name.startswith(UNDATED))
        for bucket in grown:
            tally.add_bucket(bucket)
        new += grown
        if grown:
            kept = _added((*before.get(name, ()), *grown))
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_IMPORT + name, _text(kept)))
            before[name] = tuple(kept)
    return new


def forget(db: Connection) -> None:
    """Forget all sources and the own name; inside the caller's write transaction."""
    db.execute("DELETE FROM meta WHERE name = ? OR (name > ? AND name < ?)", (NAME, _IMPORT, _IMPORT[:-1] + ";"))


def growth(now: Sequence[Bucket], before: Sequence[Bucket], *, dated: bool = True) -> list[Bucket]:
    """By how much sums are more than they were.

    Args:
        now: the sums of a source.
        before: what was known of it. Days that it has merged since are looked for in its bucket without a day.
        dated: whether days tell buckets of the source apart.
    """
    days = {bucket.key for bucket in now} if dated else set()
    known: dict[BucketKey, Measures] = {}
    for bucket in before:
        key = bucket.key if bucket.key in days else bucket.key._replace(day="")
        sums = known.setdefault(key, {})
        for name, value in bucket.measures.items():
            sums[name] = sums.get(name, 0) + value
    grown = []
    for bucket in _added(now):
        seen = known.get(bucket.key if dated else bucket.key._replace(day=""), {})
        more: Measures = {}
        for name, value in bucket.measures.items():
            old = min(value, seen.get(name, 0))
            seen[name] = seen.get(name, 0) - old
            if value > old:
                more[name] = value - old
        if more:
            grown.append(Bucket(bucket.key, more))
    return grown


def _added(buckets: Iterable[Bucket]) -> list[Bucket]:
    sums: dict[BucketKey, Measures] = {}
    for bucket in buckets:
        into = sums.setdefault(bucket.key, {})
        for name, value in bucket.measures.items():
            into[name] = into.get(name, 0) + value
    return [Bucket(key, sums[key]) for key in sorted(sums)]


def _text(buckets: Iterable[Bucket]) -> str:
    return json.dumps([[*bucket.key, bucket.measures] for bucket in buckets], separators=(",", ":"), sort_keys=True)


def _buckets(text: str) -> Iterable[Bucket]:
    rows: list[list[str | Mapping[str, int]]] = json.loads(text)
    for row in rows:
        *key, measures = row
        yield Bucket(BucketKey(*map(str, key)), dict(measures))  # type: ignore[arg-type]
