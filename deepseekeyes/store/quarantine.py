"""Files found corrupt are moved aside and reported, never overwritten and never read again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from deepseekeyes.core.atomic import create_exclusive, private_dir, read_file, write_failure
from deepseekeyes.core.errors import EyesError


class Quarantined(NamedTuple):
    """One file that was moved: where it was, where it is now, and why, in a few words."""

    path: Path
    moved_to: Path
    reason: str


def stored_bytes(path: Path) -> bytes | None:
    """The bytes of a stored file, None where there is none. A folder in its place holds none, so it is set aside.

    Raises:
        EyesError: FILE_UNREADABLE.
    """
    try:
        return read_file(path)
    except EyesError:
        if os.path.isdir(path):  # noqa: PTH112 - False, not an error, where one may not look
            return b""
        raise


class Quarantine:
    """The folder for corrupt files.

    Args:
        root: `quarantine/` of the home; created when first needed.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._taken: list[Quarantined] = []

    @property
    def taken(self) -> tuple[Quarantined, ...]:
        """What this object moved, oldest first; callers turn it into warnings and doctor lines."""
        return tuple(self._taken)

    def take(self, path: Path, reason: str, sound: Callable[[bytes], bool] | None = None) -> bool:
        """Move a file, or a folder in its place, here under a fresh name.

        Args:
            path: the file that was found corrupt.
            reason: what is wrong with it, in a few words.
            sound: says whether bytes are good after all. Another process may have replaced the file between the
                reading and the move; a sound file goes back.

        Returns:
            False when somebody else moved it first, or when it was sound.

        Raises:
            EyesError: HOME_NOT_WRITABLE, DISK_FULL, WRITE_FAILED; the corrupt file is still in its place then.
        """
        private_dir(self._root)
        target = self._root / f"{path.parent.name}-{path.name}.{time.time_ns():x}-{os.urandom(3).hex()}"
        try:
            path.rename(target)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise write_failure(error, path) from error
        data = read_file(target) if sound and not target.is_dir() else None
        if sound and data is not None and sound(data):
            create_exclusive(path, data)
            target.unlink(missing_ok=True)
            return False
        self._taken.append(Quarantined(path, target, reason))
        return True

    def files(self) -> Iterator[Path]:
        """What lies in quarantine, whoever put it there, by name; a folder counts as one."""
        if self._root.is_dir():
            yield from sorted(self._root.iterdir())

    def prune(self, older_than_s: float) -> int:
        """Remove files whose content is older than that many seconds; returns how many."""
        horizon, removed = time.time() - older_than_s, 0
        for file in self.files():
            with suppress(OSError):
                if file.lstat().st_ctime <= horizon:
                    _remove(file)
                    removed += 1
        return removed


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        import shutil

        shutil.rmtree(path)
    else:
        path.unlink()
