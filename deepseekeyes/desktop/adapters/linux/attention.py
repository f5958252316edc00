"""Notices input that is not ours, while we act and between two actions.

While we act the server tells every raw event of every device, and what we did not send ourselves is somebody's. Between
actions nothing is subscribed (a mouse would fill the queue of a sleeping process); there the time of the last input
and the pointer's place tell.

What we send may take effect late: a window manager that asks for the first press of a window freezes the pointer until
it has answered, and a loaded machine lets it answer late. Hence a pointer that is not yet where we put it says nothing
about a person; it is waited for. Hence also a time is never taken from one reading of our clock: between the server's
answer and our reading any time may pass.
"""

from __future__ import annotations

import struct
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from deepseekeyes.core.errors import Dispatched, EyesError
from deepseekeyes.desktop.adapters.linux.connection import Connection
from deepseekeyes.desktop.codes import DESKTOP_HUMAN_INPUT, DESKTOP_INPUT_GRABBED

Disturbance = Literal["pointer", "button", "key", "keyboard or mouse"]

RAW_KEY_PRESS, RAW_KEY_RELEASE = 13, 14
RAW_BUTTON_PRESS, RAW_BUTTON_RELEASE = 15, 16
RAW_MOTION = 17
WORDS: dict[int, Disturbance] = {
    RAW_KEY_PRESS: "key",
    RAW_KEY_RELEASE: "key",
    RAW_BUTTON_PRESS: "button",
    RAW_BUTTON_RELEASE: "button",
    RAW_MOTION: "pointer",
}
MASK = sum(1 << kind for kind in WORDS)
ALL_MASTERS = 1
GENERIC_EVENT = 35
TOLERANCE_S = 0.02
HELD = "_DEEPSEEKEYES_HELD_BUTTON"
HOLDABLE = range(1, 4)
READINGS = 3
ARRIVAL_S = 3.0
POLL_S = 0.004


@dataclass(frozen=True, slots=True)
class Span:
    """Our clock's readings between which something happened."""

    earliest: float
    latest: float


