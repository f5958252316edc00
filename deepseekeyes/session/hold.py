"""Proof of life: a lock that a host holds for as long as its process exists, however that ends."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

RETRIES = 20
RETRY_S = 0.05


class Hold:
    """A lock on a file that the operating system lets go of when the process dies.

    Args:
        path: the lock file; its directory exists.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def take(self) -> bool:
        """Try to get the lock; a client that just looks holds it for an instant, so it is tried for a second."""
        descriptor = _opened(self._path)
        for _ in range(RETRIES):
            if _lock(descriptor, shared=False):
                self._descriptor = descriptor
                return True
            time.sleep(RETRY_S)
        os.close(descriptor)
        return False

    def release(self) -> None:
        """Let go; closing the file is enough."""
        if self._descriptor is not None:
            with suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None


def held(path: Path) -> bool:
    """Whether a living process holds the lock."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        return not _lock(descriptor, shared=True)
    finally:
        os.close(descriptor)


def _opened(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)


if sys.platform == "win32":

    def _lock(descriptor: int, *, shared: bool) -> bool:
        import msvcrt

        del shared
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:

    def _lock(descriptor: int, *, shared: bool) -> bool:
        import fcntl

        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
