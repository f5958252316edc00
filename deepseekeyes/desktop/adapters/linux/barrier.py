"""Waits until a program has taken in the events we sent it.

A window that speaks `_NET_WM_PING` answers from its event loop, so its answer comes after what came before. Others get
a fixed time, and so do those that say they answer but did not (Qt 6).
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from deepseekeyes.desktop.adapters.linux.connection import Connection

ANSWER_S = 0.4
FIXED_S = 0.04
POLL_S = 0.002
CLIENT_MESSAGE = 33


@dataclass(slots=True)
class Barrier:
    """Pings windows; one per connection."""

    connection: Connection
    _token: int = 0
    _mute: set[int] = field(default_factory=set)

    def wait(self, xid: int | None) -> bool:
        """Until the window has handled what was sent so far, bounded; whether it said so."""
        self.connection.sync()
        if xid is None or xid in self._mute or not self._speaks(xid):
            time.sleep(FIXED_S)
            return False
        self._listen(on=True)
        try:
            answered = self._answered(self._ask(xid))
        finally:
            self._listen(on=False)
        if not answered:
            self._mute.add(xid)
        return answered

    def forget(self) -> None:
        """Give those that did not answer another chance; numbers of windows are given out again, too."""
        self._mute.clear()

    def _answered(self, token: int) -> bool:
        end = time.monotonic() + ANSWER_S
        while time.monotonic() < end:
            for event in self.connection.take(CLIENT_MESSAGE):
                data = [int(value) for value in event.data[1]]
                if int(event.client_type) == self.connection.atom("WM_PROTOCOLS") and data[1] == token:
                    return True
            time.sleep(POLL_S)
        return False

    def _listen(self, *, on: bool) -> None:
        """Answers go to the root; nothing is subscribed while nobody waits."""
        from Xlib import X

        self.connection.root.change_attributes(event_mask=X.SubstructureNotifyMask if on else X.NoEventMask)
        self.connection.take(CLIENT_MESSAGE)

    def _speaks(self, xid: int) -> bool:
        from Xlib.error import XError

        try:
            known = self.connection.numbers(self.connection.window(xid), "WM_PROTOCOLS")
        except XError:
            return False
        return self.connection.atom("_NET_WM_PING") in known

    def _ask(self, xid: int) -> int:
        from Xlib.protocol import event

        self._token = (self._token + 1) & 0x7FFFFFFF
        token = self._token | 0x40000000
        data = [self.connection.atom("_NET_WM_PING"), token, xid, 0, 0]
        window = self.connection.window(xid)
        message = event.ClientMessage(window=window, client_type=self.connection.atom("WM_PROTOCOLS"), data=(32, data))
        window.send_event(message, event_mask=0)
        self.connection.sync()
        return token
