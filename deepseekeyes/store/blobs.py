"""Bytes by their SHA-256: immutable, private, verified when read."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from deepseekeyes.core.atomic import TEMPORARY_GRACE_S, create_exclusive, present, sweep_temporary
from deepseekeyes.core.errors import EyesError
from deepseekeyes.store.codes import BLOB_CORRUPT, BLOB_NOT_FOUND
from deepseekeyes.store.quarantine import Quarantine, Quarantined, stored_bytes

GRACE_S = 24 * 3600.0

_SHA256 = re.compile(r"[0-9a-f]{64}")
_SHARD = re.compile(r"[0-9a-f]{2}")


class BlobEntry(NamedTuple):
    """A stored blob: its hash, its size in bytes, and when it was last put (seconds since the epoch)."""

    sha256: str
    bytes: int
    modified: float


class Pruned(NamedTuple):
    """What a pruning removed."""

    files: int = 0
    bytes: int = 0


class Blobs:
    """Content-addressed bytes under `<root>/ab/<sha256>`.

    Any number of processes may write at once: equal bytes are one file, and the first writer wins.

    Args:
        root: the folder; None keeps everything in memory.
        quarantine: where corrupt files go; `quarantine/` beside the root by default.
    """

    def __init__(self, root: Path | None, quarantine: Path | None = None) -> None:
        self._root = root
        self._memory: dict[str, bytes] = {}
        self._quarantine = Quarantine(quarantine or root.parent / "quarantine") if root is not None else None

    @property
    def quarantined(self) -> tuple[Quarantined, ...]:
        """Corrupt files that this object moved aside."""
        return self._quarantine.taken if self._quarantine else ()

    def put(self, data: bytes) -> str:
        """Store bytes and return their SHA-256. Bytes that are there already only count as fresh again for `prune`.

        Raises:
            EyesError: HOME_NOT_WRITABLE, DISK_FULL, WRITE_FAILED.
        """
        sha256 = hashlib.sha256(data).hexdigest()
        path = self.path(sha256)
        if path is None:
            self._memory.setdefault(sha256, bytes(data))
        elif create_exclusive(path, data):
            sweep_temporary(path.parent)
        else:
            self._confirm(path, data)
        return sha256

    def get(self, sha256: str) -> bytes:
        """The bytes with that hash, verified.

        Raises:
            EyesError: BLOB_NOT_FOUND; BLOB_CORRUPT when the file's bytes have another hash (it is quarantined);
                FILE_UNREADABLE.
        """
        path = self.path(sha256)
        data = self._memory.get(sha256) if path is None else stored_bytes(path)
        if data is None:
            raise EyesError(BLOB_NOT_FOUND, f"No stored bytes have the hash {sha256[:64]}.")
        if path is not None and not self._sound(sha256, data):
            self._take(path)
            raise EyesError(BLOB_CORRUPT, f"The stored bytes of {sha256} were changed or cut.")
        return data

    def has(self, sha256: str) -> bool:
        """Whether bytes with that hash are stored; they are not verified."""
        path = self.path(sha256)
        return sha256 in self._memory if path is None else present(path)

    def path(self, sha256: str) -> Path | None:
        """Where bytes with that hash lie or would lie; None in memory.

        Raises:
            EyesError: BLOB_NOT_FOUND when the text is not 64 lower-case hexadecimal digits.
        """
        if not _SHA256.fullmatch(sha256):
            raise EyesError(BLOB_NOT_FOUND, "A hash has 64 lower-case hexadecimal digits.")
        return None if self._root is None else self._root / sha256[:2] / sha256

    def entries(self) -> Iterator[BlobEntry]:
        """Every stored blob, by hash; entries that vanish meanwhile are left out."""
        if self._root is None:
            yield from (BlobEntry(sha256, len(data), 0.0) for sha256, data in sorted(self._memory.items()))
            return
        for shard in _shards(self._root):
            with suppress(OSError):
                for path in sorted(shard.iterdir()):
                    if _SHA256.fullmatch(path.name):
                        with suppress(OSError):
                            found = path.stat()
                            yield BlobEntry(path.name, found.st_size, found.st_mtime)

    def prune(self, keep: Collection[str], grace_s: float = GRACE_S) -> Pruned:
        """Remove blobs that nothing refers to, and what killed writers left.

        Args:
            keep: the hashes that something refers to.
            grace_s: blobs put within the last that many seconds stay, since their record may not be written yet.
        """
        files = size = 0
        if self._root is None:
            for sha256 in [name for name in self._memory if name not in keep]:
                size += len(self._memory.pop(sha256))
                files += 1
            return Pruned(files, size)
        for entry in self.entries():
            if entry.sha256 not in keep and self._unlink_old(entry.sha256, time.time() - grace_s):
                files += 1
                size += entry.bytes
        for shard in _shards(self._root):
            sweep_temporary(shard, grace_s=min(grace_s, TEMPORARY_GRACE_S))
        return Pruned(files, size)

    def remove(self, sha256: str) -> bool:
        """Remove one blob, whoever refers to it; False when it was not there."""
        path = self.path(sha256)
        if path is None:
            return self._memory.pop(sha256, None) is not None
        try:
            path.unlink()
        except OSError:
            return False
        return True

    def _confirm(self, path: Path, data: bytes) -> None:
        """The file exists: refresh its age, and heal it when its bytes are not the ones in its name."""
        if stored_bytes(path) == data and path.is_file():
            with suppress(OSError):
                os.utime(path)
            return
        self._take(path)
        create_exclusive(path, data)

    def _take(self, path: Path) -> None:
        if self._quarantine:
            self._quarantine.take(
                path, "its bytes do not have the hash in its name", lambda data: self._sound(path.name, data)
            )

    @staticmethod
    def _sound(sha256: str, data: bytes) -> bool:
        return hashlib.sha256(data).hexdigest() == sha256

    def _unlink_old(self, sha256: str, horizon: float) -> bool:
        path = self.path(sha256)
        try:
            if path is None or path.stat().st_mtime > horizon:
                return False
            path.unlink()
        except OSError:
            return False
        return True


def _shards(root: Path) -> list[Path]:
    try:
        return sorted(path for path in root.iterdir() if _SHARD.fullmatch(path.name))
    except OSError:
        return []
