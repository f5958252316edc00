"""What the cache operations touch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deepseekeyes.contracts.check import Check
    from deepseekeyes.store.records import Records

HASH_START = "the first 4 or more of the 64 hexadecimal digits of a key or record, in lower case"


@dataclass(frozen=True, slots=True)
class CacheDeps:
    """Stored records and how to judge one.

    Attributes:
        judge: re-checks one record, found under a key, offline, with its picture where the store still has it.
        now: seconds since the epoch.
        retention_days: age of `store.retention_days`, 0 for none.
        max_bytes: size of `store.max_bytes`, 0 for none.
        progress: how far a long run is: done, total, label.
    """

    records: Records
    judge: Callable[[dict[str, Any], str], Iterable[Check]]
    now: Callable[[], float]
    retention_days: float
    max_bytes: int
    progress: Callable[[int, int | None, str], None]
