"""Which process a window belongs to, read from /proc."""

from __future__ import annotations

import os
from pathlib import Path

PROC = Path("/proc")


def start_ticks(pid: int) -> int | None:
    """When a process started, in clock ticks since boot; with the pid it names the process for good."""
    after_name = _stat(pid)
    return int(after_name[19]) if after_name is not None and len(after_name) > 19 else None


def parent(pid: int) -> int | None:
    """The parent of a process."""
    after_name = _stat(pid)
    return int(after_name[1]) if after_name is not None and len(after_name) > 1 else None


def _stat(pid: int) -> list[str] | None:
    """The fields of `/proc/PID/stat` after the name, state first; a name may hold spaces and brackets."""
    try:
        text = (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return text.rpartition(")")[2].split()


def program_name(pid: int) -> str:
    """The short name of a process; empty when it is gone."""
    try:
        return (PROC / str(pid) / "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def descends_from(pid: int, ancestor: int, *, most: int = 32) -> bool:
    """Whether a process is another one or its descendant."""
    step: int | None = pid
    for _ in range(most):
        if step == ancestor:
            return True
        if step is None or step <= 1:
            return False
        step = parent(step)
    return False


def alive(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    fields = _stat(pid)
    return fields is not None and fields[0] not in {"Z", "X"}


def same_host(machine: str | None) -> bool:
    """Whether a window's client machine is this one; unknown counts as yes."""
    if not machine:
        return True
    return machine.partition(".")[0] == os.uname().nodename.partition(".")[0] or machine == "localhost"
