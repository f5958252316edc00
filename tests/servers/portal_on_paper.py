"""A desktop portal on a bus of its own, with a person who does what the test says.

It keeps to what the portals document: a request is named by sender and token and answered by a signal; sessions are
selected for before they are started, take input for granted devices only, and end when the person says so; a token that
restores leave is good for one use.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from jeepney import HeaderFields, Message, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, DBusConnectionBase, prep_socket
from jeepney.low_level import MessageFlag
from jeepney.wrappers import DBusAddress

NAME, PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
Results = dict[str, tuple[str, Any]]


@dataclass
class Session:
    """One session of the RemoteDesktop portal."""

    owner: str
    types: int | None = None
    persist: int = 0
    sources: bool = False
    started: bool = False


@dataclass
class Person:
    """What the person at the desktop does.

    Attributes:
        answer: 0 allows, 1 refuses, 2 ends it; None never answers.
        devices: which devices she leaves switched on.
        early: the answer comes before the call returns.
        ends_after: she ends the session after so many events.
        uri: the picture.
    """

    answer: int | None = 0
    devices: int = 3
    early: bool = False
    ends_after: int | None = None
    uri: str = ""


@dataclass
class PaperPortal:
    """Answers in a thread of its own until it is closed."""

    address: str
    versions: dict[str, int] = field(default_factory=lambda: {"Screenshot": 2, "RemoteDesktop": 2, "ScreenCast": 4})
    person: Person = field(default_factory=Person)
    sessions: dict[str, Session] = field(default_factory=dict)
    ended: list[str] = field(default_factory=list)
    events: list[tuple[Any, ...]] = field(default_factory=list)
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    stream: dict[str, tuple[str, Any]] = field(
        default_factory=lambda: {"position": ("(ii)", (100, 0)), "size": ("(ii)", (800, 600))}
    )
    _link: Any = None
    _thread: Any = None

    def open(self) -> PaperPortal:
        self._link = DBusConnection(prep_socket(self.address.removeprefix("unix:path=").partition(",")[0]))
        self._link.send_and_get_reply(message_bus.RequestName(NAME), timeout=10)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def close(self) -> None:
        self._link.sock.shutdown(2)
        self._thread.join(10)
        self._link.close()

    def _serve(self) -> None:
        while True:
            try:
                message = DBusConnectionBase._receive(self._link, None)
            except (OSError, ValueError):
                return
            if message.header.message_type is MessageType.method_call:
                self._answer(message)

    def _answer(self, message: Message) -> None:
        fields = message.header.fields
        interface = str(fields.get(HeaderFields.interface, "")).rpartition(".")[2]
        member = str(fields[HeaderFields.member])
        try:
            deed: Callable[[Message], None] = getattr(self, f"_{interface}_{member}".lower(), None) or self._event
            deed(message)
        except PermissionError as refused:
            self._link.send(new_error(message, f"org.freedesktop.DBus.Error.{refused}", "s", ("no",)))

    def _properties_get(self, message: Message) -> None:
        name = str(message.body[0]).rpartition(".")[2]
        if name not in self.versions:
            raise PermissionError("InvalidArgs")
        self._link.send(new_method_return(message, "v", (("u", self.versions[name]),)))

    def _request(self, message: Message, results: Callable[[], Results], *, person: bool = False) -> None:
        """Return the handle; answer by signal, to the asker alone."""
        options = {name: value[1] for name, value in message.body[-1].items()}
        self.asked.append((str(message.header.fields[HeaderFields.member]), options))
        sender = str(message.header.fields[HeaderFields.sender])
        handle = self._path("request", sender, options["handle_token"])
        answer = self.person.answer if person else 0
        steps: list[Callable[[], None]] = [lambda: self._link.send(new_method_return(message, "o", (handle,)))]
        if answer is not None:
            body = (answer, results() if answer == 0 else {})
            steps.append(lambda: self._signal(handle, "Request", "Response", "ua{sv}", body, sender))
        for step in reversed(steps) if self.person.early else steps:
            step()

    def _signal(self, path: str, interface: str, member: str, signature: str, body: tuple[Any, ...], to: str) -> None:
        emitter = DBusAddress(path, interface=f"org.freedesktop.portal.{interface}")
        signal = new_signal(emitter, member, signature, body)
        signal.header.fields[HeaderFields.destination] = to
        self._link.send(signal)

    @staticmethod
    def _path(kind: str, sender: str, token: str) -> str:
        return f"{PATH}/{kind}/{sender[1:].replace('.', '_')}/{token}"

    def _screenshot_screenshot(self, message: Message) -> None:
        self._request(message, lambda: {"uri": ("s", self.person.uri)}, person=True)

    def _remotedesktop_createsession(self, message: Message) -> None:
        sender = str(message.header.fields[HeaderFields.sender])
        path = self._path("session", sender, message.body[0]["session_handle_token"][1])
        self.sessions[path] = Session(sender)
        self._request(message, lambda: {"session_handle": ("s", path)})

    def _session(self, message: Message) -> Session:
        found = self.sessions.get(str(message.body[0]))
        if found is None or found.owner != message.header.fields[HeaderFields.sender]:
            raise PermissionError("AccessDenied")
        return found

    def _remotedesktop_selectdevices(self, message: Message) -> None:
        session, options = self._session(message), message.body[1]
        if session.types is not None or session.started:
            raise PermissionError("Failed")
        session.types, session.persist = options["types"][1], options.get("persist_mode", ("u", 0))[1]
        token = options.get("restore_token", ("s", ""))[1]
        if token in self.tokens:
            self.tokens.remove(token)
            self.person.answer = 0
        self._request(message, dict)

    def _screencast_selectsources(self, message: Message) -> None:
        session = self._session(message)
        if session.started or "persist_mode" in message.body[1]:
            raise PermissionError("InvalidArgument")
        session.sources = True
        self._request(message, dict)

    def _remotedesktop_start(self, message: Message) -> None:
        session = self._session(message)
        if session.started or session.types is None:
            raise PermissionError("Failed")

        def results() -> Results:
            session.started = True
            session.types = (session.types or 0) & self.person.devices
            found: Results = {"devices": ("u", session.types)}
            if session.persist:
                token = f"token-{len(self.asked)}"
                self.tokens.add(token)
                found["restore_token"] = ("s", token)
            if session.sources:
                found["streams"] = ("a(ua{sv})", [(77, self.stream)])
            return found

        self._request(message, results, person=True)

    def _session_close(self, message: Message) -> None:
        path = str(message.header.fields[HeaderFields.path])
        self.ended.append(path)
        self.sessions.pop(path, None)
        self._done(message)

    def _request_close(self, message: Message) -> None:
        self.withdrawn.append(str(message.header.fields[HeaderFields.path]))
        self._done(message)

    def _event(self, message: Message) -> None:
        """One of the Notify calls."""
        member = str(message.header.fields[HeaderFields.member])
        session = self._session(message)
        needed = 1 if "Keyboard" in member else 2
        if not session.started or not (session.types or 0) & needed:
            raise PermissionError("AccessDenied")
        if member == "NotifyPointerMotionAbsolute" and message.body[2] != 77:
            raise PermissionError("InvalidArgument")
        self.events.append((member.removeprefix("Notify"), *message.body[2:]))
        if self.person.ends_after == len(self.events):
            path = str(message.body[0])
            self.sessions.pop(path)
            self._signal(path, "Session", "Closed", "", (), session.owner)
        self._done(message)

    def _done(self, message: Message) -> None:
        if not message.header.flags & MessageFlag.no_reply_expected:
            self._link.send(new_method_return(message))
