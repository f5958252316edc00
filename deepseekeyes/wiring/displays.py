"""Displays that stay open between the calls of one process.

A call borrows a backend and gives it back by closing it. One that was given back in good order waits for the next
call, looks at everything anew then, and is closed when nobody wants it for a while: a display tells its clients what
happens on it, and a client that never listens makes it keep that for ever.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, cast

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.codes import DESKTOP_DISPLAY_LOST
from deepseekeyes.desktop.ports import Backend, Opening, Opens, Stays

IDLE_S: Final = 30.0


@dataclass(slots=True)
class Displays:
    """The backends of one process; at most one of them waits, for calls one after the other need no more.

    Attributes:
        opens: opens a backend.
        idle_s: how long one waits before it is closed.
    """

    opens: Opens
    idle_s: float = IDLE_S
    _waiting: Stays | None = None
    _ended: bool = False
    _timer: threading.Timer | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, opening: Opening) -> Backend:
        """A backend for one call, which `close` gives back.

        Raises:
            EyesError: as `Opens`.
        """
        kept = self._taken()
        if kept is not None and not kept.ready():
            kept.close()
            kept = None
        return cast("Backend", Lent(self.opens(opening) if kept is None else kept, self._returned))

    def end(self) -> None:
        """Close what waits; what is lent is closed when it comes back."""
        self._ended = True
        kept = self._taken()
        if kept is not None:
            kept.close()

    def _taken(self) -> Stays | None:
        with self._lock:
            kept, self._waiting = self._waiting, None
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        return kept

    def _returned(self, backend: Backend) -> None:
        with self._lock:
            if hasattr(backend, "ready") and self._waiting is None and not self._ended:
                self._waiting = cast("Stays", backend)
                self._timer = threading.Timer(self.idle_s, self._unwanted, (backend,))
                self._timer.daemon = True
                self._timer.start()
                return
        backend.close()

    def _unwanted(self, backend: Backend) -> None:
        """Close one that nobody wanted, unless somebody did in the last moment."""
        with self._lock:
            if self._waiting is not backend:
                return
            self._waiting = self._timer = None
        backend.close()


class Lent:
    """A backend for the length of one call.

    A call that is broken off leaves its thread in the middle of something. Then the backend is closed for good, which
    is what ends that thread, and nothing further that the thread asks for is carried out.
    """

    def __init__(self, backend: Backend, give_back: Callable[[Backend], None]) -> None:
        self._backend = backend
        self._give_back = give_back
        self._lock = threading.Lock()
        self._busy = 0
        self._over = False

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._backend, name)
        return self._counted(found) if callable(found) else found

    def close(self) -> None:
        """Give the backend back, or close it where a thread still uses it."""
        with self._lock:
            if self._over:
                return
            self._over = True
            quiet = self._busy == 0
        if quiet:
            self._give_back(self._backend)
        else:
            self._backend.close()

    def _counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any, **named: Any) -> Any:
            with self._lock:
                if self._over:
                    raise EyesError(DESKTOP_DISPLAY_LOST, "The call was broken off.", details={"dispatched": "no"})
                self._busy += 1
            try:
                return call(*given, **named)
            finally:
                with self._lock:
                    self._busy -= 1

        return counted
