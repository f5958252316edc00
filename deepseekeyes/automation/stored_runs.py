"""Runs in a folder: found by what a caller calls them, and checked again."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

from pydantic import Field

from deepseekeyes.automation.runlog import SHOTS, STEPS
from deepseekeyes.automation.verify import verify
from deepseekeyes.contracts.automation import ReportVerification
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import Code, EyesError

MOST_BYTES = 1 << 30
"""Of one file of a run; what writes runs is bounded well below this."""


class VerifyRequest(Contract):
    """Which run."""

    run: str | None = Field(
        default=None,
        min_length=1,
        max_length=4_000,
        description="Run id, folder or report file; the newest run if absent.",
    )


def verify_run(request: VerifyRequest, *, root: Path | None, cwd: Path, unreadable: Code) -> ReportVerification:
    """Check chain, screenshots and report of a run again.

    Args:
        root: folder of the runs; None when they are kept in memory.
        cwd: the caller's working folder.
        unreadable: what the surface calls a run that cannot be read.

    Raises:
        EyesError: `unreadable`.
    """
    folder, file = _place(request.run, root, cwd)
    if folder is None:
        raise EyesError(unreadable, "There is no such run.")
    try:
        lines = _content(folder / STEPS)
        report = _report(file) if file is not None else _newest_report(folder)
    except (OSError, ValueError, RecursionError) as trouble:
        raise EyesError(unreadable, "The run cannot be read.") from trouble
    return verify(lines, report, lambda sha256: _picture(folder / SHOTS / f"{sha256}.png"))


def _place(named: str | None, root: Path | None, cwd: Path) -> tuple[Path | None, Path | None]:
    """Folder of a run, and the report file that was named."""
    if named is None:
        return _newest(root), None
    candidates = [cwd / named, *([root / Path(named).name] if root is not None else [])]
    found = next((path for path in candidates if path.exists()), None)
    return (found.parent, found) if found is not None and found.is_file() else (found, None)


def _newest(root: Path | None) -> Path | None:
    runs = [path for path in root.iterdir() if (path / STEPS).is_file()] if root and root.is_dir() else []
    return max(runs, default=None)


def _newest_report(folder: Path) -> dict[str, Any] | None:
    """The newest report, whatever its files were called."""
    files = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    return next((found for found in map(_report, files) if "-report.v" in str(found.get("schema"))), None)


def _report(file: Path) -> dict[str, Any]:
    found = json.loads(_content(file))
    if not isinstance(found, dict):
        raise ValueError("a report is an object")
    return found


def _picture(path: Path) -> bytes | None:
    try:
        return _content(path)
    except (OSError, ValueError):
        return None


def _content(path: Path) -> bytes:
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
            raise ValueError("the file is none that a run writes")
        return file.read(MOST_BYTES)
