"""Requests to the desktop's portals: each is answered later, by a signal, perhaps after a person was asked."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.adapters.linux.atspi_wire import (
    BUS,
    BUS_PATH,
    Call,
    Failed,
    NoBusError,
    Reply,
    prop,
    value_of,
)
from deepseekeyes.desktop.adapters.wayland.session_bus import SessionBus, Told, open_bus
from deepseekeyes.desktop.codes import (
    DESKTOP_PORTAL_DENIED,
    DESKTOP_PORTAL_FAILED,
    DESKTOP_PORTAL_MISSING,
    DESKTOP_TIMEOUT,
)

PORTAL = "org.freedesktop.portal.Desktop"
PORTAL_PATH = "/org/freedesktop/portal/desktop"
REQUEST = "org.freedesktop.portal.Request"
SESSION = "org.freedesktop.portal.Session"
SCREENSHOT = "org.freedesktop.portal.Screenshot"
REMOTE_DESKTOP = "org.freedesktop.portal.RemoteDesktop"
SCREEN_CAST = "org.freedesktop.portal.ScreenCast"
INTERFACES = {"Screenshot": SCREENSHOT, "RemoteDesktop": REMOTE_DESKTOP, "ScreenCast": SCREEN_CAST}

STARTING_S = 5.0
"""The bus starts the portals when they are first asked for something."""
CALL_S = 3.0
GRANTED, REFUSED = 0, 1
UNKNOWN = frozenset({"UnknownMethod", "UnknownInterface", "UnknownObject", "ServiceUnknown", "NameHasNoOwner"})
DENIED = frozenset({"AccessDenied", "NotAllowed", "Denied"})


@dataclass(slots=True)
class Portal:
    """The portals of one session bus; connects when first needed.

    Attributes:
        wait_s: how long a person is given to answer.
    """

    variables: Mapping[str, str]
    wait_s: float
    _bus: SessionBus | None = None
    _versions: dict[str, int] | None = None
    _missing: str = ""
    _owner: str = field(default="", repr=False)

    def bus(self) -> SessionBus:
        """The connection.

        Raises:
            EyesError: DESKTOP_PORTAL_MISSING.
        """
        if self._bus is None:
            try:
                self._bus = open_bus(self.variables)
            except NoBusError as none:
                raise EyesError(
                    DESKTOP_PORTAL_MISSING, f"There are no portals: {none}.", details={"dispatched": "no"}
                ) from none
        return self._bus

    def versions(self) -> Mapping[str, int]:
        """The portals that are there, by their short names, with their versions."""
        if self._versions is None:
            self._versions = {}
            for name, interface in INTERFACES.items():
                told = self.number(interface, "version", STARTING_S)
                if told is None and self._missing:
                    break
                if told is not None:
                    self._versions[name] = told
        return self._versions

    def missing(self) -> str:
        """Why there are no portals at all; empty when there are, or when nothing is known."""
        return self._missing

    def number(self, interface: str, name: str, timeout_s: float = CALL_S) -> int | None:
        """A property that is a number; None when it cannot be read."""
        try:
            told = self._call(prop(PORTAL, PORTAL_PATH, interface, name), timeout_s)
        except EyesError as trouble:
            self._missing = trouble.message
            return None
        if isinstance(told, Failed) and (told.silent or told.error.rpartition(".")[2] in {"ServiceUnknown", "Spawn"}):
            self._missing = "The desktop's portals do not answer." if told.silent else "No desktop portal is installed."
        found = value_of(told)
        return found if isinstance(found, int) and not isinstance(found, bool) else None

    def require(self, name: str) -> int:
        """The version of a portal that has to be there.

        Raises:
            EyesError: DESKTOP_PORTAL_MISSING.
        """
        found = self.versions().get(name)
        if found is None:
            raise EyesError(
                DESKTOP_PORTAL_MISSING,
                self._missing or f"This desktop offers no {name} portal.",
                details={"dispatched": "no"},
            )
        return found

    def owner(self) -> str:
        """The process that is the portals; nobody else's signals count."""
        if not self._owner:
            self._owner = self._bus_asked(lambda bus: bus.owner(PORTAL)) or ""
        return self._owner

    def request(
        self,
        interface: str,
        member: str,
        signature: str,
        given: tuple[Any, ...],
        options: Mapping[str, tuple[str, Any]],
        *,
        what: str,
    ) -> dict[str, Any]:
        """Ask for something and wait for the answer; options come last in every such call.

        Args:
            what: the deed in a sentence, as in "a picture of the screen was ...".

        Raises:
            EyesError: DESKTOP_PORTAL_DENIED by a person or the desktop, DESKTOP_TIMEOUT when nobody answered,
                DESKTOP_PORTAL_MISSING, DESKTOP_PORTAL_FAILED; nothing was dispatched.
        """
        token = f"deepseekeyes_{secrets.token_hex(8)}"
        owner = self._present()
        foreseen = self.path("request", token)
        rule = f"type='signal',sender='{PORTAL}',interface='{REQUEST}',path_namespace='{_folder(foreseen)}'"
        gone = f"type='signal',sender='{BUS}',interface='{BUS}',member='NameOwnerChanged',arg0='{PORTAL}'"
        deadline = time.monotonic() + self.wait_s
        self._bus_asked(lambda bus: (bus.listen(rule), bus.listen(gone)))
        try:
            body = (*given, {**options, "handle_token": ("s", token)})
            told = self._call(Call(PORTAL, PORTAL_PATH, interface, member, signature, body), self.wait_s)
            if isinstance(told, Failed):
                raise self._refusal(told, what)
            handles = {foreseen, str(value_of(told))}
            answer = self._bus_asked(lambda bus: bus.wait(lambda one: _response(one, owner, handles), deadline))
            if answer is None:
                self._call(Call(PORTAL, str(value_of(told)), REQUEST, "Close"), CALL_S)
        finally:
            self._bus_asked(lambda bus: (bus.ignore(rule), bus.ignore(gone)))
        return _results(answer, what)

    def path(self, kind: str, token: str) -> str:
        """The object of a request or session that we name by a token."""
        return f"{PORTAL_PATH}/{kind}/{self.bus().name.removeprefix(':').replace('.', '_')}/{token}"

    def call(self, call: Call) -> Reply:
        """A call that is answered at once.

        Raises:
            EyesError: DESKTOP_PORTAL_MISSING when the bus has gone.
        """
        return self._call(call, CALL_S)

    def close(self) -> None:
        """Let go of the bus; never raises."""
        if self._bus is not None:
            self._bus.close()
            self._bus = None
        self._versions, self._owner = None, ""

    def _present(self) -> str:
        """Start the portals if need be, and say who they are."""
        if not self.owner():
            self.number(SCREENSHOT, "version", STARTING_S)
        return self.owner()

    def _call(self, call: Call, timeout_s: float) -> Reply:
        found: Reply = self._bus_asked(lambda bus: bus.call(call, timeout_s))
        return found

    def _bus_asked(self, ask: Any) -> Any:
        try:
            return ask(self.bus())
        except NoBusError as gone:
            self.close()
            raise EyesError(DESKTOP_PORTAL_MISSING, f"There are no portals: {gone}.") from gone

    def _refusal(self, told: Failed, what: str) -> EyesError:
        word = told.error.rpartition(".")[2]
        if told.silent:
            return EyesError(DESKTOP_TIMEOUT, f"{what} was not answered in time.", details={"dispatched": "no"})
        if word in UNKNOWN:
            return EyesError(
                DESKTOP_PORTAL_MISSING, f"{what} is not offered by this desktop.", details={"dispatched": "no"}
            )
        code = DESKTOP_PORTAL_DENIED if word in DENIED else DESKTOP_PORTAL_FAILED
        return EyesError(code, f"{what} was refused by the desktop ({word[:60]}).", details={"dispatched": "no"})


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _response(told: Told, owner: str, handles: set[str]) -> tuple[int, dict[str, Any]] | None:
    """The answer to a request; that the portals ended counts as one."""
    if told.sender == BUS and told.member == "NameOwnerChanged" and told.path == BUS_PATH:
        return (-1, {}) if told.body[:2] == (PORTAL, owner) else None
    if told.sender != owner or told.interface != REQUEST or told.member != "Response" or told.path not in handles:
        return None
    code, results = told.body
    return int(code), {str(name): value[1] for name, value in results.items()}


def _results(answer: tuple[int, dict[str, Any]] | None, what: str) -> dict[str, Any]:
    if answer is None:
        raise EyesError(DESKTOP_TIMEOUT, f"{what} was not answered in time.", details={"dispatched": "no"})
    code, results = answer
    if code == GRANTED:
        return results
    if code == REFUSED:
        raise EyesError(DESKTOP_PORTAL_DENIED, f"{what} was refused.", details={"dispatched": "no"})
    why = "the portals ended" if code < 0 else "the desktop ended it"
    raise EyesError(DESKTOP_PORTAL_FAILED, f"{what} was not granted: {why}.", details={"dispatched": "no"})
