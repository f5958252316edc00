"""`browser sessions`: which live, and the end of those that cannot be asked."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.browser.codes import BROWSER_NOT_OPEN
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.session import SessionEnd, SessionList
from deepseekeyes.core.errors import EyesError


class SessionsRequest(Contract):
    """Nothing to list them, a name to end one by force."""

    kill: str | None = Field(default=None, min_length=1, max_length=64, description="End this session's host.")


async def sessions(request: SessionsRequest, deps: BrowserDeps) -> SessionList | SessionEnd:
    """List the browser sessions of this home; what the dead left is cleaned up.

    Raises:
        EyesError: BROWSER_NOT_OPEN when there is nothing to end.
    """
    if request.kill is None:
        return deps.sessions()
    ended = deps.end(request.kill, "asked for")
    if ended is None:
        raise EyesError(BROWSER_NOT_OPEN, f"There is no browser session named {request.kill[:40]!r}.")
    return ended
