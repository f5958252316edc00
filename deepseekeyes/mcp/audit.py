"""`mcp audit`: the last calls as digests and codes."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.mcp_lists import McpAudit
from deepseekeyes.contracts.model import Contract
from deepseekeyes.mcp.deps import McpDeps


class AuditRequest(Contract):
    """`server`, `run_id` and `status` narrow; `limit` is the most rows."""

    server: str | None = None
    run_id: str | None = None
    status: str | None = Field(default=None, pattern="^(success|error|denied)$", description="success, error or denied")
    limit: int = Field(default=50, ge=1, le=10_000)


async def audit(request: AuditRequest, deps: McpDeps) -> McpAudit:
    """The newest rows first, each with its place and digest in the ledger's chain.

    Raises:
        EyesError: the codes of the ledger.
    """
    where: dict[str, str | int] = {}
    if request.server is not None:
        where["serverId"] = request.server
    if request.status is not None:
        where["status"] = request.status
    rows = deps.ledger.rows("audit", request.limit + 1, subject=request.run_id, where=where)
    total = deps.ledger.count("audit")
    items = tuple({**row.body, "row": row.id, "digest": row.digest} for row in rows[: request.limit])
    more = len(rows) > request.limit
    narrowed = bool(where) or request.run_id is not None
    omitted = 0 if not more else 1 if narrowed else total - request.limit
    return McpAudit(enabled=deps.settings.audit, items=items, truncated=more, omitted=omitted)
