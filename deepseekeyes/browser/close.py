"""`browser close`: end a session."""

from __future__ import annotations

from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.requests import SessionRequest
from deepseekeyes.contracts.browser import BrowserClosed
from deepseekeyes.core.clock import rfc3339


class CloseRequest(SessionRequest):
    """Which session."""


async def close(request: CloseRequest, deps: BrowserDeps) -> BrowserClosed:
    """Close the browser; the run's folder stays."""
    found = await deps.desk.end(request.session)
    return BrowserClosed(
        session=request.session,
        run_id=found.run.id if found is not None else None,
        closed_at=rfc3339(deps.clock.now()),
        steps=found.run.log.count if found is not None else 0,
        folder=str(found.run.folder) if found is not None and found.run.folder is not None else None,
    )