@dataclass(slots=True)
class Attention:
    """What was ours; one per connection."""

    connection: Connection
    _expected: Counter[tuple[int, int]] = field(default_factory=Counter)
    _listening: bool = False
    _deaf: bool = False
    _found: Disturbance | None = None
    _place: tuple[int, int] | None = None
    _last_ours: Span | None = None
    _sources: frozenset[int] | None = None

    def watch(self) -> None:
        """From now on what is not ours counts. A button that a killed process of ours left down is let go first."""
        self._let_go()
        self._found = None
        self.settle_accounts()

    def forget(self) -> None:
        """Begin anew, as on a connection just opened."""
        self._found = self._place = self._last_ours = self._sources = None

    def settle_accounts(self) -> None:
        """The pointer is where we want it, and the last input was ours."""
        self._place = self.place()
        self._last_ours = self._last_input()

    def disturbed(self) -> Disturbance | None:
        """What somebody did since `watch`; stays until the next `watch`."""
        if self._found is None and not self._deaf:
            self._found = self._heard() if self._listening else self._inferred()
        return self._found

    def sent(self, kind: int, detail: int = 0) -> None:
        """We are about to send this raw event."""
        self._expected[(kind, detail)] += 1

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Hear every event for the length of one input call; without ears nothing is told until it is over."""
        if not self.connection.has("xinput"):
            with self._unheard():
                yield
            return
        self._expected.clear()
        self.connection.take(GENERIC_EVENT)
        self._select(MASK)
        self._listening = True
        try:
            yield
            self._found = self._found or self._heard()
        finally:
            self._listening = False
            self._select(0)
            self.connection.take(GENERIC_EVENT)
            self.settle_accounts()

    def require_undisturbed(self, dispatched: Dispatched, **fields: object) -> None:
        """Yield to somebody who uses the display.

        Raises:
            EyesError: DESKTOP_HUMAN_INPUT.
        """
        found = self.disturbed()
        if found is not None:
            raise EyesError(
                DESKTOP_HUMAN_INPUT,
                f"Somebody used the {found} meanwhile.",
                details={"dispatched": dispatched},
                **fields,
            )

    @contextmanager
    def pressed(self, number: int) -> Iterator[None]:
        """Say on the display that the button held meanwhile is ours; should we be killed, the next one lets go."""
        from Xlib import Xatom

        note = self.connection.atom(HELD)
        self.connection.root.change_property(note, Xatom.CARDINAL, 32, [number])
        self.connection.sync()
        try:
            yield
        finally:
            self.connection.root.delete_property(note)

    def _let_go(self) -> None:
        from Xlib import X

        left = self.connection.numbers(self.connection.root, HELD)
        if not left:
            return
        mask = int(self.connection.root.query_pointer().mask)
        for number in left:
            if number in HOLDABLE and mask & (X.Button1Mask << (number - 1)):
                self.connection.display.xtest_fake_input(X.ButtonRelease, number)
        self.connection.root.delete_property(self.connection.atom(HELD))
        self.connection.sync()

    def arrives(self, at: tuple[int, int], dispatched: Dispatched) -> None:
        """Wait until the pointer is where we just put it.

        Raises:
            EyesError: DESKTOP_HUMAN_INPUT when somebody moves it; DESKTOP_INPUT_GRABBED when it does not come there.
        """
        end = time.monotonic() + ARRIVAL_S
        while self.place() != at:
            self.require_undisturbed(dispatched)
            if time.monotonic() > end:
                raise EyesError(
                    DESKTOP_INPUT_GRABBED,
                    "The pointer does not go where it is put; another program holds it.",
                    details={"dispatched": dispatched},
                )
            time.sleep(POLL_S)

    def place(self) -> tuple[int, int]:
        """Where the pointer is."""
        told = self.connection.root.query_pointer()
        return int(told.root_x), int(told.root_y)

    def idle_s(self) -> float | None:
        """Seconds since the last input of anybody."""
        if not self.connection.has("screensaver"):
            return None
        told = self.connection.root.screensaver_query_info()
        return int(told.idle) / 1000

    @contextmanager
    def _unheard(self) -> Iterator[None]:
        self._deaf = True
        try:
            yield
        finally:
            self._deaf = False
            self.settle_accounts()

    def _last_input(self) -> Span | None:
        """When the last input was; the narrowest of a few readings."""
        found: list[Span] = []
        for _ in range(READINGS):
            before = time.monotonic()
            idle = self.idle_s()
            if idle is None:
                return None
            found.append(Span(before - idle, time.monotonic() - idle))
            if found[-1].latest - found[-1].earliest < TOLERANCE_S:
                break
        return min(found, key=lambda one: one.latest - one.earliest)

    def _inferred(self) -> Disturbance | None:
        if self._place is not None and self.place() != self._place:
            return "pointer"
        last = self._last_input()
        if last is not None and self._last_ours is not None and last.earliest > self._last_ours.latest + TOLERANCE_S:
            return "keyboard or mouse"
        return None

    def _heard(self) -> Disturbance | None:
        """The first raw event that we did not send."""
        self.connection.sync()
        for event in self.connection.take(GENERIC_EVENT):
            kind = int(event.evtype)
            if kind not in WORDS or not isinstance(event.data, (bytes, bytearray)):
                continue
            _, _, detail, source = struct.unpack_from("=HIIH", event.data)
            if not self._ours(kind, int(detail), int(source)):
                return WORDS[kind]
        return None

    def _ours(self, kind: int, detail: int, source: int) -> bool:
        if source and source not in self._synthetic():
            return False
        key = (kind, 0 if kind == RAW_MOTION else detail)
        if self._expected[key] <= 0:
            return False
        self._expected[key] -= 1
        return True

    def _synthetic(self) -> frozenset[int]:
        """The devices that XTEST speaks through."""
        if self._sources is None:
            devices = self.connection.display.xinput_query_device(0).devices
            self._sources = frozenset(int(one.deviceid) for one in devices if "XTEST" in str(one.name))
        return self._sources

    def _select(self, mask: int) -> None:
        root: Any = self.connection.root
        root.xinput_select_events([(ALL_MASTERS, mask)])
        self.connection.sync()
