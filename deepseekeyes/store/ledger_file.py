"""The ledger's SQLite file: schema, opening, and SQLite's failures as ours."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from deepseekeyes.core.atomic import present, private_dir, write_failure
from deepseekeyes.core.codes import DISK_FULL, HOME_NOT_WRITABLE
from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.store.codes import LEDGER_BUSY, LEDGER_CORRUPT, LEDGER_UNAVAILABLE, LEDGER_VERSION

if TYPE_CHECKING:
    from sqlite3 import Connection, Error

VERSION = 1
APPLICATION_ID = 0x45594553
MEMORY = ":memory:"
CHAINED = ("usage", "attempts", "audit", "runs", "unresolved")
COUNTED = ("mcp_runs", "guard")
GENESIS = "0" * 64

_CHAINED_TABLE = """
CREATE TABLE {table} (
    id INTEGER PRIMARY KEY, at TEXT NOT NULL, subject TEXT, body TEXT NOT NULL, prev TEXT NOT NULL, digest TEXT NOT NULL
);
CREATE INDEX {table}_subject ON {table} (subject, id) WHERE subject IS NOT NULL;
INSERT INTO anchors VALUES ('{table}', 0, '{genesis}', 0, '{genesis}');
"""
_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE anchors (
    name TEXT PRIMARY KEY, id INTEGER NOT NULL, digest TEXT NOT NULL, head INTEGER NOT NULL, head_digest TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE counters (
    name TEXT, key TEXT, value INTEGER NOT NULL, started REAL NOT NULL, PRIMARY KEY (name, key)
) WITHOUT ROWID;
CREATE TABLE totals (
    session TEXT, day TEXT, purpose TEXT, provider TEXT, model TEXT, route TEXT, outcome TEXT, body TEXT NOT NULL,
    PRIMARY KEY (session, day, purpose, provider, model, route, outcome)
) WITHOUT ROWID;
CREATE TABLE sessions (session TEXT PRIMARY KEY, started TEXT NOT NULL, updated TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX sessions_updated ON sessions (updated);
"""
_PRIMARY_CODES: dict[int, Code] = {
    5: LEDGER_BUSY,  # SQLITE_BUSY
    6: LEDGER_BUSY,  # SQLITE_LOCKED
    11: LEDGER_CORRUPT,  # SQLITE_CORRUPT
    13: DISK_FULL,  # SQLITE_FULL
    26: LEDGER_CORRUPT,  # SQLITE_NOTADB
}


def connect(path: Path | None, busy_timeout_ms: int) -> Connection:
    """Open the ledger and bring its schema up; creates the file (0600) when missing. None is memory.

    Raises:
        EyesError: LEDGER_VERSION, LEDGER_CORRUPT, LEDGER_BUSY, LEDGER_UNAVAILABLE, HOME_NOT_WRITABLE, DISK_FULL,
            WRITE_FAILED.
    """
    import sqlite3

    if path is not None:
        _touch(path)
    with translated(path, busy_timeout_ms):
        db = sqlite3.connect(
            MEMORY if path is None else path,
            timeout=busy_timeout_ms / 1000,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            _prepare(db, path, busy_timeout_ms)
        except BaseException:
            db.close()
            raise
    return db


@contextmanager
def translated(path: Path | None, busy_timeout_ms: int) -> Iterator[None]:
    """Turn SQLite's errors inside the block into ours."""
    import sqlite3

    try:
        yield
    except sqlite3.Error as error:
        raise _failure(error, path, busy_timeout_ms) from error


def not_a_database(path: Path) -> bool:
    """Whether a file exists, holds something, and does not start as an SQLite database does."""
    try:
        with path.open("rb") as file:
            start = file.read(16)
    except OSError:
        return False
    return bool(start) and start != b"SQLite format 3\x00"


def _touch(path: Path) -> None:
    private_dir(path.parent)
    if present(path):
        return
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise write_failure(error, path) from error


def _prepare(db: Connection, path: Path | None, busy_timeout_ms: int) -> None:
    version = _version(db, path)
    if version != VERSION:
        _write_ahead(db, busy_timeout_ms)
        _create(db, path)
    db.execute("PRAGMA synchronous = NORMAL")


def _version(db: Connection, path: Path | None) -> int:
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version > VERSION:
        raise EyesError(
            LEDGER_VERSION, f"{path} has schema version {version}; this release reads version {VERSION}.", path=path
        )
    if _foreign(db) and db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] and _foreign(db):
        raise EyesError(LEDGER_CORRUPT, f"{path} is a database of another program.", path=shlex.quote(str(path)))
    return version


def _foreign(db: Connection) -> bool:
    """Whether the file has no mark of ours; asked again once tables were seen, since another process may make both."""
    return bool(db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID)


def _write_ahead(db: Connection, busy_timeout_ms: int) -> None:
    """Switch to the write-ahead log. SQLite does not wait for a lock here, so this does."""
    import sqlite3

    deadline = time.monotonic() + busy_timeout_ms / 1000
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in (5, 6) or time.monotonic() >= deadline:
                raise
            time.sleep(0.005)
        else:
            return


def _create(db: Connection, path: Path | None) -> None:
    db.execute("BEGIN IMMEDIATE")
    try:
        if _version(db, path) != VERSION:
            tables = "".join(_CHAINED_TABLE.format(table=table, genesis=GENESIS) for table in CHAINED)
            for statement in (_SCHEMA + tables).split(";"):
                if statement.strip():
                    db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("COMMIT")
    except BaseException:
        with suppress(Exception):
            db.rollback()
        raise


def _failure(error: Error, path: Path | None, busy_timeout_ms: int) -> EyesError:
    code = _PRIMARY_CODES.get(getattr(error, "sqlite_errorcode", 1) & 0xFF, LEDGER_UNAVAILABLE)
    if code is LEDGER_UNAVAILABLE and path is not None and not _writable(path):
        code = HOME_NOT_WRITABLE
    name = "memory" if path is None else path.name
    if code is LEDGER_BUSY:
        return EyesError(
            code,
            f"The ledger stayed locked for {busy_timeout_ms} ms.",
            details={
                "limit": {
                    "name": "ledger busy timeout, milliseconds",
                    "value": busy_timeout_ms,
                    "setting": "ledger.busy_timeout_ms",
                }
            },
        )
    return EyesError(code, f"The ledger ({name}) cannot be used: {error}.", path=shlex.quote(str(path)))


def _writable(path: Path) -> bool:
    return os.access(path.parent, os.W_OK) and (not present(path) or os.access(path, os.W_OK))
