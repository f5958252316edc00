"""A process that is killed leaves no server behind, not even one that minds neither its input nor a signal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from deepseekeyes.mcp.adapters.watchman import Watchman

HOSTILE = Path(__file__).parents[1] / "hostile" / "mcp"
PATIENCE_S = 60.0
OWNER = """
import asyncio, os, sys
from deepseekeyes.mcp.adapters import processes
async def main():
    for name in sys.argv[1:]:
        server = await processes.start(name, sys.executable, [name], dict(os.environ), None)
        print(server.pid, flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""


def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def until_gone(pids: list[int]) -> list[int]:
    deadline = time.monotonic() + PATIENCE_S
    while left := [pid for pid in pids if not gone(pid)]:
        if time.monotonic() > deadline:
            break
        time.sleep(0.01)
    return left


def sleeper() -> subprocess.Popen[bytes]:
    return subprocess.Popen(["/bin/sh", "-c", "sleep 600 & wait"], start_new_session=True)


@pytest.mark.timeout(180)
def test_servers_end_when_their_owner_is_killed() -> None:
    servers = [str(HOSTILE / name) for name in ("deaf.py", "stubborn.py", "silent.py")]
    with subprocess.Popen([sys.executable, "-c", OWNER, *servers], stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        pids = [int(owner.stdout.readline()) for _ in servers]
        watching = [each.pid for each in psutil.Process(owner.pid).children() if each.pid not in pids]
        owner.send_signal(signal.SIGKILL)
    assert (len(watching), until_gone([*pids, *watching])) == (1, [])


def test_what_was_released_is_left_alone_and_the_watchman_goes_with_the_last() -> None:
    before = set(psutil.Process().children())
    first, second = sleeper(), sleeper()
    watchman = Watchman()
    try:
        for each in (first, second):
            watchman.watch(each.pid)
        watchman.release(first.pid)
        watchman.release(first.pid)
        watchman.release(second.pid)
        assert {each.pid for each in set(psutil.Process().children()) - before} == {first.pid, second.pid}
        assert (first.poll(), second.poll()) == (None, None)
        watchman.watch(first.pid)
        watchman.watch(second.pid)
        watchman.release(first.pid)
        assert watchman._pipe is not None
        os.close(watchman._pipe)
        assert (second.wait(PATIENCE_S), first.poll()) == (-signal.SIGKILL, None)
        os.waitpid(watchman._pid, 0)
    finally:
        for each in (first, second):
            with suppress(ProcessLookupError):
                os.killpg(each.pid, signal.SIGKILL)
            each.wait(PATIENCE_S)


def test_without_a_shell_nothing_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deepseekeyes.mcp.adapters.watchman.SHELL", "/no/such/shell")
    watchman = Watchman()
    watchman.watch(1)
    watchman.release(1)
    assert watchman._pipe is None
