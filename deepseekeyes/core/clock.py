"""Time, randomness and ids, injected so that tests decide them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple


def _now() -> datetime:
    return datetime.now(UTC)


def _uuid() -> str:
    import uuid

    return str(uuid.uuid4())


class Clock(NamedTuple):
    """What an operation needs to know the time.

    Attributes:
        now: wall clock, timezone-aware UTC.
        monotonic: seconds that never run backwards, for durations.
        new_id: a fresh unique id.
        randbelow: a random integer in `[0, n)`.
    """

    now: Callable[[], datetime] = _now
    monotonic: Callable[[], float] = time.monotonic
    new_id: Callable[[], str] = _uuid
    randbelow: Callable[[int], int] = secrets.randbelow

    def milliseconds_since(self, started: float) -> int:
        """Whole milliseconds from a `monotonic()` reading to now."""
        return max(0, round((self.monotonic() - started) * 1000))


def rfc3339(moment: datetime) -> str:
    """UTC time as `2026-12-01T10:20:30.123Z`."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
