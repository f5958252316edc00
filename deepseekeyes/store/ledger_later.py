"""Rows that are written behind a caller's back: soon, in order, several in one transaction."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.store.codes import LEDGER_UNAVAILABLE

MOST_WAITING = 256
GATHER_S = 0.02

Rows = Mapping[str, Iterable[tuple[str | None, Mapping[str, Any]]]]
Make = Callable[[], Rows]
Failed = Callable[[EyesError], None]


class Later:
    """One thread that writes what was put; started with the first rows.

    Args:
        write: adds rows to their tables, all or none.
        most_waiting: puts that may wait; the next one waits for them, so that nothing grows without bound.
        gather_s: how long the first of them waits for others to share its transaction, in seconds.
    """

    def __init__(
        self, write: Callable[[Rows], object], most_waiting: int = MOST_WAITING, gather_s: float = GATHER_S
    ) -> None:
        self._write = write
        self._most_waiting = most_waiting
        self._gather_s = gather_s
        self._hurry = threading.Event()
        self._lock = threading.Lock()
        self._waiting: list[tuple[Make, Failed]] = []
        self._pool: ThreadPoolExecutor | None = None

    def put(self, make: Make, failed: Failed) -> None:
        """Have rows made and written; `failed` is called when they could not be. Both run on the writing thread."""
        with self._lock:
            idle = not self._waiting
            self._waiting.append((make, failed))
            crowded = len(self._waiting) > self._most_waiting
            if self._pool is None:
                self._pool = ThreadPoolExecutor(1, thread_name_prefix="ledger")
            if idle:
                self._pool.submit(self._flush)
        if crowded:
            self.drain()

    def drain(self) -> None:
        """Return when everything that was put has been written, or has failed."""
        with self._lock:
            pool = self._pool
        if pool is not None and not threading.current_thread().name.startswith("ledger"):
            self._hurry.set()
            pool.submit(self._hurry.clear).result()

    def close(self) -> None:
        """Drain and end the thread; the next rows start another."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            self._hurry.set()
            pool.shutdown()
            self._hurry.clear()

    def _flush(self) -> None:
        self._hurry.wait(self._gather_s)
        with self._lock:
            waiting, self._waiting = self._waiting, []
        together: dict[str, list[tuple[str | None, Mapping[str, Any]]]] = {}
        told = []
        for make, failed in waiting:
            try:
                made = make()
            except Exception as trouble:  # noqa: BLE001 - nobody stands above this thread; the callers' side is told
                failed(EyesError(LEDGER_UNAVAILABLE, f"A row could not be made: {type(trouble).__name__}."))
                continue
            told.append(failed)
            for table, rows in made.items():
                together.setdefault(table, []).extend(rows)
        try:
            self._write(together)
        except EyesError as trouble:
            for failed in told:
                failed(trouble)
