"""What the lint needs beyond a `Wire`: a server's bare pipes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from deepseekeyes.mcp.definitions import ServerSettings


@dataclass(frozen=True, slots=True)
class Ending:
    """How a process ended. `status` is negative for a signal; `left` tells whether something it started still runs."""

    seconds: float
    status: int
    left: bool


class RawLink(Protocol):
    """One started server and its pipes, without a session in between."""

    async def send(self, line: bytes) -> bool:
        """Write one line; False when nobody reads any more."""
        ...

    async def answer(self, request_id: str, timeout_s: float) -> dict[str, Any] | None:
        """The message that answers a request, whatever came before it; None when none comes."""
        ...

    def alive(self) -> bool:
        """Whether the process runs."""
        ...

    def close_input(self) -> None:
        """Close its stdin."""
        ...

    def terminate(self) -> None:
        """Send SIGTERM to it."""
        ...

    async def ended(self, within_s: float) -> Ending | None:
        """Wait for its end; None when it did not end in time."""
        ...

    async def close(self) -> None:
        """End it and everything it started."""
        ...


class RawOpener(Protocol):
    """Starts a stdio server for a look at its pipes."""

    async def __call__(self, server_id: str, server: ServerSettings) -> RawLink:
        """Start it, its references resolved.

        Raises:
            EyesError: MCP_COMMAND_NOT_FOUND, CREDENTIAL_MISSING.
        """
        ...
