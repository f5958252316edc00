"""Window identities that are never given to another window, though X11 gives numbers out again.

An identity is the display, the number, the owner's pid and start time, and how often we saw this number destroyed.
The last part is what tells two windows of one process apart that had the same number one after the other: we listen for
the end of every window we named.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from deepseekeyes.desktop.adapters.linux.connection import Connection
from deepseekeyes.desktop.adapters.linux.processes import program_name, same_host, start_ticks

MOST_KNOWN = 4_096


@dataclass(frozen=True, slots=True)
class Named:
    """What was found out once about a window's owner."""

    identity: str
    pid: int | None
    app: str
    weak: bool


@dataclass(slots=True)
class Identities:
    """The names given on one connection."""

    connection: Connection
    _known: dict[int, Named] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)
    _ended: dict[int, int] = field(default_factory=dict)

    def name(self, xid: int) -> Named:
        """The identity of a window that exists now.

        Raises:
            XError: it does not.
        """
        self.hear()
        known = self._known.get(xid)
        if known is not None and self._still(known):
            return known
        window = self.connection.window(xid)
        self._listen(window)
        named = self._described(window, xid)
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[xid] = named
        self._numbers[named.identity] = xid
        return named

    def number(self, identity: str) -> int | None:
        """The window's number, when that very window may still exist."""
        self.hear()
        xid = self._numbers.get(identity)
        if xid is None:
            return None
        known = self._known.get(xid)
        return xid if known is not None and known.identity == identity and self._still(known) else None

    def hear(self) -> None:
        """Note which windows have ended."""
        from Xlib import X

        for event in self.connection.take(X.DestroyNotify):
            xid = int(event.window.id)
            if xid in self._known:
                self._ended[xid] = self._ended.get(xid, 0) + 1
                self._numbers.pop(self._known.pop(xid).identity, None)

    def _still(self, known: Named) -> bool:
        """Whether the owner is the same process as then."""
        if known.pid is None or known.weak:
            return True
        return f":{known.pid}:{start_ticks(known.pid)}:" in known.identity

    def _listen(self, window: Any) -> None:
        from Xlib import X

        window.change_attributes(event_mask=X.StructureNotifyMask)

    def _described(self, window: Any, xid: int) -> Named:
        connection = self.connection
        owner = next(iter(connection.numbers(window, "_NET_WM_PID")), None)
        if not same_host(connection.text(window, "WM_CLIENT_MACHINE")):
            owner = None
        pid = owner or self._client_pid(xid)
        started = start_ticks(pid) if pid else None
        app = self._app(window, pid)
        weak = started is None
        who = f"{pid}:{started}" if not weak else f"{app}:weak"
        identity = f"x11:{connection.name}:{xid:x}:{who}:{self._ended.get(xid, 0)}"
        return Named(identity, pid, app, weak)

    def _client_pid(self, xid: int) -> int | None:
        """The pid of the client that made a window, as the server knows it (Tk sets no property)."""
        if not self.connection.has("res"):
            return None
        from Xlib.error import XError
        from Xlib.ext import res

        try:
            told = self.connection.display.res_query_client_ids([{"client": xid, "mask": res.LocalClientPIDMask}])
        except XError:
            return None
        return next((int(one.value[0]) for one in told.ids if one.value), None)

    def _app(self, window: Any, pid: int | None) -> str:
        """The class of a window: the instance part may hold a profile's path."""
        told = self.connection.text(window, "WM_CLASS")
        parts = [part for part in (told or "").split("\0") if part]
        if parts:
            return parts[-1][:200]
        return program_name(pid) if pid else ""
