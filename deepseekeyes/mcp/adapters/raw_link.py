"""A server's bare pipes, for checks that a well-behaved session would never make."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from asyncio.subprocess import Process
from typing import Any

from deepseekeyes.core.secrets import reveal
from deepseekeyes.mcp.adapters import processes
from deepseekeyes.mcp.adapters.frames import FrameTooLargeError, LineFrames
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.lint_ports import Ending
from deepseekeyes.mcp.settings import McpSettings

CHUNK = 256 * 1024
POLL_S = 0.01
REAP_S = 0.5
KEPT = 1000


class PipeLink:
    """A `RawLink` over a process. Messages are kept until they are asked for, at most a thousand."""

    def __init__(self, process: Process, settings: McpSettings) -> None:
        self._process = process
        self._answers: dict[str, dict[str, Any]] = {}
        self._news = asyncio.Event()
        self._tasks = (
            asyncio.create_task(self._read(LineFrames(settings.max_frame_bytes))),
            asyncio.create_task(self._drain()),
        )

    async def send(self, line: bytes) -> bool:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + b"\n")
            await self._process.stdin.drain()
        except (ConnectionError, OSError, RuntimeError):
            return False
        return True

    async def answer(self, request_id: str, timeout_s: float) -> dict[str, Any] | None:
        deadline = time.monotonic() + timeout_s
        while request_id not in self._answers:
            self._news.clear()
            left = deadline - time.monotonic()
            if self._tasks[0].done():
                await self.ended(REAP_S)
                return self._answers.get(request_id)
            if left <= 0:
                return None
            try:
                await asyncio.wait_for(self._news.wait(), left)
            except TimeoutError:
                return None
        return self._answers[request_id]

    def alive(self) -> bool:
        return self._process.returncode is None

    def close_input(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()

    def terminate(self) -> None:
        if self.alive():
            self._process.terminate()

    async def ended(self, within_s: float) -> Ending | None:
        began = time.monotonic()
        while self._process.returncode is None:
            if time.monotonic() - began > within_s:
                return None
            await asyncio.sleep(POLL_S)
        return Ending(time.monotonic() - began, self._process.returncode, _group_lives(self._process.pid))

    async def close(self) -> None:
        await processes.end(self._process, patience_s=processes.LEFTOVER_GRACE_S)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _read(self, frames: LineFrames) -> None:
        assert self._process.stdout is not None
        try:
            while chunk := await self._process.stdout.read(CHUNK):
                for line in frames.feed(chunk):
                    self._keep(line)
        except (OSError, FrameTooLargeError):
            return
        finally:
            self._news.set()

    async def _drain(self) -> None:
        assert self._process.stderr is not None
        while await self._process.stderr.read(CHUNK):
            pass

    def _keep(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return
        if isinstance(message, dict) and "id" in message and "method" not in message and len(self._answers) < KEPT:
            self._answers[str(message["id"])] = message
            self._news.set()


class PipeOpener:
    """Starts servers exactly as a connection would."""

    def __init__(self, settings: McpSettings) -> None:
        self._settings = settings

    async def __call__(self, server_id: str, server: ServerSettings) -> PipeLink:
        from mcp.client.stdio import get_default_environment

        env = {**get_default_environment(), **{name: reveal(ref) for name, ref in server.env.items()}}
        process = await processes.start(server_id, server.command or "", server.args, env, server.cwd)
        return PipeLink(process, self._settings)


def _group_lives(pid: int) -> bool:
    if sys.platform == "win32":  # pragma: no cover
        return False
    try:
        os.killpg(pid, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True
