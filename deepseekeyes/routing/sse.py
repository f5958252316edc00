"""Server-sent events and JSON lines out of a byte stream, with bounds. Pure: bytes in, events out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

MAX_EVENT_BYTES: Final = 4_194_304


class EventTooLargeError(ValueError):
    """One line or event is larger than the parser takes."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event; `name` is empty when the stream gave none."""

    name: str
    data: str


@dataclass(slots=True)
class Lines:
    """Cuts bytes into lines at CR, LF or CRLF. Time is linear in the input, whatever the chunks."""

    limit: int = MAX_EVENT_BYTES
    _parts: list[bytes] = field(default_factory=list)
    _held: int = 0
    _after_cr: bool = False

    def feed(self, chunk: bytes) -> list[bytes]:
        """Lines that this chunk completes."""
        if self._after_cr and chunk:
            chunk, self._after_cr = chunk.removeprefix(b"\n"), False
        if chunk:
            self._after_cr = chunk[-1:] == b"\r"
        pieces = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        done: list[bytes] = []
        for piece in pieces[:-1]:
            self._hold(piece)
            done.append(self._take())
        self._hold(pieces[-1])
        return done

    def rest(self) -> bytes:
        """What came after the last line end."""
        return self._take()

    def _hold(self, piece: bytes) -> None:
        self._held += len(piece)
        if self._held > self.limit:
            raise EventTooLargeError(f"a line is larger than {self.limit} bytes")
        if piece:
            self._parts.append(piece)

    def _take(self) -> bytes:
        line = b"".join(self._parts)
        self._parts.clear()
        self._held = 0
        return line


@dataclass(slots=True)
class EventParser:
    """The event stream format of the HTML standard: `event` and `data` fields, comments ignored."""

    limit: int = MAX_EVENT_BYTES
    _lines: Lines = field(init=False)
    _name: str = ""
    _data: list[str] = field(default_factory=list)
    _size: int = 0
    _first: bool = True

    def __post_init__(self) -> None:
        self._lines = Lines(self.limit)

    def feed(self, chunk: bytes) -> list[Event]:
        """Events that this chunk completes."""
        found = []
        for line in self._lines.feed(chunk):
            event = self._line(line)
            if event is not None:
                found.append(event)
        return found

    def close(self) -> list[Event]:
        """Events that end with the stream. The standard drops an event without its blank line; servers forget it."""
        found = [self._line(self._lines.rest()), self._dispatch()]
        return [event for event in found if event is not None]

    def _line(self, raw: bytes) -> Event | None:
        if self._first:
            raw, self._first = raw.removeprefix(b"\xef\xbb\xbf"), False
        if not raw:
            return self._dispatch()
        name, _, value = raw.decode("utf-8", "replace").partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._size += len(raw)
            if self._size > self.limit:
                raise EventTooLargeError(f"an event is larger than {self.limit} bytes")
            self._data.append(value)
        elif name == "event":
            self._name = value
        return None

    def _dispatch(self) -> Event | None:
        if not self._data:
            self._name = ""
            return None
        event = Event(self._name, "\n".join(self._data))
        self._name, self._size = "", 0
        self._data.clear()
        return event
