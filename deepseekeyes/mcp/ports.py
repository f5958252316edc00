"""What the planes need from outside, small enough to fake by hand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.risk import Classification

Era = Literal["modern", "handshake"]
Changed = Literal["tools", "resources", "prompts"]


class Progress(Protocol):
    """Is told how far a request is."""

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        """`progress` of `total` (None when unknown), in the server's own units."""
        ...


@dataclass(frozen=True, slots=True)
class Greeting:
    """What a server said about itself while connecting. `capabilities` is raw."""

    era: Era
    protocol_version: str
    server_name: str | None = None
    server_version: str | None = None
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    instructions: str | None = None


@dataclass(frozen=True, slots=True)
class Vitals:
    """How a connection is doing.

    Attributes:
        alive: whether a request can be sent.
        noise: lines on stdout that were no messages.
        ignored: notifications that nobody needs and that were dropped.
        stderr_tail: the end of what the server wrote to stderr, not redacted.
        exit_status: of the process, negative for a signal; None while it runs or where there is none.
        http_status: the last HTTP status that was not a success.
        changed: listings that the server announced as changed and that were not drained since.
        close_failed: the process or connection could not be ended.
    """

    alive: bool
    noise: int = 0
    ignored: int = 0
    stderr_tail: str = ""
    exit_status: int | None = None
    http_status: int | None = None
    changed: frozenset[Changed] = frozenset()
    close_failed: bool = False


class Wire(Protocol):
    """One live connection to one server. Requests may run at once; `close` may be called at any time, also twice."""

    @property
    def greeting(self) -> Greeting:
        """What the server said while connecting."""
        ...

    def vitals(self) -> Vitals:
        """How the connection is doing now."""
        ...

    def objection(self, input_schema: Any) -> str | None:
        """Why a tool that takes this cannot be called over this connection; None when it can."""
        ...

    def settled(self, listing: Changed) -> None:
        """Forget that a listing was announced as changed; called before it is drained."""
        ...

    async def request(
        self, method: str, params: Mapping[str, Any], *, timeout_s: float, progress: Progress | None = None
    ) -> dict[str, Any]:
        """Send one request and return its raw result.

        Raises:
            WireError: the server answered with an error, or the answer never came.
        """
        ...

    async def close(self) -> None:
        """End the connection and everything it started, in bounded time."""
        ...


Fault = Literal[
    "answered",
    "timeout",
    "closed",
    "session-lost",
    "auth",
    "frame-limit",
    "depth-limit",
    "unreadable",
    "noise",
    "unsent",
]


class WireError(Exception):
    """A request that brought no result.

    Attributes:
        fault: what happened. `answered` is an error of the server itself; `unsent` never left this process.
        message: what the server or the transport said, not redacted.
        rpc_code: the JSON-RPC code of an answered error.
        reason: the whole error, where there is one that says more than the fault.
    """

    def __init__(
        self, fault: Fault, message: str, rpc_code: int | None = None, reason: EyesError | None = None
    ) -> None:
        super().__init__(message)
        self.fault: Fault = fault
        self.message = message
        self.rpc_code = rpc_code
        self.reason = reason


def again(error: EyesError) -> EyesError:
    """The same failure to be raised once more, without the trace of the first time."""
    return EyesError(error.code, error.message, details=error.details, **error.fields)


class Connector(Protocol):
    """Opens connections. The one seam behind which the SDK lives."""

    async def __call__(self, server_id: str, server: ServerSettings, *, era: Era | None) -> Wire:
        """Resolve the server's references, start or reach it, and agree on a protocol version.

        Args:
            server_id: for messages.
            server: the definition.
            era: what the last connection agreed on, to be tried first; None when unknown.

        Raises:
            EyesError: MCP_CREDENTIAL_MISSING before anything is started; MCP_COMMAND_NOT_FOUND, MCP_CONNECT_FAILED,
                MCP_CONNECT_TIMEOUT, MCP_AUTH_REJECTED, MCP_OAUTH_*, MCP_EXTRA_MISSING, MCP_FRAME_LIMIT,
                MCP_STDOUT_NOISE.
        """
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """What an authorisation callback is asked before a call."""

    server_id: str
    kind: Literal["tool", "resource", "prompt"]
    name: str
    public_name: str
    classification: Classification
    arguments: Mapping[str, Any]


Authorise = Callable[[Question], Awaitable[bool]]


class Quota(Protocol):
    """The counter of external calls of a run."""

    def take(self, run: str, limit: int) -> bool:
        """Count one call of a run in one atomic step; False (and no count) at the limit. 0 is unlimited."""
        ...

    def refund(self, run: str) -> None:
        """Give one call back that never left this process."""
        ...


class Rows(Protocol):
    """The append-only rows of one ledger table."""

    def append(self, row: dict[str, Any]) -> None:
        """Add one row."""
        ...

    def latest(self, limit: int) -> list[dict[str, Any]]:
        """The newest rows, newest first."""
        ...
