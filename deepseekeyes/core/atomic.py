"""Private files that are either whole or absent.

A file is written under a temporary name beside its place, flushed to the disk and then renamed or linked, so a killed
writer leaves at most a temporary file, which `sweep_temporary` removes. Directories are 0700 and files 0600 on POSIX.
"""

from __future__ import annotations

import errno
import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from deepseekeyes.core.codes import DISK_FULL, FILE_UNREADABLE, HOME_NOT_WRITABLE, WRITE_FAILED
from deepseekeyes.core.errors import EyesError

TEMPORARY_GRACE_S = 3600.0

_FULL = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_NO_LINK = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
_TEMPORARY = re.compile(r"\..+\.[0-9]+-[0-9a-f]{16}\.tmp")


def private_dir(path: Path) -> Path:
    """Create a directory and its missing parents with mode 0700; what exists keeps its mode.

    Raises:
        EyesError: HOME_NOT_WRITABLE, DISK_FULL, WRITE_FAILED.
    """
    missing: list[Path] = []
    try:
        for directory in (path, *path.parents):
            if directory.is_dir():
                break
            missing.append(directory)
        for directory in reversed(missing):
            with suppress(FileExistsError):
                directory.mkdir(mode=0o700)
        if missing and not path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "not a directory", str(path))
    except OSError as error:
        raise write_failure(error, path) from error
    return path


def write_private(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Replace a file's content in one step; readers see the old bytes or the new ones.

    Args:
        path: the file; its directory is created when missing.
        data: the whole content.
        durable: flush to the disk before the rename; off for files that may be lost in a power cut.

    Raises:
        EyesError: HOME_NOT_WRITABLE, DISK_FULL, WRITE_FAILED.
    """
    _placed(path, data, _replace, durable=durable)


def create_exclusive(path: Path, data: bytes, *, durable: bool = True) -> bool:
    """Create a file that nobody may replace; the first writer wins.

    Returns:
        True when this call created it, False when it existed already.

    Raises:
        EyesError: HOME_NOT_WRITABLE, DISK_FULL, WRITE_FAILED.
    """
    return not present(path) and _placed(path, data, _claim, durable=durable)


def present(path: Path) -> bool:
    """Whether something lies at a path; a place that may not be looked at counts as empty."""
    return os.path.lexists(path)


def read_file(path: Path) -> bytes | None:
    """The bytes of a file, or None when there is none.

    Raises:
        EyesError: FILE_UNREADABLE.
    """
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise EyesError(FILE_UNREADABLE, f"{path} cannot be read: {_reason(error)}.", path=path) from error


def sweep_temporary(directory: Path, *, grace_s: float = TEMPORARY_GRACE_S) -> int:
    """Remove the temporary files that killed writers left in a directory (not in those below it).

    Args:
        directory: where to look; a missing one is empty.
        grace_s: younger files may belong to a living writer and stay.

    Returns:
        How many were removed.
    """
    removed = 0
    horizon = time.time() - grace_s
    try:
        entries = list(os.scandir(directory))
    except OSError:
        return 0
    for entry in entries:
        if not _TEMPORARY.fullmatch(entry.name):
            continue
        with suppress(OSError):
            if entry.stat(follow_symlinks=False).st_mtime <= horizon:
                os.unlink(entry.path)  # noqa: PTH108
                removed += 1
    return removed


def write_failure(error: OSError, path: Path) -> EyesError:
    """An operating-system error of a write as one of ours: full disk, no permission, or anything else."""
    if error.errno in _FULL:
        return EyesError(DISK_FULL, f"There is no room to write {path}.", path=path)
    if error.errno in _FORBIDDEN:
        return EyesError(HOME_NOT_WRITABLE, f"{path} cannot be written: {_reason(error)}.", path=path)
    return EyesError(WRITE_FAILED, f"{path} cannot be written: {_reason(error)}.", path=path)


def _written(path: Path, data: bytes, *, durable: bool) -> Path:
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(8).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(temporary, flags, 0o600)
    try:
        with open(descriptor, "wb", buffering=0) as file:  # noqa: PTH123
            view = memoryview(data)
            while view:
                view = view[file.write(view) :]
            if durable:
                os.fsync(file.fileno())
    except BaseException:
        _remove(temporary)
        raise
    return temporary


def _placed(path: Path, data: bytes, settle: Callable[[Path, Path], bool], *, durable: bool) -> bool:
    """Write beside the place, then settle there; the directory may be pruned away in between, so try more than once."""
    for last in (False, False, True):
        private_dir(path.parent)
        try:
            temporary = _written(path, data, durable=durable)
            try:
                placed = settle(temporary, path)
            finally:
                _remove(temporary)
            if durable and placed:
                _flush_directory(path.parent)
        except FileNotFoundError as error:
            if last:
                raise write_failure(error, path) from error
        except OSError as error:
            raise write_failure(error, path) from error
        else:
            return placed
    raise AssertionError("unreachable")


def _replace(temporary: Path, path: Path) -> bool:
    os.replace(temporary, path)  # noqa: PTH105
    return True


def _claim(temporary: Path, path: Path) -> bool:
    try:
        os.link(temporary, path)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in _NO_LINK and os.name == "posix":
            raise
        # A file system without hard links: the check and the rename are two steps, so the last of two writers that
        # race within microseconds wins. Content-addressed files are equal then.
        if path.exists():
            return False
        os.replace(temporary, path)  # noqa: PTH105
    return True


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _flush_directory(directory: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
