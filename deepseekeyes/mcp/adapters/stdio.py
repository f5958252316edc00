"""The stdio transport: our own bounded reader and process ending under the SDK's messages and JSON-RPC.

The SDK's reader takes quadratic time on long lines, has no cap, and leaves the grandchildren of a server running.
"""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from deepseekeyes.mcp.adapters import processes
from deepseekeyes.mcp.adapters.frames import FrameTooLargeError, LineFrames
from deepseekeyes.mcp.adapters.messages import read_line
from deepseekeyes.mcp.adapters.pulse import Pulse
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.ports import Fault
from deepseekeyes.mcp.settings import McpSettings

CHUNK = 256 * 1024
WATCH_S = 0.05
DRAIN_S = 0.2

_RUNAWAY: tuple[Fault, ...] = ("noise", "frame-limit")

Received = SessionMessage | Exception
Streams = tuple[MemoryObjectReceiveStream[Received], MemoryObjectSendStream[SessionMessage]]


@asynccontextmanager
async def stdio_transport(
    server_id: str, server: ServerSettings, env: Mapping[str, str], settings: McpSettings, pulse: Pulse
) -> AsyncIterator[Streams]:
    """Start a server and yield the streams that a session runs on; on leaving, the server's whole group is gone.

    Args:
        env: the child's whole environment, references resolved.
        pulse: takes what is learned on the way.

    Raises:
        EyesError: MCP_COMMAND_NOT_FOUND.
    """
    process = await processes.start(server_id, server.command or "", server.args, env, server.cwd)
    to_session, from_server = anyio.create_memory_object_stream[Received](0)
    from_session, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    reading = asyncio.create_task(_read(process, to_session, settings, pulse))
    tasks = [
        reading,
        asyncio.create_task(_write(process, outgoing, pulse)),
        asyncio.create_task(_watch(process, reading, to_session, pulse)),
        asyncio.create_task(_listen(process, pulse)),
    ]
    try:
        yield from_server, from_session
    finally:
        with anyio.CancelScope(shield=True):
            for stream in (from_server, from_session):
                stream.close()
            patience_s = processes.LEFTOVER_GRACE_S if pulse.fault in _RUNAWAY else processes.GRACE_S
            pulse.close_failed = not await processes.end(process, patience_s=patience_s)
            pulse.exit_status = process.returncode
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for each in (to_session, outgoing):
                each.close()


async def _read(
    process: Process, to_session: MemoryObjectSendStream[Received], settings: McpSettings, pulse: Pulse
) -> None:
    """Deliver messages until the pipe ends; after the session has gone, only drain, so that the server can exit."""
    assert process.stdout is not None
    frames = LineFrames(settings.max_frame_bytes)
    open_for_session = True
    while chunk := await _chunk(process.stdout):
        if not open_for_session:
            continue
        try:
            for line in frames.feed(chunk):
                message = read_line(line, pulse)
                if message is not None:
                    await to_session.send(message)
            if pulse.noise > settings.max_noise_lines:
                open_for_session = False
                pulse.end("noise")
        except FrameTooLargeError:
            open_for_session = False
            pulse.end("frame-limit")
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            open_for_session = False
        if not open_for_session:
            to_session.close()
    to_session.close()
    pulse.end("closed")


async def _chunk(stream: asyncio.StreamReader) -> bytes:
    try:
        return await stream.read(CHUNK)
    except OSError:
        return b""


async def _write(process: Process, outgoing: MemoryObjectReceiveStream[SessionMessage], pulse: Pulse) -> None:
    assert process.stdin is not None
    try:
        async for item in outgoing:
            text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
            process.stdin.write(text.encode() + b"\n")
            await process.stdin.drain()
    except (ConnectionError, anyio.ClosedResourceError, OSError):
        pulse.end("closed")


async def _watch(
    process: Process,
    reading: asyncio.Task[None],
    to_session: MemoryObjectSendStream[Received],
    pulse: Pulse,
) -> None:
    """End the connection when the process does, also while a grandchild holds its stdout open."""
    while process.returncode is None:  # noqa: ASYNC110 - `wait()` would also wait for the pipes
        await asyncio.sleep(WATCH_S)
    pulse.exit_status = process.returncode
    await asyncio.wait({reading}, timeout=DRAIN_S)
    to_session.close()
    pulse.end("closed")


async def _listen(process: Process, pulse: Pulse) -> None:
    assert process.stderr is not None
    while chunk := await _chunk(process.stderr):
        pulse.stderr.add(chunk)
