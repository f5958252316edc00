"""What a transport learns while it runs, shared between the tasks of one connection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.ports import Changed, Fault, Vitals

DEPTH_LIMIT = -39_001
UNREADABLE = -39_002

_LISTINGS: dict[str, Changed] = {
    "notifications/tools/list_changed": "tools",
    "notifications/resources/list_changed": "resources",
    "notifications/prompts/list_changed": "prompts",
}
_NEEDED = frozenset({"notifications/progress", "notifications/subscriptions/acknowledged", "notifications/cancelled"})


class Tail:
    """The last bytes of a stream."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._bytes = bytearray()

    def add(self, chunk: bytes) -> None:
        """Append, forgetting what is too old."""
        self._bytes += chunk
        if len(self._bytes) > 2 * self._limit:
            del self._bytes[: -self._limit]

    def text(self) -> str:
        """The end of the stream as text."""
        return bytes(self._bytes[-self._limit :]).decode("utf-8", "replace")


@dataclass(slots=True)
class Pulse:
    """The running account of one connection.

    `fault` is set once, by whatever ended it first. `refused` is why signing in failed, as long as it does.
    """

    stderr: Tail = field(default_factory=lambda: Tail(65_536))
    noise: int = 0
    ignored: int = 0
    exit_status: int | None = None
    http_status: int | None = None
    refused: EyesError | None = None
    over_limit: bool = False
    changed: set[Changed] = field(default_factory=set)
    fault: Fault | None = None
    close_failed: bool = False
    on_end: Callable[[], None] = lambda: None

    def end(self, fault: Fault) -> None:
        """Note why the connection is over; the first reason stays."""
        if self.fault is None:
            self.fault = fault
        self.on_end()

    def notified(self, method: str) -> bool:
        """Take note of a notification; True when the session must still see it.

        Log messages and unknown notifications are dropped here, before anything is started for them, so that a flood
        costs a parse and a count.
        """
        listing = _LISTINGS.get(method)
        if listing is not None:
            self.changed.add(listing)
            return False
        if method in _NEEDED:
            return True
        self.ignored += 1
        return False

    def vitals(self, *, alive: bool) -> Vitals:
        """A copy for the outside."""
        return Vitals(
            alive=alive,
            noise=self.noise,
            ignored=self.ignored,
            stderr_tail=self.stderr.text(),
            exit_status=self.exit_status,
            http_status=self.http_status,
            changed=frozenset(self.changed),
            close_failed=self.close_failed,
        )
