"""`mcp runs`: runs, their calls and their journals; `mcp runs end ID` forgets one."""

from __future__ import annotations

from datetime import UTC, datetime

from pydantic import Field

from deepseekeyes.contracts.mcp_lists import McpRun, McpRuns
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.mcp.deps import McpDeps
from deepseekeyes.mcp.journal import check_run
from deepseekeyes.mcp.quota import TABLE


class RunsRequest(Contract):
    """`run_id` shows one with its markers; `end` forgets one."""

    run_id: str | None = None
    end: str | None = None
    limit: int = Field(default=100, ge=1, le=10_000)


async def runs(request: RunsRequest, deps: McpDeps) -> McpRuns:
    """List the runs that are remembered.

    Raises:
        EyesError: MCP_RUN_INVALID, and the codes of the ledger.
    """
    if request.end is not None:
        run = check_run(request.end)
        deps.ledger.forget(TABLE, run)
        deps.journal.end(run)
    counters = {each.key: each for each in deps.ledger.counters(TABLE, limit=10_000)}
    names = [*counters, *(run for run in deps.journal.runs() if run not in counters)]
    if request.run_id is not None:
        names = [run for run in names if run == check_run(request.run_id)]
    items = []
    for run in names[: request.limit]:
        counter = counters.get(run)
        items.append(
            McpRun(
                id=run,
                calls=counter.value if counter else 0,
                limit=deps.settings.max_external_calls_per_run,
                started_at=rfc3339(datetime.fromtimestamp(counter.started, UTC)) if counter else None,
                markers=deps.journal.markers(run) if request.run_id is not None else (),
            )
        )
    omitted = max(0, len(names) - request.limit)
    return McpRuns(items=tuple(items), ended=request.end, truncated=omitted > 0, omitted=omitted)
