"""Waits until the window manager has done what it was asked before.

A manager works off its events in order. One of the things it answers is what frame a window would get
(`_NET_REQUEST_FRAME_EXTENTS`); once it has, everything sent earlier is done too, however busy it was.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from deepseekeyes.desktop.adapters.linux.connection import Connection

POLL_S = 0.004
QUESTION, ANSWER = "_NET_REQUEST_FRAME_EXTENTS", "_NET_FRAME_EXTENTS"


@dataclass(slots=True)
class Manager:
    """Asks the window manager; one per connection."""

    connection: Connection
    _window: Any = None

    def wait(self, limit_s: float) -> bool:
        """Until it has caught up, bounded; False when it did not say so."""
        if self.connection.atom(QUESTION) not in self.connection.numbers(self.connection.root, "_NET_SUPPORTED"):
            return False
        window = self._own()
        window.delete_property(self.connection.atom(ANSWER))
        self._ask(window)
        end = time.monotonic() + limit_s
        while not self.connection.numbers(window, ANSWER):
            if time.monotonic() > end:
                return False
            time.sleep(POLL_S)
        return True

    def _own(self) -> Any:
        """A window of ours that is never shown."""
        from Xlib import X

        if self._window is None:
            self._window = self.connection.root.create_window(
                -10, -10, 1, 1, 0, X.CopyFromParent, X.InputOnly, X.CopyFromParent, override_redirect=True
            )
        return self._window

    def _ask(self, window: Any) -> None:
        from Xlib import X
        from Xlib.protocol import event

        message = event.ClientMessage(
            window=window, client_type=self.connection.atom(QUESTION), data=(32, [0, 0, 0, 0, 0])
        )
        mask = X.SubstructureRedirectMask | X.SubstructureNotifyMask
        self.connection.root.send_event(message, event_mask=mask)
        self.connection.sync()
