"""Keys and pointer through the RemoteDesktop portal: nothing without a person's leave, and nothing after it ends."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from deepseekeyes.core.atomic import write_private
from deepseekeyes.core.errors import Dispatched, EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.atspi_wire import Call, Failed, NoBusError
from deepseekeyes.desktop.adapters.wayland.portal import (
    PORTAL,
    PORTAL_PATH,
    REMOTE_DESKTOP,
    SCREEN_CAST,
    SESSION,
    Portal,
)
from deepseekeyes.desktop.adapters.wayland.session_bus import Told
from deepseekeyes.desktop.codes import (
    DESKTOP_POINT_UNKNOWN,
    DESKTOP_PORTAL_CLOSED,
    DESKTOP_PORTAL_DENIED,
    DESKTOP_PORTAL_FAILED,
    DESKTOP_TIMEOUT,
)

Need = Literal["keyboard", "pointer"]
KEYBOARD, POINTER = 1, 2
MONITOR = 1
UNTIL_REVOKED = 2
PERSISTENT_SINCE = 2
"""Version of the portal since which leave can be remembered."""
WHAT = "Control of keyboard and pointer"
LONGEST_TOKEN = 4_096


@dataclass(frozen=True, slots=True)
class Stream:
    """A monitor that the person shared: absolute places are told in its own space."""

    number: int
    bounds: Box


@dataclass(slots=True)
class RemoteDesktop:
    """The session of one backend; asked for when the first input is sent.

    Attributes:
        note: where the token that spares the person the next question is kept, private; None keeps none.
    """

    portal: Portal
    note: Path | None = None
    _session: str | None = None
    _devices: int = 0
    _streams: tuple[Stream, ...] = ()
    _sent: int = 0
    _closed: bool = field(default=False, repr=False)

    def begin(self, need: Need) -> None:
        """Have a session that may send this kind of input; what follows counts as one deed.

        Raises:
            EyesError: as `Portal.request`; DESKTOP_PORTAL_DENIED when the person left this device out.
        """
        self._sent = 0
        if self._session is not None and self._devices & _bit(need) and (need != "pointer" or self._streams):
            self._require_open()
            return
        self.close()
        version = self.portal.require("RemoteDesktop")
        if need == "pointer":
            self.portal.require("ScreenCast")
        self._open(need, version)

    def key(self, keysym: int, *, down: bool) -> None:
        """Press or release the key of a keysym."""
        self._notify("NotifyKeyboardKeysym", "iu", (keysym, int(down)))

    def button(self, code: int, *, down: bool) -> None:
        """Press or release a button, by its number in the kernel's list."""
        self._notify("NotifyPointerButton", "iu", (code, int(down)))

    def wheel(self, axis: int, steps: int) -> None:
        """Turn the wheel by notches: axis 0 is down, 1 is right."""
        self._notify("NotifyPointerAxisDiscrete", "ui", (axis, steps))

    def move(self, x: float, y: float) -> None:
        """Put the pointer at a place of the layout.

        Raises:
            EyesError: DESKTOP_POINT_UNKNOWN when no shared monitor shows that place.
        """
        stream = self._stream(x, y)
        body = (stream.number, x - stream.bounds.x, y - stream.bounds.y)
        self._notify("NotifyPointerMotionAbsolute", "udd", body)

    def require_place(self, x: float, y: float) -> None:
        """Refuse a place that no shared monitor shows, before anything is sent."""
        self._stream(x, y)

    @property
    def dispatched(self) -> Dispatched:
        """Whether anything of the present deed was sent."""
        return "yes" if self._sent else "no"

    def close(self) -> None:
        """End the session, which releases whatever it still holds down; never raises."""
        session, self._session = self._session, None
        self._devices, self._streams = 0, ()
        if session is None:
            return
        try:
            self.portal.call(Call(PORTAL, session, SESSION, "Close"))
        except EyesError:
            return

    def _open(self, need: Need, version: int) -> None:
        token = f"deepseekeyes_{secrets.token_hex(8)}"
        session = self.portal.path("session", token)
        self.portal.bus().listen(f"type='signal',sender='{PORTAL}',interface='{SESSION}',member='Closed'")
        given = {"session_handle_token": ("s", token)}
        told = self.portal.request(REMOTE_DESKTOP, "CreateSession", "a{sv}", (), given, what=WHAT)
        session = str(told.get("session_handle") or session)
        self._session = session
        try:
            self._select(session, need, version)
            found = self.portal.request(REMOTE_DESKTOP, "Start", "osa{sv}", (session, ""), {}, what=WHAT)
            self._remember(need, found.get("restore_token"))
            self._devices = int(found.get("devices", 0))
            self._streams = _streams(found.get("streams", ()))
            if not self._devices & _bit(need):
                raise _denied(f"The {need} was left out when control was granted.")
            self._require_open()
        except EyesError as trouble:
            if trouble.code is DESKTOP_PORTAL_DENIED:
                self._remember(need, None)
            self.close()
            raise

    def _select(self, session: str, need: Need, version: int) -> None:
        """Say what is wanted: as little as will do."""
        options: dict[str, tuple[str, Any]] = {"types": ("u", _bit(need))}
        if version >= PERSISTENT_SINCE:
            options["persist_mode"] = ("u", UNTIL_REVOKED)
            if (kept := self._tokens().get(need)) is not None:
                options["restore_token"] = ("s", kept)
        self.portal.request(REMOTE_DESKTOP, "SelectDevices", "oa{sv}", (session,), options, what=WHAT)
        if need == "pointer":
            sources: dict[str, tuple[str, Any]] = {"types": ("u", MONITOR), "multiple": ("b", True)}
            self.portal.request(SCREEN_CAST, "SelectSources", "oa{sv}", (session,), sources, what=WHAT)

    def _notify(self, member: str, signature: str, body: tuple[Any, ...]) -> None:
        """Send one event.

        Raises:
            EyesError: DESKTOP_PORTAL_CLOSED, DESKTOP_PORTAL_DENIED, DESKTOP_PORTAL_FAILED, DESKTOP_TIMEOUT.
        """
        self._require_open()
        assert self._session is not None
        whole = (self._session, {}, *body)
        told = self.portal.call(Call(PORTAL, PORTAL_PATH, REMOTE_DESKTOP, member, f"oa{{sv}}{signature}", whole))
        if not isinstance(told, Failed):
            self._sent += 1
            return
        if told.silent:
            raise EyesError(DESKTOP_TIMEOUT, "The portal did not answer.", details={"dispatched": "unknown"})
        self._require_open()
        word = told.error.rpartition(".")[2]
        code = DESKTOP_PORTAL_DENIED if word in {"AccessDenied", "NotAllowed"} else DESKTOP_PORTAL_FAILED
        raise EyesError(
            code, f"The desktop did not take the input ({word[:60]}).", details={"dispatched": self.dispatched}
        )

    def _require_open(self) -> None:
        """Refuse when the person, or the desktop, has ended the session.

        Raises:
            EyesError: DESKTOP_PORTAL_CLOSED.
        """
        session, owner = self._session, self.portal.owner()

        def ended(told: Told) -> bool | None:
            ours = told.path == session and told.interface == SESSION and told.member == "Closed"
            return True if ours and told.sender == owner else None

        try:
            closed = session is None or self.portal.bus().wait(ended, time.monotonic()) is not None
        except NoBusError:
            closed = True
        if closed:
            self._session, self._devices, self._streams = None, 0, ()
            raise EyesError(
                DESKTOP_PORTAL_CLOSED,
                "Control of keyboard and pointer was ended.",
                details={"dispatched": self.dispatched},
            )

    def _stream(self, x: float, y: float) -> Stream:
        for one in self._streams:
            if one.bounds.x <= x < one.bounds.right and one.bounds.y <= y < one.bounds.bottom:
                return one
        raise EyesError(
            DESKTOP_POINT_UNKNOWN,
            f"No monitor that was shared with us shows ({x:g}, {y:g}).",
            details={"dispatched": self.dispatched},
        )

    def _tokens(self) -> dict[str, str]:
        if self.note is None:
            return {}
        try:
            held = json.loads(self.note.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        items = held.items() if isinstance(held, dict) else ()
        return {str(name): token for name, token in items if isinstance(token, str) and len(token) <= LONGEST_TOKEN}

    def _remember(self, need: Need, token: object) -> None:
        """Keep the newest token, which is good for one use; forget the old one in any case."""
        if self.note is None:
            return
        held = self._tokens()
        was = dict(held)
        held.pop(need, None)
        if isinstance(token, str) and 0 < len(token) <= LONGEST_TOKEN:
            held[need] = token
        if held != was:
            write_private(self.note, json.dumps(held).encode())


def _bit(need: Need) -> int:
    return KEYBOARD if need == "keyboard" else POINTER


def _denied(message: str) -> EyesError:
    return EyesError(DESKTOP_PORTAL_DENIED, message, details={"dispatched": "no"})


def _streams(told: Any) -> tuple[Stream, ...]:
    """The monitors whose place is told; without place and size no point could be found in them."""
    found: list[Stream] = []
    for number, facts in told:
        known: Mapping[str, Any] = {str(name): value[1] for name, value in facts.items()}
        place, size = known.get("position"), known.get("size")
        if place is not None and size is not None and size[0] > 0 and size[1] > 0:
            found.append(Stream(int(number), Box(place[0], place[1], size[0], size[1])))
    return tuple(found)
