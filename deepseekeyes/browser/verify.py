"""`browser report --verify`: whether a stored run is as it was written."""

from __future__ import annotations

from deepseekeyes.automation.stored_runs import VerifyRequest, verify_run
from deepseekeyes.browser.codes import BROWSER_RUN_UNREADABLE
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.contracts.automation import ReportVerification


async def verify(request: VerifyRequest, deps: BrowserDeps) -> ReportVerification:
    """Check chain, screenshots and report of a run again.

    Raises:
        EyesError: BROWSER_RUN_UNREADABLE.
    """
    return verify_run(request, root=deps.root, cwd=deps.cwd, unreadable=BROWSER_RUN_UNREADABLE)
