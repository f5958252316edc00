"""One connection to the ledger, opened when first needed and shared by the threads of a process."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deepseekeyes.core.atomic import present
from deepseekeyes.core.lock import locked
from deepseekeyes.store.ledger_file import connect, not_a_database, translated
from deepseekeyes.store.quarantine import Quarantine, Quarantined

if TYPE_CHECKING:
    from sqlite3 import Connection


class LedgerConnection:
    """Transactions on the ledger's file; SQLite's errors leave it as ours.

    Args:
        path: the file; None is memory.
        busy_timeout_ms: how long a write waits for other processes.
        quarantine: where a file that is no database goes; `quarantine/` beside it by default.
    """

    def __init__(self, path: Path | None, busy_timeout_ms: int, quarantine: Path | None = None) -> None:
        self._path = path
        self._busy_timeout_ms = busy_timeout_ms
        self._quarantine = Quarantine(quarantine or path.parent / "quarantine") if path is not None else None
        self._lock = threading.RLock()
        self._db: Connection | None = None
        self._owner = 0
        self._inherited: list[Connection] = []
        self._finalizer: weakref.finalize[Any, Any] | None = None

    @property
    def quarantined(self) -> tuple[Quarantined, ...]:
        """Files in the ledger's place that were no database and were moved aside."""
        return self._quarantine.taken if self._quarantine else ()

    def close(self) -> None:
        """Close the file; the next use opens it again. A ledger in memory is forgotten."""
        with self._lock:
            if self._finalizer is not None:
                self._finalizer()
            self._db = self._finalizer = None

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One write transaction that waits its turn; an exception inside takes it back."""
        with self._lock, translated(self._path, self._busy_timeout_ms):
            db = self._connection()
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                with suppress(Exception):
                    db.rollback()
                raise

    @contextmanager
    def reading(self) -> Iterator[Connection | None]:
        """One consistent view; None when there is no file yet (reading creates nothing)."""
        with self._lock, translated(self._path, self._busy_timeout_ms):
            if self._path is not None and self._db is None and not present(self._path):
                yield None
                return
            db = self._connection()
            db.execute("BEGIN")
            try:
                yield db
            finally:
                with suppress(Exception):
                    db.rollback()

    def _connection(self) -> Connection:
        if self._db is not None and self._owner != os.getpid():
            # A forked child must neither use nor close its parent's connection.
            self._inherited.append(self._db)
            if self._finalizer is not None:
                self._finalizer.detach()
            self._db = None
        if self._db is None:
            self._set_aside()
            self._db = connect(self._path, self._busy_timeout_ms)
            self._owner = os.getpid()
            self._finalizer = weakref.finalize(self, _close, self._db, self._owner)
        return self._db

    def _set_aside(self) -> None:
        """Move a file that is no database out of the way, with its companions."""
        path = self._path
        if path is None or self._quarantine is None or not not_a_database(path):
            return
        with locked(path.with_name(f".{path.name}.lock")):
            if not_a_database(path):
                self._quarantine.take(path, "it is not an SQLite database")
                for companion in ("-wal", "-shm"):
                    self._quarantine.take(path.with_name(path.name + companion), "it belongs to a file that is none")


def _close(db: Connection, owner: int) -> None:
    """Close in the process that opened it; closing in a forked child would drop the parent's locks."""
    if owner == os.getpid():
        db.close()
