"""The session bus with signals: calls that end in time, and what was told to us meanwhile."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from deepseekeyes.desktop.adapters.linux.atspi_wire import (
    BUS,
    BUS_PATH,
    Call,
    Failed,
    NoBusError,
    Reply,
    session_address,
    value_of,
)

if TYPE_CHECKING:
    from jeepney import Message

OPENING_S = 3.0
MOST_KEPT = 1_024
GRACE_S = 1.0
"""How long past a deadline messages that are already here are still read."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Told:
    """A signal: who sent it, of which object, what."""

    sender: str
    path: str
    interface: str
    member: str
    body: tuple[Any, ...]


@dataclass(slots=True)
class SessionBus:
    """One connection. Signals are kept, the oldest ones dropped beyond a bound, until somebody takes them."""

    link: Any
    name: str = ""
    _signals: deque[Told] = field(default_factory=lambda: deque(maxlen=MOST_KEPT))

    def call(self, call: Call, timeout_s: float) -> Reply:
        """One call; `Failed("timeout")` when no answer came.

        Raises:
            NoBusError: the bus has gone.
        """
        serial = int(next(self.link.outgoing_serial))
        try:
            self.link.sock.sendall(_message(call).serialise(serial=serial))
        except OSError as gone:
            raise NoBusError("the session bus closed the connection") from gone

        found = self._until(lambda message: _answer(message, serial), time.monotonic() + timeout_s)
        return Failed("timeout") if found is None else _reply(found)

    def listen(self, rule: str) -> None:
        """Have signals sent to us; the rule is in the words of D-Bus."""
        self.call(Call(BUS, BUS_PATH, BUS, "AddMatch", "s", (rule,)), OPENING_S)

    def ignore(self, rule: str) -> None:
        """Take a rule back."""
        self.call(Call(BUS, BUS_PATH, BUS, "RemoveMatch", "s", (rule,)), OPENING_S)

    def owner(self, name: str) -> str | None:
        """Who has a name now."""
        told = value_of(self.call(Call(BUS, BUS_PATH, BUS, "GetNameOwner", "s", (name,)), OPENING_S))
        return str(told) if told else None

    def wait(self, wanted: Callable[[Told], T | None], deadline: float) -> T | None:
        """What `wanted` makes of the first signal it takes, of those kept too; None when none came in time.

        Raises:
            NoBusError: the bus has gone.
        """
        for told in tuple(self._signals):
            found = wanted(told)
            if found is not None:
                self._signals.remove(told)
                return found

        def taken(_: Message) -> T | None:
            if not self._signals:
                return None
            newest = self._signals[-1]
            found = wanted(newest)
            if found is not None:
                self._signals.pop()
            return found

        return self._until(taken, deadline)

    def close(self) -> None:
        """Let go; never raises."""
        try:
            self.link.close()
        except OSError:
            return

    def _until(self, wanted: Callable[[Message], T | None], deadline: float) -> T | None:
        """What `wanted` makes of the messages as they come; signals are kept on the way."""
        while True:
            try:
                message = self.link._receive(deadline)  # noqa: SLF001 the public call belongs to a class that waits for Hello
            except TimeoutError:
                return None
            except OSError as gone:
                raise NoBusError("the session bus closed the connection") from gone
            self._keep(message)
            found = wanted(message)
            if found is not None:
                return found
            if time.monotonic() >= deadline + GRACE_S:
                return None

    def _keep(self, message: Message) -> None:
        from jeepney import HeaderFields, MessageType

        if message.header.message_type is not MessageType.signal:
            return
        fields = message.header.fields
        self._signals.append(
            Told(
                str(fields.get(HeaderFields.sender, "")),
                str(fields.get(HeaderFields.path, "")),
                str(fields.get(HeaderFields.interface, "")),
                str(fields.get(HeaderFields.member, "")),
                tuple(message.body),
            )
        )


def open_bus(variables: Mapping[str, str]) -> SessionBus:
    """Connect to the session bus.

    Raises:
        NoBusError: there is none, or jeepney is missing.
    """
    try:
        from jeepney.bus import get_connectable_addresses
        from jeepney.io.blocking import DBusConnectionBase, prep_socket
    except ImportError as missing:
        raise NoBusError("the package jeepney is not installed: pip install 'deepseekeyes[desktop]'") from missing
    address = session_address(variables)
    if not address:
        raise NoBusError("there is no session bus")
    try:
        link = DBusConnectionBase(prep_socket(next(iter(get_connectable_addresses(address))), timeout=OPENING_S))
    except (OSError, RuntimeError, ValueError, StopIteration) as refused:
        raise NoBusError(f"the session bus does not let us in ({type(refused).__name__})") from refused
    link.sock.settimeout(OPENING_S)
    bus = SessionBus(link)
    hello = bus.call(Call(BUS, BUS_PATH, BUS, "Hello"), OPENING_S)
    if isinstance(hello, Failed):
        bus.close()
        raise NoBusError("the session bus does not answer")
    bus.name = str(hello[0])
    return bus


def _answer(message: Message, serial: int) -> Message | None:
    from jeepney import HeaderFields

    return message if message.header.fields.get(HeaderFields.reply_serial) == serial else None


def _reply(message: Message) -> Reply:
    from jeepney import HeaderFields, MessageType

    if message.header.message_type is MessageType.error:
        return Failed(str(message.header.fields.get(HeaderFields.error_name, "error")))
    return tuple(message.body)


def _message(call: Call) -> Message:
    from jeepney import DBusAddress, new_method_call

    address = DBusAddress(call.path, bus_name=call.bus, interface=call.interface)
    return new_method_call(address, call.member, call.signature or None, call.body)
