"""The chain of a ledger table: each row's digest covers the one before it."""

# ruff: noqa: S608 - names of tables and columns are literals of this package; values are bound.

from __future__ import annotations

import hashlib
import json.encoder
from typing import TYPE_CHECKING, NamedTuple

from deepseekeyes.core.canonical import canonical

if TYPE_CHECKING:
    from sqlite3 import Connection

_quote = json.encoder.encode_basestring


class Verified(NamedTuple):
    """What checking a table's chain found.

    Attributes:
        table: its name.
        intact: whether every digest is right and the chain runs from the anchor to the head.
        rows: rows that were checked.
        trimmed: rows that were removed before the anchor.
        first_bad: number of the first row that breaks the chain; the head's when the end is missing.
    """

    table: str
    intact: bool
    rows: int
    trimmed: int
    first_bad: int | None = None


def link(before: str, table: str, number: int, at: str, subject: str | None, body: str) -> str:
    """The digest of a row that follows one with the digest `before`."""
    if at.isascii() and body.isascii() and subject is None:
        # The usual case of the same text, spelled out: this runs with every row.
        text = f'["{before}","{table}",{number},{_quote(at)},null,{_quote(body)}]'
    else:
        text = canonical([before, table, number, at, subject, body])
    return hashlib.sha256(text.encode()).hexdigest()


def cut(db: Connection, table: str, last: int) -> int:
    """Remove rows up to a number and move the anchor there; inside the caller's write transaction."""
    anchor = db.execute("SELECT id FROM anchors WHERE name = ?", (table,)).fetchone()[0]
    if last <= anchor:
        return 0
    row = db.execute(f"SELECT digest FROM {table} WHERE id = ?", (last,)).fetchone()
    if row is not None:
        db.execute("UPDATE anchors SET id = ?, digest = ? WHERE name = ?", (last, row[0], table))
    return int(db.execute(f"DELETE FROM {table} WHERE id <= ?", (last,)).rowcount)


def verified(db: Connection, table: str) -> Verified:
    """Recompute every digest of a table, from its anchor to its head."""
    anchor, digest, head, head_digest = db.execute(
        "SELECT id, digest, head, head_digest FROM anchors WHERE name = ?", (table,)
    ).fetchone()
    number, checked = anchor, 0
    for row in db.execute(f"SELECT id, at, subject, body, prev, digest FROM {table} ORDER BY id"):
        expected = link(digest, table, number + 1, row[1], row[2], row[3])
        if row[0] != number + 1 or row[4] != digest or row[5] != expected:
            return Verified(table, intact=False, rows=checked, trimmed=anchor, first_bad=row[0])
        number, digest, checked = row[0], row[5], checked + 1
    whole = (number, digest) == (head, head_digest)
    return Verified(table, intact=whole, rows=checked, trimmed=anchor, first_bad=None if whole else number + 1)
