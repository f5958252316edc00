"""What the operations of the MCP planes work with; filled by `wiring`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from deepseekeyes.contracts.usage import UsageEvent
from deepseekeyes.core.clock import Clock
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.codes import MCP_DISABLED
from deepseekeyes.mcp.journal import RunJournal
from deepseekeyes.mcp.ports import Authorise, Progress, Quota
from deepseekeyes.mcp.quota import ProcessQuota
from deepseekeyes.mcp.result import Sink
from deepseekeyes.mcp.settings import McpSettings
from deepseekeyes.mcp.upstreams import Upstreams
from deepseekeyes.mcp.wishes import Verb
from deepseekeyes.store.ledger import Ledger

if TYPE_CHECKING:
    from deepseekeyes.mcp.oauth_events import Health

OURS = "deepseekeyes"


@dataclass(frozen=True, slots=True)
class Entry:
    """What a call leaves in the ledger: its line of usage, its audit row, and the run that row is about."""

    usage: UsageEvent | None
    audit: dict[str, Any] | None
    run: str | None


Book = Callable[[Callable[[], Entry]], str | None]


@dataclass(frozen=True, slots=True)
class McpDeps:
    """Everything outside.

    Attributes:
        upstreams: the connections and the settings in force.
        sink: where results go.
        ledger: audit rows, read, and run counters.
        run_quota: counts calls of a run id, across processes.
        process_quota: counts calls without one.
        journal: markers of nested calls.
        clock: time and ids.
        book: writes a call's entry as one, perhaps a moment later and on another thread; returns the code of what
            went wrong so far.
        authorise: asked before each call when there is one; absent means allowed.
        ask: asks a person before a call, where the caller wishes it; None where nobody can be asked.
        progress: told how far a call is.
        sign_in: how OAuth stands with a server; None before its first connection.
        session_hash: the session that usage is booked on.
        tell: asks the processes that serve to do the same with a server; does nothing in one of them.
    """

    upstreams: Upstreams
    sink: Sink
    ledger: Ledger
    run_quota: Quota
    journal: RunJournal
    clock: Clock = field(default_factory=Clock)
    process_quota: ProcessQuota = field(default_factory=ProcessQuota)
    book: Book = lambda entry: None  # noqa: ARG005
    authorise: Authorise | None = None
    ask: Authorise | None = None
    progress: Progress | None = None
    sign_in: Callable[[str], Health | None] = lambda server_id: None  # noqa: ARG005
    session_hash: str | None = None
    tell: Callable[[str, Verb], None] = lambda server_id, verb: None  # noqa: ARG005

    @property
    def settings(self) -> McpSettings:
        return self.upstreams.settings


def require_enabled(deps: McpDeps, *, enable: bool) -> None:
    """Refuse before anything is started when the planes are off.

    Raises:
        EyesError: MCP_DISABLED.
    """
    if not (deps.settings.enabled or enable):
        raise EyesError(MCP_DISABLED, "MCP servers are switched off.", details={"dispatched": "no"})
