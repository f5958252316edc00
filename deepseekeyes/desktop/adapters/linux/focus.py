"""Gives windows the keyboard and makes sure that they have it; moves, resizes and closes them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from deepseekeyes.core.errors import Dispatched, EyesError
from deepseekeyes.desktop.adapters.linux.connection import Connection
from deepseekeyes.desktop.adapters.linux.window_manager import Manager
from deepseekeyes.desktop.adapters.linux.windows import Listed, Windows
from deepseekeyes.desktop.codes import DESKTOP_NATIVE_ACTION_FAILED, DESKTOP_WINDOW_GONE, TARGET_FOCUS_MISMATCH
from deepseekeyes.desktop.ports import Focus

POLL_S = 0.01
FOCUS_S = 0.3
MANAGER_S = 10.0
GEOMETRY_S = 0.5
SOURCE_PAGER = 2
MOST_16 = 32_767


@dataclass(slots=True)
class Focusing:
    """Activation and window requests; one per connection."""

    connection: Connection
    windows: Windows
    manager: Manager

    def focus(self, identity: str) -> Focus:
        """Bring a window to the front and wait until it has the keyboard.

        Raises:
            EyesError: DESKTOP_WINDOW_GONE, TARGET_FOCUS_MISMATCH.
        """
        one = self.require(identity)
        managed = self.windows.managed and not one.override
        restored = one.window.minimised
        if not (restored or not one.window.viewable) and self.has_focus(one.xid, managed=managed) and one.window.z == 0:
            return Focus(identity, "window" if managed else "input")
        self._activate(one, managed=managed)
        if not self._gets_focus(one, managed=managed):
            self._activate(one, managed=managed)
            if not self._gets_focus(one, managed=managed):
                raise self._elsewhere(one, "no")
        return Focus(identity, "window" if managed else "input", restored)

    def _gets_focus(self, one: Listed, *, managed: bool) -> bool:
        """Whether a window has the focus soon after the manager has done what it was asked."""
        if self.has_focus(one.xid, managed=managed):
            return True
        if managed:
            self.manager.wait(MANAGER_S)
        end = time.monotonic() + FOCUS_S
        while not self.has_focus(one.xid, managed=managed):
            if time.monotonic() > end:
                return False
            time.sleep(POLL_S)
        return True

    def has_focus(self, xid: int, *, managed: bool | None = None) -> bool:
        """Whether keys would reach this window: it is the active one, and the input focus lies in it."""
        from Xlib.error import XError

        if managed is None:
            managed = self.windows.managed
        try:
            if managed and self.windows.active_number() != xid:
                return False
            chain = self.windows.focus_chain()
        except XError:
            return False
        return xid in chain

    def require_focus(self, identity: str | None, dispatched: Dispatched, **fields: object) -> None:
        """Refuse when keys would go elsewhere.

        Raises:
            EyesError: TARGET_FOCUS_MISMATCH, DESKTOP_WINDOW_GONE.
        """
        if identity is None:
            return
        xid = self.windows.identities.number(identity)
        if xid is None:
            raise EyesError(DESKTOP_WINDOW_GONE, "The window is gone.", details={"dispatched": dispatched}, **fields)
        if not self.has_focus(xid):
            raise self._elsewhere(self.require(identity), dispatched, **fields)

    def require(self, identity: str) -> Listed:
        """That very window as it is now.

        Raises:
            EyesError: DESKTOP_WINDOW_GONE.
        """
        one = self.windows.find(identity)
        if one is None:
            raise EyesError(DESKTOP_WINDOW_GONE, "The window is gone.", details={"dispatched": "no"})
        return one

    def move(self, identity: str, x: float, y: float) -> Listed:
        """Move the visible frame's corner to a point."""
        one = self.require(identity)
        left, _, above, _ = one.frame
        at = _within16(int(x) + left - one.shadow[0]), _within16(int(y) + above - one.shadow[2])
        if self.windows.managed:
            flags = (1 << 8) | (1 << 9) | (SOURCE_PAGER << 12) | 10
            self._message(one.xid, "_NET_MOVERESIZE_WINDOW", [flags, at[0], at[1], 0, 0])
        else:
            self.connection.window(one.xid).configure(x=at[0], y=at[1])
        self._managed_done()
        return self._became(identity, one, lambda now: (now.window.bounds.x, now.window.bounds.y) == (int(x), int(y)))

    def resize(self, identity: str, width: float, height: float) -> Listed:
        """Give the client area a size."""
        one = self.require(identity)
        size = min(max(int(width), 1), MOST_16), min(max(int(height), 1), MOST_16)
        if self.windows.managed:
            flags = (1 << 10) | (1 << 11) | (SOURCE_PAGER << 12)
            self._message(one.xid, "_NET_MOVERESIZE_WINDOW", [flags, 0, 0, size[0], size[1]])
        else:
            self.connection.window(one.xid).configure(width=size[0], height=size[1])
        self._managed_done()
        return self._became(identity, one, lambda now: (now.window.client.width, now.window.client.height) == size)

    def close(self, identity: str, wait_s: float) -> bool:
        """Ask a window to close, as its button would; never ends its process.

        Raises:
            EyesError: DESKTOP_WINDOW_GONE; DESKTOP_NATIVE_ACTION_FAILED when it takes no such request.
        """
        one = self.require(identity)
        window = self.connection.window(one.xid)
        if self.windows.managed and not one.override:
            self._message(one.xid, "_NET_CLOSE_WINDOW", [0, SOURCE_PAGER, 0, 0, 0])
        elif self.connection.atom("WM_DELETE_WINDOW") in self.connection.numbers(window, "WM_PROTOCOLS"):
            data = [self.connection.atom("WM_DELETE_WINDOW"), 0, 0, 0, 0]
            self._message(one.xid, "WM_PROTOCOLS", data, to=window, mask=0)
        else:
            raise EyesError(
                DESKTOP_NATIVE_ACTION_FAILED,
                f'The window "{one.window.title}" takes no request to close.',
                details={"dispatched": "no"},
            )
        self.connection.sync()
        end = time.monotonic() + wait_s
        while self._there(identity):
            if time.monotonic() > end:
                return False
            time.sleep(POLL_S)
        return True

    def _managed_done(self) -> None:
        self.connection.sync()
        if self.windows.managed:
            self.manager.wait(MANAGER_S)

    def _there(self, identity: str) -> bool:
        one = self.windows.find(identity)
        return one is not None and (one.window.viewable or one.window.minimised)

    def _became(self, identity: str, before: Listed, wanted: Callable[[Listed], bool]) -> Listed:
        """The window once it is as asked, or as it is when the manager had other ideas."""
        end = time.monotonic() + GEOMETRY_S
        now = self.windows.find(identity)
        while now is not None and not wanted(now) and time.monotonic() < end:
            time.sleep(POLL_S)
            now = self.windows.find(identity)
        return now or before

    def _activate(self, one: Listed, *, managed: bool) -> None:
        from Xlib import X

        window = self.connection.window(one.xid)
        if managed:
            current = self.windows.active_number() or 0
            self._message(one.xid, "_NET_ACTIVE_WINDOW", [SOURCE_PAGER, X.CurrentTime, current, 0, 0])
        else:
            if not one.window.viewable:
                window.map()
            self.connection.window(one.top).raise_window()
            self.connection.sync()
            window.set_input_focus(X.RevertToParent, X.CurrentTime)
        self.connection.sync()

    def _message(self, xid: int, kind: str, data: list[int], *, to: Any = None, mask: int | None = None) -> None:
        from Xlib import X
        from Xlib.protocol import event

        words = [number & 0xFFFFFFFF for number in data]
        message = event.ClientMessage(
            window=self.connection.window(xid), client_type=self.connection.atom(kind), data=(32, words)
        )
        wide = X.SubstructureRedirectMask | X.SubstructureNotifyMask
        (to or self.connection.root).send_event(message, event_mask=wide if mask is None else mask)

    def _elsewhere(self, one: Listed, dispatched: Dispatched, **fields: object) -> EyesError:
        other = next((entry.window for entry in self.windows.listed() if entry.window.active), None)
        who = f'"{other.title or other.app}"' if other is not None and other.identity != one.window.identity else "none"
        return EyesError(
            TARGET_FOCUS_MISMATCH,
            f'The window "{one.window.title}" does not have the keyboard; {who} has it.',
            details={"dispatched": dispatched},
            **fields,
        )


def _within16(place: int) -> int:
    """The nearest place that the protocol can name."""
    return max(-MOST_16 - 1, min(place, MOST_16))
