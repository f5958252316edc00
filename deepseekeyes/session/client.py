"""A command's side of a live session: one line to the host, its events, one reply. Standard library only."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from deepseekeyes import __version__
from deepseekeyes.core.errors import Details, EyesError
from deepseekeyes.session import wire
from deepseekeyes.session.codes import (
    SESSION_DIED,
    SESSION_ENDING,
    SESSION_LOST,
    SESSION_NOT_FOUND,
    SESSION_UNRESPONSIVE,
    SESSION_VERSION,
)
from deepseekeyes.session.descriptor import PROTOCOL, Descriptor, Place, doing, read, sweep

if TYPE_CHECKING:
    import socket

CONNECT_S = 5.0
SILENCE_S = 30.0
FINAL_SILENCE_S = 10.0
"""For a command that ends the session: what does not answer it is ended by signals."""
"""A host sends a sign of life every two seconds, whatever its operation does."""

FAREWELL_S = 5.0
POLL_S = 0.02

Life = Literal["starts", "lives", "ends"]


class Port(Protocol):
    """What a host may ask of the caller while it works; the command line's door has all of it."""

    def stdin(self, limit: int, setting: str) -> bytes: ...

    def progress(self, done: int, total: int | None, label: str) -> None: ...

    def text(self, delta: str) -> None: ...

    def note(self, sentence: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Request:
    """One operation for a session.

    Attributes:
        life: `starts` may start the host, `ends` ends it.
        wants_text: whether pieces of text are shown while they arrive.
    """

    place: Place
    operation: str
    payload: dict[str, Any] = field(repr=False)
    life: Life = "lives"
    wants_text: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: a document with its outcome, or None where only the document's failure decides.

    Attributes:
        failure: kind of the error a document carries.
    """

    document: dict[str, Any]
    outcome: str | None = None
    failure: str | None = None


def call(request: Request, port: Port, start: Callable[[], None] | None = None) -> Reply:
    """Run one operation in a live session.

    Args:
        start: starts the host and returns when it takes connections; used by operations that may start one.

    Raises:
        EyesError: SESSION_NOT_FOUND, SESSION_DIED, SESSION_VERSION, SESSION_BUSY, SESSION_UNRESPONSIVE, SESSION_LOST,
            or whatever the operation raised in the host.
    """
    place = request.place
    descriptor = _living(place, request.life, start)
    same_version(descriptor, place)
    try:
        connection = wire.connect(descriptor.address, CONNECT_S)
    except OSError:
        _wait_for_end(place, FAREWELL_S)
        if not place.alive:
            descriptor = _living(place, request.life, start)
            connection = wire.connect(descriptor.address, CONNECT_S)
        else:
            raise _unresponsive(place, descriptor) from None
    with closing(connection):
        connection.settimeout(FINAL_SILENCE_S if request.life == "ends" else SILENCE_S)
        return _conversation(connection, descriptor, request, port)


def same_version(descriptor: Descriptor, place: Place) -> None:
    """Refuse a host that another version of the program started.

    Raises:
        EyesError: SESSION_VERSION.
    """
    if descriptor.version != __version__ or descriptor.protocol != PROTOCOL:
        raise EyesError(
            SESSION_VERSION,
            f"Session {place.name} was started by version {descriptor.version}; this is {__version__}.",
            command=f"deepseekeyes {place.kind} close --session {place.name}",
        )


def _living(place: Place, life: Life, start: Callable[[], None] | None) -> Descriptor:
    """The descriptor of a host that lives; started when there is none and the operation may."""
    found = _settled(place, FAREWELL_S)
    if found is not None and place.alive:
        return found
    if life == "starts" and start is not None:
        if found is not None:
            bury(place, found)
        start()
        found = _settled(place, FAREWELL_S)
        if found is not None:
            return found
        raise died(place, None)
    if found is not None:
        raise bury(place, found)
    if place.alive:
        raise EyesError(SESSION_ENDING, f"Session {place.name} is starting or ending.", details={"dispatched": "no"})
    raise EyesError(
        SESSION_NOT_FOUND,
        f"There is no {place.kind} session named {place.name}.",
        details={"dispatched": "no"},
        command=_opening(place),
    )


def _settled(place: Place, seconds: float) -> Descriptor | None:
    """The descriptor, after a host that is just starting or ending has come to its end of that."""
    import time

    deadline = time.monotonic() + seconds
    while (found := read(place)) is None and place.alive and time.monotonic() < deadline:
        time.sleep(POLL_S)
    return found


def bury(place: Place, descriptor: Descriptor) -> EyesError:
    """Clean up after a host that was killed, its children included.

    Returns:
        The failure that explains it.
    """
    from deepseekeyes.session.orphans import end

    explained = died(place, descriptor)
    end(descriptor.mark)
    sweep(place, descriptor)
    return explained


def died(place: Place, descriptor: Descriptor | None) -> EyesError:
    """A host that is gone without having said goodbye, and what it was at."""
    was = doing(place)
    pid = f" (process {descriptor.pid})" if descriptor is not None else ""
    during = f" during {was.get('operation')}" if was is not None else ""
    details: Details = {"dispatched": "unknown" if was is not None else "no"}
    return EyesError(
        SESSION_DIED,
        f"The host of session {place.name}{pid} ended unexpectedly{during}; its page is gone.",
        details=details,
        command=_opening(place),
    )


def _opening(place: Place) -> str:
    name = "" if place.name == "default" else f" --session {place.name}"
    return f"deepseekeyes {place.kind} open URL{name}"


def _unresponsive(place: Place, descriptor: Descriptor) -> EyesError:
    return EyesError(
        SESSION_UNRESPONSIVE,
        f"The host of session {place.name} (process {descriptor.pid}) does not answer.",
        details={"dispatched": "unknown"},
        command=f"deepseekeyes {place.kind} close --session {place.name}",
    )


def _wait_for_end(place: Place, seconds: float) -> None:
    import time

    deadline = time.monotonic() + seconds
    while place.alive and time.monotonic() < deadline:
        time.sleep(POLL_S)


def _conversation(connection: socket.socket, descriptor: Descriptor, request: Request, port: Port) -> Reply:
    message = {
        "protocol": PROTOCOL,
        "token": descriptor.token,
        "operation": request.operation,
        "payload": request.payload,
        "cwd": _cwd(),
        "wantsText": request.wants_text,
    }
    connection.sendall(wire.encoded(message, descriptor.max_line_bytes))
    started = False
    try:
        for event in _events(connection, descriptor.max_line_bytes):
            kind = event.get("event")
            started = started or kind == "started"
            if kind == "result":
                return Reply(event["document"], event.get("outcome"), event.get("failure"))
            if kind == "error":
                raise _raised(event)
            _serve(event, connection, port)
    except TimeoutError:
        raise _unresponsive(request.place, descriptor) from None
    except OSError:
        pass
    raise _lost(request.place, descriptor, started=started)


def _cwd() -> str:
    try:
        return str(Path.cwd())
    except OSError:
        return ""


def _events(connection: socket.socket, limit: int) -> Iterator[dict[str, Any]]:
    for line in wire.lines(connection, limit):
        yield wire.decoded(line)


def _lost(place: Place, descriptor: Descriptor, *, started: bool) -> EyesError:
    """The host went away in the middle: killed, or ended on purpose."""
    _wait_for_end(place, FAREWELL_S)
    if not started:
        if not place.alive and read(place) is not None:
            return bury(place, descriptor)
        return EyesError(SESSION_ENDING, f"Session {place.name} is ending.", details={"dispatched": "no"})
    explained = died(place, descriptor)
    if not place.alive:
        bury(place, descriptor)
    return EyesError(SESSION_LOST, explained.message, details={"dispatched": "unknown"}, kind=place.kind)


def _raised(event: dict[str, Any]) -> EyesError:
    """The failure an operation raised in the host, as it was."""
    failed = wire.raised(event["error"])
    if isinstance(event.get("document"), dict):
        failed.document = event["document"]  # type: ignore[attr-defined]
    return failed


def _serve(event: dict[str, Any], connection: socket.socket, port: Port) -> None:
    """Do what a host asks of its caller."""
    kind = event.get("event")
    if kind == "progress":
        port.progress(event["done"], event["total"], event["label"])
    elif kind == "note":
        port.note(event["sentence"])
    elif kind == "text":
        port.text(event["delta"])
    elif kind in ("stdin", "environment"):
        answer = _answered(event, port)
        with suppress(OSError):
            connection.sendall(wire.encoded(answer, max(len(answer.get("data") or "") + 65_536, 65_536)))


def _answered(event: dict[str, Any], port: Port) -> dict[str, Any]:
    import base64

    if event["event"] == "environment":
        return {"answer": event["id"], "value": os.environ.get(str(event["name"]))}
    try:
        data = port.stdin(int(event["limit"]), str(event["setting"]))
    except EyesError as refused:
        return {"answer": event["id"], "error": wire.told(refused)}
    return {"answer": event["id"], "data": base64.b64encode(data).decode()}
