"""Many D-Bus calls at once under one deadline, so that a program that does not answer cannot hold up the rest."""

from __future__ import annotations

import struct
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jeepney import Message

ACCESSIBLE = "org.a11y.atspi.Accessible"
COMPONENT = "org.a11y.atspi.Component"
ACTION = "org.a11y.atspi.Action"
TEXT = "org.a11y.atspi.Text"
EDITABLE_TEXT = "org.a11y.atspi.EditableText"
VALUE = "org.a11y.atspi.Value"
APPLICATION = "org.a11y.atspi.Application"
PROPERTIES = "org.freedesktop.DBus.Properties"
REGISTRY = "org.a11y.atspi.Registry"
ROOT_PATH = "/org/a11y/atspi/accessible/root"
NULL_PATH = "/org/a11y/atspi/null"
BUS = "org.freedesktop.DBus"
BUS_PATH = "/org/freedesktop/DBus"

IN_FLIGHT = 384
SILENCE_S = 0.5
OPENING_S = 3.0
PATH_FIELD = struct.Struct("<BB1sBI")
"""Head of the header field of a path: its code, a signature of one letter, the length."""


class NoBusError(Exception):
    """The accessibility bus cannot be reached; the message says why."""


@dataclass(frozen=True, slots=True)
class Call:
    """One method call."""

    bus: str
    path: str
    interface: str
    member: str
    signature: str = ""
    body: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Failed:
    """A call that failed.

    Attributes:
        error: the D-Bus error name; `timeout` when nothing came.
    """

    error: str

    @property
    def silent(self) -> bool:
        """Whether the program did not answer at all."""
        return self.error == "timeout"

    @property
    def gone(self) -> bool:
        """Whether the object, or its program, is no more."""
        return self.error.rpartition(".")[2] in {"ServiceUnknown", "NameHasNoOwner", "UnknownObject", "NoReply"}


Reply = tuple[Any, ...] | Failed


def prop(bus: str, path: str, interface: str, name: str) -> Call:
    """Reading one property."""
    return Call(bus, path, PROPERTIES, "Get", "ss", (interface, name))


def value_of(reply: Reply, default: Any = None) -> Any:
    """The value in the answer to `prop`, or the single value of a method."""
    if isinstance(reply, Failed) or not reply:
        return default
    first = reply[0]
    return first[1] if isinstance(first, tuple) and len(first) == 2 and isinstance(first[0], str) else first


@dataclass(slots=True)
class Wire:
    """A connection to the accessibility bus."""

    _link: Any

    def call(self, call: Call, timeout_s: float) -> Reply:
        """One call."""
        return self.calls([call], time.monotonic() + timeout_s, silence_s=timeout_s)[0]

    def calls(self, calls: Sequence[Call], deadline: float, *, silence_s: float = SILENCE_S) -> list[Reply]:
        """All answers, in the order of the calls.

        A program that says nothing for `silence_s` gets no further calls of this batch; its answers are `timeout`.

        Raises:
            NoBusError: the bus itself is gone.
        """
        answers: list[Reply] = [Failed("timeout")] * len(calls)
        waiting: dict[int, int] = {}
        heard: dict[str, float] = {}
        silent: set[str] = set()
        following = 0
        while following < len(calls) or waiting:
            now = time.monotonic()
            if now >= deadline:
                break
            sending: list[bytes] = []
            while following < len(calls) and len(waiting) < IN_FLIGHT:
                call = calls[following]
                if call.bus not in silent:
                    serial = int(next(self._link.outgoing_serial))
                    sending.append(packed(call, serial))
                    waiting[serial] = following
                    heard.setdefault(call.bus, now)
                following += 1
            self._send(sending)
            self._receive(calls, answers, waiting, heard, min(deadline, now + 0.05))
            self._drop_silent(calls, waiting, heard, silent, silence_s)
        return answers

    def close(self) -> None:
        """Let go of the bus; never raises."""
        try:
            self._link.close()
        except OSError:
            return

    def _send(self, messages: Sequence[bytes]) -> None:
        if not messages:
            return
        try:
            self._link.sock.sendall(b"".join(messages))
        except OSError as gone:
            raise NoBusError("the accessibility bus closed the connection") from gone

    def _receive(
        self,
        calls: Sequence[Call],
        answers: list[Reply],
        waiting: dict[int, int],
        heard: dict[str, float],
        until: float,
    ) -> None:
        """Take in what has come; waits for the first message only."""
        if not waiting:
            return
        try:
            message = self._link._receive(until)  # noqa: SLF001 the public call belongs to a class that waits for Hello
            while message is not None:
                self._take(message, calls, answers, waiting, heard)
                message = self._link.parser.get_next_message()
        except TimeoutError:
            return
        except OSError as gone:
            raise NoBusError("the accessibility bus closed the connection") from gone

    def _take(
        self,
        message: Message,
        calls: Sequence[Call],
        answers: list[Reply],
        waiting: dict[int, int],
        heard: dict[str, float],
    ) -> None:
        from jeepney import HeaderFields, MessageType

        fields = message.header.fields
        index = waiting.pop(int(fields.get(HeaderFields.reply_serial, -1)), None)
        if index is None:
            return
        heard[calls[index].bus] = time.monotonic()
        if message.header.message_type is MessageType.error:
            answers[index] = Failed(str(fields.get(HeaderFields.error_name, "error")))
        else:
            answers[index] = tuple(message.body)

    def _drop_silent(
        self,
        calls: Sequence[Call],
        waiting: dict[int, int],
        heard: dict[str, float],
        silent: set[str],
        silence_s: float,
    ) -> None:
        now = time.monotonic()
        quiet = {calls[index].bus for index in waiting.values() if now - heard.get(calls[index].bus, now) > silence_s}
        if quiet:
            silent |= quiet
            for serial in [serial for serial, index in waiting.items() if calls[index].bus in quiet]:
                del waiting[serial]


