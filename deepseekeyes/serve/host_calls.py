"""The conversations of a session host: one request a connection, one operation at a time, a bounded queue."""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import socket
import struct
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deepseekeyes.core.clock import rfc3339
from deepseekeyes.core.crash import internal
from deepseekeyes.core.errors import EXIT_CODES, EyesError
from deepseekeyes.dispatch import dispatch
from deepseekeyes.operations import OPERATIONS
from deepseekeyes.serve.host_door import Caller, HostDoor
from deepseekeyes.serve.served_door import say
from deepseekeyes.serve.workshop import Workshop
from deepseekeyes.session import wire
from deepseekeyes.session.codes import SESSION_BUSY, SESSION_ENDING, SESSION_FORBIDDEN, SESSION_PROTOCOL
from deepseekeyes.session.descriptor import PROTOCOL, Place

if TYPE_CHECKING:
    from deepseekeyes.contracts.document import Document
    from deepseekeyes.contracts.stored import StoredRecord
    from deepseekeyes.operations import Operation
    from deepseekeyes.session.settings import SessionSettings
    from deepseekeyes.wiring.app import App

REQUEST_S = 10.0
PULSE_S = 2.0
STOPPING_S = 10.0
LOG_LINES = 20_000

Message = dict[str, Any]


class Calls:
    """Runs what clients ask for.

    Args:
        ending: is told when an operation has ended the session.
    """

    def __init__(
        self,
        app: App,
        door: HostDoor,
        place: Place,
        workshop: Workshop,
        settings: SessionSettings,
        *,
        ending: Callable[[], None],
    ) -> None:
        self._app = app
        self._door = door
        self._place = place
        self._workshop = workshop
        self._settings = settings
        self._ending = ending
        self._loop = asyncio.get_running_loop()
        self._turn = asyncio.Lock()
        self._here = 0
        self._waiting = 0
        self._last = app.clock.monotonic()
        self._conversations: set[asyncio.Task[Any]] = set()
        self._closing = False
        self._succeeded = False
        self._logged = 0

    @property
    def idle_s(self) -> float:
        """Seconds since the last conversation ended; 0 while there is one."""
        return 0.0 if self._here else self._app.clock.monotonic() - self._last

    async def drain(self, grace_s: float) -> None:
        """Take nothing new, give what runs some time, then cancel it."""
        self._closing = True
        running = {task for task in self._conversations if task is not asyncio.current_task()}
        if running:
            _, late = await asyncio.wait(running, timeout=grace_s)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=grace_s)

    async def converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str | None) -> None:
        """One connection from its request to its reply."""
        task = asyncio.current_task()
        assert task is not None
        self._conversations.add(task)
        self._here += 1
        try:
            await self._conversation(reader, writer, token)
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            pass
        finally:
            self._here -= 1
            self._last = self._app.clock.monotonic()
            self._conversations.discard(task)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _conversation(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str | None
    ) -> None:
        limit = self._settings.max_line_bytes

        def write(event: Message) -> None:
            if not writer.is_closing():
                writer.write(wire.encoded(event, limit))

        try:
            request = await _request(reader, limit)
            _admitted(request, token, writer)
        except EyesError as refused:
            write({"event": "error", "error": wire.told(refused)})
            return
        caller = Caller(
            lambda event: _threadsafe(self._loop, write, event), wants_text=request.get("wantsText") is True
        )
        pulse = asyncio.create_task(_pulse(write))
        listening = asyncio.create_task(_listen(reader, caller))
        work = asyncio.create_task(self._answer(request, caller, write))
        try:
            await asyncio.wait({work, listening}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done() and _may_stop(request):
                work.cancel()
            event = await work
            pulse.cancel()
            write(_within(event, limit))
            await writer.drain()
        except asyncio.CancelledError:
            work.cancel()
            write({"event": "error", "error": wire.told(EyesError(SESSION_ENDING, "The session has ended."))})
        finally:
            pulse.cancel()
            listening.cancel()
            caller.leave()

    async def _answer(self, request: Message, caller: Caller, write: Callable[[Message], None]) -> Message:
        """Wait for the turn, run the operation, tell its end."""
        name = str(request["operation"])
        try:
            await self._wait_for_turn()
        except EyesError as refused:
            return {"event": "error", "error": wire.told(refused)}
        started = self._app.clock.monotonic()
        try:
            if caller.gone:
                return {"event": "error", "error": wire.told(EyesError(SESSION_ENDING, "The caller has gone."))}
            self._begin(name, request)
            write({"event": "started"})
            self._door.caller = caller
            event = await self._run(name, request)
        finally:
            self._door.caller = None
            self._over(name, started)
            self._turn.release()
        self._settle(OPERATIONS[name], event)
        return event

    async def _wait_for_turn(self) -> None:
        waiting = self._settings.waiting
        self._still_open()
        if self._turn.locked() and self._waiting >= waiting:
            raise _busy(f"{waiting} commands wait for session {self._place.name} already.", "waiting", waiting)
        self._waiting += 1
        try:
            await asyncio.wait_for(self._turn.acquire(), self._settings.wait_ms / 1000)
        except TimeoutError:
            sentence = f"Session {self._place.name} stayed busy for {self._settings.wait_ms} ms."
            raise _busy(sentence, "wait_ms", self._settings.wait_ms) from None
        finally:
            self._waiting -= 1
        try:
            self._still_open()
        except EyesError:
            self._turn.release()
            raise

    def _still_open(self) -> None:
        if self._closing:
            raise EyesError(SESSION_ENDING, f"Session {self._place.name} has ended.", details={"dispatched": "no"})

    async def _run(self, name: str, request: Message) -> Message:
        over = asyncio.Event()
        try:
            document = await self._workshop.aside(self._dispatched(name, request["payload"], over))
        except EyesError as failed:
            return {"event": "error", "error": wire.told(failed), "document": getattr(failed, "document", None)}
        except asyncio.CancelledError:
            with suppress(TimeoutError):
                await asyncio.wait_for(over.wait(), STOPPING_S)
            return {"event": "error", "error": wire.told(EyesError(SESSION_ENDING, "The operation was stopped."))}
        except Exception as bug:  # noqa: BLE001 - a bug in one operation must not end the session
            crash = internal(bug, self._app.home)
            say(f"error: {name}: {crash.message} {crash.hint}")
            return {"event": "error", "error": wire.told(crash)}
        failure = document.failure()
        return {
            "event": "result",
            "document": document.to_json(),
            "outcome": document.outcome(),
            "failure": None if failure is None else failure.kind,
        }

    async def _dispatched(self, name: str, payload: Mapping[str, Any], over: asyncio.Event) -> Document | StoredRecord:
        """In the thread of the operations; `over` says that nothing of it runs any more, however it ended."""
        try:
            return await dispatch(name, payload, self._app)
        finally:
            _threadsafe(self._loop, over.set)

    def _settle(self, operation: Operation, event: Message) -> None:
        """End the session after the operation that ends it, and after a first one that failed to start anything."""
        good = event["event"] == "result" and (event["failure"] is None or EXIT_CODES[event["failure"]] in (0, 1))
        if (operation.life == "ends" and good) or (operation.life == "starts" and not good and not self._succeeded):
            self._closing = True
            self._ending()
        self._succeeded = self._succeeded or good

    def _begin(self, name: str, request: Message) -> None:
        cwd = request.get("cwd")
        if isinstance(cwd, str) and cwd:
            self._app.cwd = Path(cwd)
        note = {"operation": name, "at": rfc3339(self._app.clock.now())}
        with suppress(OSError):
            self._place.doing.write_text(json.dumps(note), encoding="utf-8")

    def _over(self, name: str, started: float) -> None:
        with suppress(OSError):
            self._place.doing.unlink()
        self._logged += 1
        if self._logged <= LOG_LINES:
            say(f"{rfc3339(self._app.clock.now())} {name} {self._app.clock.milliseconds_since(started)} ms")


async def _request(reader: asyncio.StreamReader, limit: int) -> Message:
    try:
        line = await asyncio.wait_for(reader.readline(), REQUEST_S)
    except ValueError:
        raise wire.line_limit(limit) from None
    request = wire.decoded(line)
    operation = OPERATIONS.get(str(request.get("operation")))
    if operation is None or operation.scope != "session" or not isinstance(request.get("payload"), dict):
        raise EyesError(SESSION_PROTOCOL, "The request names no operation of a session.")
    return request


def _admitted(request: Message, token: str | None, writer: asyncio.StreamWriter) -> None:
    """Only the user who owns this process, with the token where one is asked for.

    Raises:
        EyesError: SESSION_FORBIDDEN, SESSION_PROTOCOL.
    """
    if token is not None and not hmac.compare_digest(str(request.get("token")).encode(), token.encode()):
        raise EyesError(SESSION_FORBIDDEN, "The token of the session is missing or wrong.")
    peer = _peer_uid(writer.get_extra_info("socket"))
    if peer is not None and peer not in (os.getuid(), 0):
        raise EyesError(SESSION_FORBIDDEN, "The session belongs to another user.")
    if request.get("protocol") != PROTOCOL:
        raise EyesError(SESSION_PROTOCOL, f"The session speaks protocol {PROTOCOL}.")


def _peer_uid(connection: Any) -> int | None:
    """Who is on the other side of a Unix socket, where the system tells."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None or connection is None or connection.family != getattr(socket, "AF_UNIX", None):
        return None
    _, uid, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, option, struct.calcsize("3i")))
    return int(uid)


async def _listen(reader: asyncio.StreamReader, caller: Caller) -> None:
    """Hand answers on until the other side closes."""
    try:
        while line := await reader.readline():
            caller.answered(wire.decoded(line))
    except (OSError, ValueError, EyesError):
        pass
    caller.leave()


async def _pulse(write: Callable[[Message], None]) -> None:
    """A sign of life while an operation works."""
    while True:
        await asyncio.sleep(PULSE_S)
        write({"event": "alive"})


def _may_stop(request: Mapping[str, Any]) -> bool:
    """Whether an operation is stopped when its caller leaves: what only reads is, what acts comes to its end."""
    return OPERATIONS[str(request["operation"])].effect in ("pure", "reads")


def _within(event: Message, limit: int) -> Message:
    """The reply, or why it is too long."""
    try:
        wire.encoded(event, limit)
    except EyesError as long:
        return {"event": "error", "error": wire.told(long)}
    return event


def _threadsafe(loop: asyncio.AbstractEventLoop, call: Callable[..., None], *given: Any) -> None:
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(call, *given)


def _busy(sentence: str, name: str, value: int) -> EyesError:
    setting = f"session.{name}"
    return EyesError(
        SESSION_BUSY,
        sentence,
        details={"dispatched": "no", "limit": {"name": name, "value": value, "setting": setting}},
        setting=setting,
    )
