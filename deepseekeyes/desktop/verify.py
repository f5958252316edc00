"""`desktop report --verify`: whether a stored run is as it was written."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import Field

from deepseekeyes.automation.runlog import SHOTS, STEPS
from deepseekeyes.automation.verify import verify as checked
from deepseekeyes.contracts.automation import ReportVerification
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.atomic import read_file
from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.codes import DESKTOP_RUN_UNREADABLE
from deepseekeyes.desktop.deps import DesktopDeps


class VerifyRequest(Contract):
    """Which run."""

    run: str | None = Field(
        default=None,
        min_length=1,
        max_length=4_000,
        description="Run id, folder or report file; the newest run if absent.",
    )


async def verify(request: VerifyRequest, deps: DesktopDeps) -> ReportVerification:
    """Check chain, screenshots and report of a run again.

    Raises:
        EyesError: DESKTOP_RUN_UNREADABLE.
    """
    folder, report = _place(request.run, deps)
    try:
        lines = (folder / STEPS).read_bytes()
        told = None if report is None else json.loads(report.read_bytes())
    except (OSError, ValueError) as trouble:
        raise EyesError(DESKTOP_RUN_UNREADABLE, "The run cannot be read.") from trouble
    return checked(
        lines, told if isinstance(told, dict) else None, lambda sha256: read_file(folder / SHOTS / f"{sha256}.png")
    )


def _place(named: str | None, deps: DesktopDeps) -> tuple[Path, Path | None]:
    """Folder of a run, and its newest report."""
    if named is None:
        return _with_report(_newest(deps.root))
    candidates = [deps.cwd / named]
    if deps.root is not None:
        candidates.append(deps.root / Path(named).name)
    file = next((path for path in candidates if path.is_file()), None)
    if file is not None:
        return file.parent, file
    return _with_report(next((path for path in candidates if path.is_dir()), None))


def _with_report(folder: Path | None) -> tuple[Path, Path | None]:
    if folder is None:
        raise EyesError(DESKTOP_RUN_UNREADABLE, "There is no such run.")
    reports = sorted(folder.glob("*report*.json"), key=lambda path: path.stat().st_mtime)
    return folder, reports[-1] if reports else None


def _newest(root: Path | None) -> Path | None:
    runs = sorted(path for path in root.iterdir() if (path / STEPS).is_file()) if root and root.is_dir() else []
    return runs[-1] if runs else None
