"""The stdio transport of the server: a linear, capped line reader, and a writer that never blocks the loop.

The SDK's reader cannot be stopped while it waits for input, so a process on it ends only when its input does.
"""

from __future__ import annotations

import asyncio
import os
import queue
import select
import sys
import threading
from codecs import BOM_UTF8
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Self

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from deepseekeyes.serve.unread import ENDS, answer, answer_long

CHUNK = 256 * 1024
FLUSH_S = 1.0
WATCH_S = 0.02

Received = SessionMessage | Exception


class Lines:
    """Splits bytes into lines in linear time; a line over the cap is dropped and counted, and its ends are kept.

    Args:
        most: bytes of one line.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._rest = bytearray()
        self._skipping = False
        self._tail = b""
        self.dropped = 0
        self.ends: list[tuple[bytes, bytes]] = []

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """The lines that are complete now."""
        start = 0
        while True:
            end = chunk.find(b"\n", start)
            if end < 0:
                self._hold(chunk[start:])
                return
            self._hold(chunk[start:end])
            start = end + 1
            if self._skipping:
                self._skipping = False
                self.ends.append((bytes(self._rest), self._tail))
            elif self._rest.strip():
                yield bytes(self._rest)
            self._rest.clear()

    def _hold(self, part: bytes) -> None:
        if self._skipping:
            self._tail = (self._tail + part[-ENDS:])[-ENDS:]
            return
        if len(self._rest) + len(part) > self._most:
            self._skipping = True
            self.dropped += 1
            self._tail = (bytes(self._rest[-ENDS:]) + part[-ENDS:])[-ENDS:]
            self._rest = bytearray(bytes(self._rest[:ENDS]) + part[: max(0, ENDS - len(self._rest))])
            return
        self._rest += part


class Wire:
    """The process's standard streams, taken over: whatever else is printed goes to standard error.

    Args:
        most: bytes of one incoming message.
    """

    def __init__(self, most: int) -> None:
        self._in = os.dup(0)
        self._out = os.dup(1)
        sys.stdout.flush()
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        os.dup2(2, 1)
        self._most = most
        self._lines = Lines(most)
        self._loop = asyncio.get_running_loop()
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._written = threading.Event()
        self._broken = False
        self._to_session, self.incoming = anyio.create_memory_object_stream[Received](0)
        self.outgoing, self._from_session = anyio.create_memory_object_stream[SessionMessage](0)

    def start(self) -> None:
        """Begin to read and write."""
        threading.Thread(target=self._read, name="stdin", daemon=True).start()
        threading.Thread(target=self._write, name="stdout", daemon=True).start()

    @property
    def reader_gone(self) -> bool:
        """Whether nobody can read our output any more."""
        if self._broken:
            return True
        poll = select.poll()
        with suppress(OSError):
            poll.register(self._out, 0)
            return any(event & (select.POLLERR | select.POLLNVAL) for _, event in poll.poll(0))
        return True

    async def pump(self) -> None:
        """Hand what the session writes to the writer. Runs until the session ends."""
        with suppress(anyio.ClosedResourceError):
            async for item in self._from_session:
                text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                self._outbox.put(text.encode("utf-8", "backslashreplace") + b"\n")

    async def flush(self) -> None:
        """Wait a moment for what is still to be written."""
        self._outbox.put(None)
        await asyncio.to_thread(self._written.wait, FLUSH_S)

    def _read(self) -> None:
        try:
            while chunk := os.read(self._in, CHUNK):
                for line in self._lines.feed(chunk):
                    message = _message(line)
                    if isinstance(message, Exception):
                        self._tell(answer(line))
                    self._deliver(message)
                for head, tail in self._lines.ends:
                    self._tell(answer_long(head, tail, self._most))
                    self._deliver(ValueError("a message is larger than serve.max_request_bytes"))
                self._lines.ends.clear()
        except (OSError, RuntimeError):
            pass
        finally:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._to_session.close)

    def _tell(self, error: bytes | None) -> None:
        if error is not None:
            self._outbox.put(error)

    def _deliver(self, message: Received) -> None:
        """Wait until the session has taken the message, so that a fast sender is slowed down."""
        sent = asyncio.run_coroutine_threadsafe(self._to_session.send(message), self._loop)
        try:
            sent.result()
        except (anyio.BrokenResourceError, anyio.ClosedResourceError) as gone:
            raise OSError from gone

    def _write(self) -> None:
        try:
            while (data := self._outbox.get()) is not None:
                view = memoryview(data)
                while view and not self._broken:
                    view = view[os.write(self._out, view) :]
        except OSError:
            self._broken = True
            while self._outbox.get() is not None:
                pass
        finally:
            self._written.set()


def _message(line: bytes) -> Received:
    try:
        message: Any = types.jsonrpc_message_adapter.validate_json(line.removeprefix(BOM_UTF8), by_name=False)
    except ValueError as wrong:
        return wrong
    return SessionMessage(message)


Streams = tuple[MemoryObjectReceiveStream[Received], MemoryObjectSendStream[SessionMessage]]


@asynccontextmanager
async def stdio(most: int) -> AsyncIterator[tuple[Wire, Streams]]:
    """The wire and the streams of a session on it.

    Args:
        most: bytes of one incoming message.
    """
    wire = Wire(most)
    wire.start()
    pumping = asyncio.ensure_future(wire.pump())
    try:
        yield wire, (wire.incoming, wire.outgoing)
    finally:
        wire.outgoing.close()
        await asyncio.wait({pumping}, timeout=FLUSH_S)
        pumping.cancel()
        await wire.flush()
        wire.incoming.close()


class Kept:
    """The incoming stream, held open a little after its end while calls run, so that their answers still go out.

    Args:
        inner: the stream.
        wanted: whether calls run whose answers somebody reads.
        patience_s: how long, in seconds.
    """

    def __init__(self, inner: Any, wanted: Callable[[], bool], patience_s: float) -> None:
        self._inner = inner
        self._wanted = wanted
        self._patience_s = patience_s

    async def receive(self) -> Any:
        try:
            return await self._inner.receive()
        except anyio.EndOfStream:
            now = asyncio.get_running_loop().time
            deadline = now() + self._patience_s
            await asyncio.sleep(WATCH_S)
            while self._wanted() and now() < deadline:  # noqa: ASYNC110 - several things end it
                await asyncio.sleep(WATCH_S)
            raise

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self.aclose()
