"""A run's report and page, and the files that a caller wants beside the run's own."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deepseekeyes.automation.codes import OUT_FOLDER_MISSING
from deepseekeyes.automation.page import page
from deepseekeyes.automation.report import build, placed, write
from deepseekeyes.automation.run import Run
from deepseekeyes.automation.settings import AutomationSettings
from deepseekeyes.contracts.automation import ReportBody
from deepseekeyes.core.atomic import write_private
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.core.errors import EyesError


def wanted(named: str | None, cwd: Path) -> Path | None:
    """Where a caller wants a file; asked before anything else is done.

    Raises:
        EyesError: OUT_FOLDER_MISSING; folders are not made for a name that may be mistyped.
    """
    if named is None:
        return None
    path = cwd / named.replace("\0", "")
    if not path.parent.is_dir():
        folder = Path(named).parent
        raise EyesError(
            OUT_FOLDER_MISSING,
            f"There is no folder {folder}.",
            details={"dispatched": "no"},
            folder=shlex.quote(str(folder)),
        )
    return path


def published(
    run: Run,
    settings: AutomationSettings,
    *,
    surface: Mapping[str, Any],
    diagnostics: Mapping[str, Any] | None = None,
    name: str | None = None,
    beside: Path | None = None,
) -> ReportBody:
    """The report of a run, written where the run has a folder.

    Args:
        surface: what was driven.
        diagnostics: the surface's own rings.
        name: of the files in the run's folder.
        beside: where the page goes too; the report names that place then.

    Raises:
        EyesError: DISK_FULL, WRITE_FAILED.
    """
    now = rfc3339(run.clock.now())
    made = build(run.log, settings, now=now, surface=surface, diagnostics=diagnostics, closed_at=run.closed_at)
    content = page(made, run.log.picture, settings)
    found = placed(made, write(made, content, run.log, name))
    if beside is None:
        return found
    write_private(beside, content.encode("utf-8", "backslashreplace"))
    return found.model_copy(update={"page": str(beside)})