def open_wire(variables: Mapping[str, str], told_by_display: str | None) -> Wire:
    """Connect to the accessibility bus.

    Args:
        variables: the environment.
        told_by_display: the address an X display carries in `AT_SPI_BUS`.

    Raises:
        NoBusError: there is none, or jeepney is missing.
    """
    try:
        import jeepney  # noqa: F401
    except ImportError as missing:
        raise NoBusError("the package jeepney is not installed: pip install 'deepseekeyes[desktop]'") from missing
    address = variables.get("AT_SPI_BUS_ADDRESS") or _asked(variables) or told_by_display
    if not address:
        raise NoBusError("there is no session bus, or it has no accessibility bus (package at-spi2-core)")
    return _connected(address)


def _asked(variables: Mapping[str, str]) -> str | None:
    """The address the session bus gives; starts the accessibility bus where nothing has yet."""
    session = session_address(variables)
    if not session:
        return None
    try:
        wire = _connected(session)
    except NoBusError:
        return None
    try:
        told = wire.call(Call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress"), OPENING_S)
    except NoBusError:
        return None
    finally:
        wire.close()
    return str(told[0]) if not isinstance(told, Failed) and told and told[0] else None


def session_address(variables: Mapping[str, str]) -> str | None:
    """Where the session bus listens: as the environment says, or at its usual place."""
    return variables.get("DBUS_SESSION_BUS_ADDRESS") or _runtime_bus(variables)


def _runtime_bus(variables: Mapping[str, str]) -> str | None:
    folder = variables.get("XDG_RUNTIME_DIR")
    if not folder:
        return None
    place = Path(folder) / "bus"
    return f"unix:path={place}" if place.exists() else None


def _connected(address: str) -> Wire:
    from jeepney.bus import get_connectable_addresses
    from jeepney.io.blocking import DBusConnectionBase, prep_socket

    try:
        place = next(iter(get_connectable_addresses(address)))
        link = DBusConnectionBase(prep_socket(place, timeout=OPENING_S))
    except (OSError, RuntimeError, ValueError, StopIteration) as refused:
        raise NoBusError(f"the bus does not let us in ({type(refused).__name__})") from refused
    link.sock.settimeout(OPENING_S)
    wire = Wire(link)
    hello = wire.call(Call(BUS, BUS_PATH, BUS, "Hello"), OPENING_S)
    if isinstance(hello, Failed):
        wire.close()
        raise NoBusError("the bus does not answer")
    return wire


def packed(call: Call, serial: int) -> bytes:
    """A call as bytes.

    A walk asks thousands of objects the same few questions. What jeepney packs of a question is kept, and only path and
    serial are put in; what carries text of a person is packed whole and not kept.
    """
    if call.interface != PROPERTIES and call.signature not in ("", "u"):
        return bytes(_message(call).serialise(serial=serial))
    start, fields, rest = _shape(call.bus, call.interface, call.member, call.signature, call.body)
    path = call.path.encode()
    named = PATH_FIELD.pack(1, 1, b"o", 0, len(path)) + path + b"\0"
    named += bytes(-len(named) % 8)
    return b"".join((start, struct.pack("<II", serial, len(named) + len(fields)), named, fields, rest))


@lru_cache(maxsize=256)
def _shape(bus: str, interface: str, member: str, signature: str, body: tuple[Any, ...]) -> tuple[bytes, bytes, bytes]:
    """A call without serial and path: what comes before them, the other header fields, the padding and body.

    The path is the first field, and fields start at multiples of eight bytes.
    """
    data = bytes(_message(Call(bus, "/", interface, member, signature, body)).serialise(serial=1))
    (length,) = struct.unpack_from("<I", data, 12)
    end = 16 + length
    return data[:8], data[32:end], data[end:]


def _message(call: Call) -> Message:
    from jeepney import DBusAddress, new_method_call

    address = DBusAddress(call.path, bus_name=call.bus, interface=call.interface)
    return new_method_call(address, call.member, call.signature or None, call.body)
