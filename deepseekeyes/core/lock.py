"""One writer at a time, between processes and threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deepseekeyes.core.atomic import private_dir, write_failure
from deepseekeyes.core.codes import LOCK_TIMEOUT
from deepseekeyes.core.errors import EyesError

LOCK_TIMEOUT_S = 10.0


@contextmanager
def locked(path: Path, *, timeout_s: float = LOCK_TIMEOUT_S, setting: str | None = None) -> Iterator[None]:
    """Hold an advisory lock on a file; the operating system lets go of it when the process dies.

    Args:
        path: the lock file, 0600, created when missing and never written to.
        timeout_s: how long to wait for another holder, seconds.
        setting: the name of the setting that moves the timeout, for the error.

    Raises:
        EyesError: LOCK_TIMEOUT; HOME_NOT_WRITABLE, DISK_FULL, WRITE_FAILED when the lock file cannot be made.
    """
    from filelock import FileLock, Timeout

    private_dir(path.parent)
    lock = FileLock(str(path), timeout=timeout_s, mode=0o600, thread_local=False)
    try:
        lock.acquire(poll_interval=0.01)
    except Timeout as error:
        raise EyesError(
            LOCK_TIMEOUT,
            f"{path.name} stayed locked for {timeout_s:g} s.",
            details={"limit": {"name": "lock timeout, seconds", "value": timeout_s, "setting": setting}},
        ) from error
    except OSError as error:
        raise write_failure(error, path) from error
    try:
        yield
    finally:
        lock.release()
