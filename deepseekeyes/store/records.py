"""Immutable JSON records by key, numbered, each with its own digest.

Records of one key lie in `<root>/ab/<key>/<n>.json`. A file holds the canonical JSON of the content with
`recordSha256` (the digest of the content without itself), `readId` and `supersedes`, and a line feed. Nothing is ever
rewritten: the first writer of a number wins, a fresh reading takes the next number, a look-up takes the highest.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from deepseekeyes.core.atomic import create_exclusive, sweep_temporary
from deepseekeyes.core.canonical import canonical
from deepseekeyes.core.errors import EyesError
from deepseekeyes.store.codes import RECORD_AMBIGUOUS, RECORD_KEY_INVALID, RECORD_NOT_FOUND
from deepseekeyes.store.quarantine import Quarantine, Quarantined, stored_bytes
from deepseekeyes.store.seal import Record, opened, sealed

_KEY = re.compile(r"[0-9a-f]{64}")
_REFERENCE = re.compile(r"[0-9a-f]{4,64}")
_SHARD = re.compile(r"[0-9a-f]{2}")
_FILE = re.compile(r"([1-9][0-9]{0,8})\.json")
_CANDIDATES = 10


class RecordEntry(NamedTuple):
    """A stored record: its key and number, its size in bytes, its time of writing (seconds since the epoch)."""

    key: str
    number: int
    bytes: int
    modified: float


class Records:
    """Immutable records under a root; any number of processes may write at once.

    Args:
        root: the folder; None keeps everything in memory.
        quarantine: where corrupt files go; `quarantine/` beside the root by default.
    """

    def __init__(self, root: Path | None, quarantine: Path | None = None) -> None:
        self._root = root
        self._memory: dict[str, list[Record]] = {}
        self._quarantine = Quarantine(quarantine or root.parent / "quarantine") if root is not None else None

    @property
    def quarantined(self) -> tuple[Quarantined, ...]:
        """Corrupt files that this object moved aside, for warnings and for the doctor."""
        return self._quarantine.taken if self._quarantine else ()

    def latest(self, key: str) -> Record | None:
        """The highest sound record of a key; corrupt files above it are quarantined on the way.

        Raises:
            EyesError: RECORD_KEY_INVALID, FILE_UNREADABLE.
        """
        for number in reversed(self.numbers(key)):
            record = self.read(key, number)
            if record is not None:
                return record
        return None

    def add(self, key: str, content: Record, *, fresh: bool = False) -> Record:
        """Store a reading and return the stored record.

        Args:
            key: 64 hexadecimal digits.
            content: the record without `recordSha256`, `readId` and `supersedes`; timeless, JSON values only.
            fresh: add the next number, with `readId` and the digest it `supersedes`. Otherwise a key that has a record
                keeps it, and that one is returned. Without a predecessor a fresh record is the first one.

        Raises:
            EyesError: RECORD_KEY_INVALID, NOT_JSON, HOME_NOT_WRITABLE, DISK_FULL, WRITE_FAILED, FILE_UNREADABLE.
        """
        while True:
            before = self.latest(key)
            if before is not None and not fresh:
                return before
            number = 1 if before is None else max(self.numbers(key), default=0) + 1
            record = sealed(content, None if before is None else number, before)
            if self._create(key, number, record):
                return copy.deepcopy(record)

    def get(self, reference: str) -> Record:
        """The record that a key, a record digest, or the first digits (at least 4) of either name.

        A key names its latest record. Keys are looked through first.

        Raises:
            EyesError: RECORD_KEY_INVALID, RECORD_NOT_FOUND, RECORD_AMBIGUOUS, FILE_UNREADABLE.
        """
        if not _REFERENCE.fullmatch(reference):
            raise EyesError(RECORD_KEY_INVALID, "A record is named by 4 to 64 lower-case hexadecimal digits.")
        keys = self._keys_from(reference)
        if len(keys) > 1:
            raise _ambiguous(reference, keys)
        found = self.latest(keys[0]) if keys else self._by_digest(reference)
        if found is None:
            near = self._nearest(reference)
            guess = f"; {near[0][:16]} is the nearest" if near else ""
            raise EyesError(
                RECORD_NOT_FOUND, f"No record is stored under {reference}{guess}.", details={"candidates": near}
            )
        return found

    def _nearest(self, reference: str) -> list[str]:
        """Keys that share the most of the first digits, at least four; the last digits may be mistyped or cut."""
        for length in range(len(reference) - 1, 3, -1):
            keys = self._keys_from(reference[:length])
            if keys:
                return keys[:_CANDIDATES]
        return []

    def read(self, key: str, number: int) -> Record | None:
        """One numbered record; None when it is not there or was corrupt (it is quarantined then).

        Raises:
            EyesError: RECORD_KEY_INVALID, FILE_UNREADABLE.
        """
        path = self._path(key, number)
        if path is None:
            held = self._memory.get(key, [])
            return copy.deepcopy(held[number - 1]) if 0 < number <= len(held) else None
        data = stored_bytes(path)
        record = None if data is None else opened(data, key)
        if data is not None and record is None and self._quarantine:
            self._quarantine.take(
                path,
                "it is not a record of its key, or its digest does not match",
                lambda found: bool(opened(found, key)),
            )
        return record

    def numbers(self, key: str) -> list[int]:
        """The numbers stored under a key, ascending.

        Raises:
            EyesError: RECORD_KEY_INVALID.
        """
        path = self._path(key, 1)
        if path is None:
            return list(range(1, len(self._memory.get(key, [])) + 1))
        return sorted(number for number, _ in _files(path.parent))

    def keys(self) -> Iterator[str]:
        """Every key that has a record, ascending."""
        return iter(self._keys_from(""))

    def entries(self) -> Iterator[RecordEntry]:
        """Every stored record by key and number, without reading any; what vanishes meanwhile is left out."""
        for key in self.keys():
            path = self._path(key, 1)
            if path is None:
                for number, record in enumerate(self._memory[key], 1):
                    yield RecordEntry(key, number, len(canonical(record)), 0.0)
                continue
            for number, file in sorted(_files(path.parent)):
                with suppress(OSError):
                    found = file.stat()
                    yield RecordEntry(key, number, found.st_size, found.st_mtime)

    def remove(self, key: str, number: int | None = None) -> int:
        """Remove one record, or all of a key; returns how many went.

        Raises:
            EyesError: RECORD_KEY_INVALID.
        """
        path = self._path(key, 1)
        if path is None:
            return len(self._memory.pop(key, [])) if number is None else 0
        removed = 0
        for found, file in _files(path.parent):
            if number in (None, found):
                with suppress(OSError):
                    file.unlink()
                    removed += 1
        with suppress(OSError):
            path.parent.rmdir()
        return removed

    def prune(self, *, before: float | None = None, max_bytes: int | None = None) -> list[RecordEntry]:
        """Remove records that are too old, then the oldest until the rest fits; sweeps what killed writers left.

        Args:
            before: records written before that moment (seconds since the epoch) go.
            max_bytes: the most that all records together may take.

        Returns:
            What was removed, oldest first. Records in memory have no age and stay.
        """
        if self._root is None:
            return []
        entries = sorted(self.entries(), key=lambda entry: (entry.modified, entry.key, entry.number))
        total = sum(entry.bytes for entry in entries)
        removed = []
        for entry in entries:
            too_old = before is not None and entry.modified < before
            too_much = max_bytes is not None and total > max_bytes
            if (too_old or too_much) and self.remove(entry.key, entry.number):
                total -= entry.bytes
                removed.append(entry)
        for shard in _folders(self._root, _SHARD):
            for folder in _folders(shard, _KEY):
                sweep_temporary(folder)
        return removed

    def _create(self, key: str, number: int, record: Record) -> bool:
        path = self._path(key, number)
        if path is None:
            held = self._memory.setdefault(key, [])
            if len(held) != number - 1:
                return False
            held.append(copy.deepcopy(record))
            return True
        created = create_exclusive(path, (canonical(record) + "\n").encode())
        if created:
            sweep_temporary(path.parent)
        return created

    def _path(self, key: str, number: int) -> Path | None:
        if not _KEY.fullmatch(key):
            raise EyesError(RECORD_KEY_INVALID, "A key has 64 lower-case hexadecimal digits.")
        return None if self._root is None else self._root / key[:2] / key / f"{number}.json"

    def _keys_from(self, start: str) -> list[str]:
        if self._root is None:
            return sorted(key for key in self._memory if key.startswith(start))
        shards = [self._root / start[:2]] if len(start) >= 2 else _folders(self._root, _SHARD)
        return [
            folder.name
            for shard in shards
            for folder in _folders(shard, _KEY)
            if folder.name.startswith(start) and any(_files(folder))
        ]

    def _by_digest(self, start: str) -> Record | None:
        found: dict[str, tuple[str, int]] = {}
        for entry in self.entries():
            path = self._path(entry.key, entry.number)
            if path is not None and f'"recordSha256":"{start}'.encode() not in (stored_bytes(path) or b""):
                continue
            record = self.read(entry.key, entry.number)
            if record is not None and record["recordSha256"].startswith(start):
                found[record["recordSha256"]] = entry.key, entry.number
        if len(found) > 1:
            raise _ambiguous(start, sorted(found))
        return self.read(*next(iter(found.values()))) if found else None


def _ambiguous(reference: str, candidates: list[str]) -> EyesError:
    return EyesError(
        RECORD_AMBIGUOUS,
        f"{len(candidates)} records start with {reference}.",
        details={"candidates": candidates[:_CANDIDATES]},
    )


def _folders(root: Path, form: re.Pattern[str]) -> list[Path]:
    try:
        return sorted(path for path in root.iterdir() if form.fullmatch(path.name))
    except OSError:
        return []


def _files(folder: Path) -> list[tuple[int, Path]]:
    try:
        matches = [(_FILE.fullmatch(path.name), path) for path in folder.iterdir()]
    except OSError:
        return []
    return [(int(match[1]), path) for match, path in matches if match]
