"""`browser report --verify`: whether a stored run is as it was written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import Field

from deepseekeyes.automation.runlog import SHOTS, STEPS
from deepseekeyes.automation.verify import verify as checked
from deepseekeyes.browser.codes import BROWSER_RUN_UNREADABLE
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.contracts.automation import ReportVerification
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError


class VerifyRequest(Contract):
    """Which run."""

    run: str | None = Field(
        default=None,
        min_length=1,
        max_length=4_000,
        description="Run id, folder or report file; the newest run if absent.",
    )


async def verify(request: VerifyRequest, deps: BrowserDeps) -> ReportVerification:
    """Check chain, screenshots and report of a run again.

    Raises:
        EyesError: BROWSER_RUN_UNREADABLE.
    """
    folder, report = _place(request.run, deps)
    try:
        lines = (folder / STEPS).read_bytes()
        told = None if report is None else json.loads(report.read_bytes())
    except (OSError, ValueError) as trouble:
        raise EyesError(BROWSER_RUN_UNREADABLE, "The run cannot be read.") from trouble
    return checked(lines, told if isinstance(told, dict) else None, lambda sha256: _picture(folder, sha256))


def _place(named: str | None, deps: BrowserDeps) -> tuple[Path, Path | None]:
    folder: Path | None = None
    if named is None:
        folder = _newest(deps.root)
    else:
        for candidate in (deps.cwd / named, *((deps.root / Path(named).name,) if deps.root else ())):
            if candidate.is_file():
                return candidate.parent, candidate
            if candidate.is_dir():
                folder = candidate
                break
    if folder is None:
        raise EyesError(BROWSER_RUN_UNREADABLE, "There is no such run.")
    reports = sorted(folder.glob("report*.json"), key=lambda path: path.stat().st_mtime)
    return folder, reports[-1] if reports else None


def _newest(root: Path | None) -> Path | None:
    runs = sorted(path for path in root.iterdir() if (path / STEPS).is_file()) if root and root.is_dir() else []
    return runs[-1] if runs else None


def _picture(folder: Path, sha256: str) -> Any:
    try:
        return (folder / SHOTS / f"{sha256}.png").read_bytes()
    except OSError:
        return None
