"""Children of a host that was killed: found by the mark in their environment, ended one by one with their profiles.

Only Linux shows the environment of another process of the same user. Elsewhere the pipes that a child holds to its
host end it.
"""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from deepseekeyes.session.descriptor import MARK

PATIENCE_S = 2.0
PROFILE = "playwright_chromiumdev_profile-"
POLL_S = 0.02


def end(mark: str) -> int:
    """End every process that carries a mark, kindly first.

    Returns:
        How many there were.
    """
    found = list(carriers(mark))
    profiles = {folder for pid in found for folder in _profiles(pid)}
    for pid in found:
        _signal(pid, signal.SIGTERM)
    deadline = time.monotonic() + PATIENCE_S
    while (left := list(carriers(mark))) and time.monotonic() < deadline:
        time.sleep(POLL_S)
    for pid in left:
        _signal(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    for folder in profiles:
        shutil.rmtree(folder, ignore_errors=True)
    return len(found)


def carriers(mark: str) -> Iterator[int]:
    """Ids of living processes, other than this one, whose environment holds the mark."""
    if len(mark) < 16:
        return
    sought = f"\0{MARK}={mark}\0".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        pid = int(folder.name)
        with suppress(OSError):
            if pid != os.getpid() and sought in b"\0" + (folder / "environ").read_bytes() + b"\0":
                yield pid


def _profiles(pid: int) -> Iterator[Path]:
    """Folders that a browser was given for this one time, which its driver would have removed."""
    with suppress(OSError):
        for word in (Path("/proc") / str(pid) / "cmdline").read_bytes().split(b"\0"):
            option, _, value = os.fsdecode(word).partition("=")
            folder = Path(value)
            if option == "--user-data-dir" and folder.name.startswith(PROFILE) and folder.is_dir():
                yield folder


def _signal(pid: int, number: int) -> None:
    with suppress(OSError):
        os.kill(pid, number)
