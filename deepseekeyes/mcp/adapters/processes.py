"""Starting a server as a process group of its own, and ending the whole group."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from contextlib import suppress

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.adapters.watchman import WATCHMAN
from deepseekeyes.mcp.codes import MCP_COMMAND_NOT_FOUND
from deepseekeyes.mcp.programs import resolve

GRACE_S = 1.0
LEFTOVER_GRACE_S = 0.2
REAP_S = 0.5
POLL_S = 0.01
PIPE_LIMIT = 1024 * 1024


async def start(server_id: str, command: str, args: Sequence[str], env: Mapping[str, str], cwd: str | None) -> Process:
    """Start a server with pipes on all three streams.

    Raises:
        EyesError: MCP_COMMAND_NOT_FOUND.
    """
    program = resolve(command, cwd, env.get("PATH"))
    if program is None:
        raise EyesError(
            MCP_COMMAND_NOT_FOUND, f"The program {command!r} of the server {server_id} was not found.", server=server_id
        )
    try:
        process = await asyncio.create_subprocess_exec(
            program,
            *args,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=dict(env),
            cwd=cwd,
            limit=PIPE_LIMIT,
            start_new_session=True,
        )
    except (OSError, ValueError) as refused:
        reason = refused.strerror if isinstance(refused, OSError) and refused.strerror else type(refused).__name__
        raise EyesError(
            MCP_COMMAND_NOT_FOUND,
            f"The program {command!r} of the server {server_id} cannot be started: {reason.lower()}.",
            server=server_id,
        ) from refused
    WATCHMAN.watch(process.pid)
    return process


async def end(process: Process, *, patience_s: float = GRACE_S) -> bool:
    """End a server and everything it started: close its stdin, then SIGTERM, then SIGKILL, at most a second apart.

    Args:
        process: started by `start`.
        patience_s: how long it may take to end by itself once its stdin is closed, seconds.

    Returns:
        Whether the process is gone.
    """
    if process.stdin is not None:
        process.stdin.close()
    if await _exited(process, patience_s):
        await _sweep(process, LEFTOVER_GRACE_S)
    else:
        await _sweep(process, GRACE_S)
    gone = await _exited(process, REAP_S)
    if gone:
        await asyncio.to_thread(WATCHMAN.release, process.pid)
    _release(process)
    return gone


async def _sweep(process: Process, grace_s: float) -> None:
    if not _signal(process, signal.SIGTERM):
        return
    deadline = time.monotonic() + grace_s
    while time.monotonic() < deadline:
        await asyncio.sleep(POLL_S)
        if process.returncode is not None and not _signal(process, 0):
            return
    _signal(process, signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)


def _signal(process: Process, number: int) -> bool:
    """Send a signal to the whole group; False when nobody is left."""
    if sys.platform == "win32":  # pragma: no cover
        if process.returncode is None and number:
            process.kill()
        return process.returncode is None
    try:
        os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


async def _exited(process: Process, within_s: float) -> bool:
    """Whether the process ends in time. Polled: `wait()` also waits for pipes that a grandchild may hold open."""
    deadline = time.monotonic() + within_s
    while process.returncode is None:
        if time.monotonic() >= deadline:
            return False
        await asyncio.sleep(POLL_S)
    return True


def _release(process: Process) -> None:
    transport = getattr(process, "_transport", None)
    if transport is not None:
        with suppress(PermissionError, ProcessLookupError):
            transport.close()
