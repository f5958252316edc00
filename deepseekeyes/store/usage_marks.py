"""When the totals of usage began and what they are called, and the readings that the cache served.

Kept apart from `usage_totals`: a cached reading is the shortest command there is, and this is all it needs of them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

STARTED = "usage_started_at"
NAME = "usage_source"
HIT = "cache-hit"

_LOOKS = ("look-target", "clarification")
_COUNT = """
INSERT INTO totals VALUES (?,?,?,?,?,?,?,'{"events":1}')
ON CONFLICT (session, day, purpose, provider, model, route, outcome)
DO UPDATE SET body = json_set(body, '$.events', coalesce(json_extract(body, '$.events'), 0) + 1)
"""
_SEEN = "INSERT INTO sessions VALUES (?,?,?) ON CONFLICT (session) DO UPDATE SET updated = max(updated, ?)"


def begin(db: Connection, now: str) -> None:
    """Say when the totals began, and give their own part a name; inside the write transaction that begins them."""
    if read(db, NAME) is None:
        db.execute("INSERT OR IGNORE INTO meta VALUES (?,?), (?,?)", (STARTED, now, NAME, os.urandom(16).hex()))


def read(db: Connection, name: str) -> str | None:
    """One of the marks; None before the totals began."""
    found = db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return None if found is None else str(found[0])


def count_hit(db: Connection, attempt: Mapping[str, Any]) -> None:
    """Count a reading that the cache served, by its attempt row; inside the caller's write transaction."""
    at = str(attempt["at"])
    purpose = "target" if attempt.get("operation") in _LOOKS else "base"
    key = (at[:10], purpose, *(str(attempt.get(name) or "") for name in ("provider", "model", "route")), HIT)
    begin(db, at)
    db.execute(_COUNT, ("", *key))
    session = attempt.get("sessionHash")
    if session:
        db.execute(_COUNT, (session, *key))
        db.execute(_SEEN, (session, at, at, at))
