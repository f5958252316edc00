"""`desktop report --verify`: whether a stored run is as it was written."""

from __future__ import annotations

from deepseekeyes.automation.stored_runs import VerifyRequest, verify_run
from deepseekeyes.contracts.automation import ReportVerification
from deepseekeyes.desktop.codes import DESKTOP_RUN_UNREADABLE
from deepseekeyes.desktop.deps import DesktopDeps


async def verify(request: VerifyRequest, deps: DesktopDeps) -> ReportVerification:
    """Check chain, screenshots and report of a run again.

    Raises:
        EyesError: DESKTOP_RUN_UNREADABLE.
    """
    return verify_run(request, root=deps.root, cwd=deps.cwd, unreadable=DESKTOP_RUN_UNREADABLE)
