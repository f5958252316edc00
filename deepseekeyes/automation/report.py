"""A run as one report document, made from its stored steps and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

from deepseekeyes.automation.runlog import DOING, RunLog
from deepseekeyes.automation.settings import AutomationSettings
from deepseekeyes.automation.tally import Tally
from deepseekeyes.contracts.automation import (
    BrowserReport,
    Chain,
    DesktopReport,
    ReportBody,
    ReportSummary,
    SurfaceKind,
)
from deepseekeyes.core.atomic import create_exclusive
from deepseekeyes.core.canonical import digest
from deepseekeyes.core.names import safe_name

DOCUMENTS: Final[Mapping[SurfaceKind, type[BrowserReport | DesktopReport]]] = {
    "browser": BrowserReport,
    "desktop": DesktopReport,
}
UNHASHED: Final = ("reportSha256", "path", "page")
"""Fields a report's own digest leaves out: itself, and where the files happened to be written."""


@dataclass(frozen=True, slots=True)
class Written:
    """Where a report was written; both None for a run in memory."""

    path: Path | None = None
    page: Path | None = None


def build(
    log: RunLog,
    settings: AutomationSettings,
    *,
    now: str,
    surface: Mapping[str, Any] | None = None,
    diagnostics: Mapping[str, Any] | None = None,
    closed_at: str | None = None,
) -> ReportBody:
    """The report of a run as it is now.

    Args:
        now: RFC 3339.
        surface: what was driven (program, version, viewport, platform).
        diagnostics: the surface's own rings (console, failed requests).
    """
    rows = list(log.steps())
    kept = rows[-settings.report_steps :]
    head = log.head
    content = {
        "schema": DOCUMENTS[head["kind"]].model_fields["schema_"].default,
        "runId": head["runId"],
        "session": head["session"],
        "createdAt": head["createdAt"],
        "generatedAt": now,
        "closedAt": closed_at,
        "surface": dict(surface or {}),
        "summary": summary(rows, log.dropped).model_dump(mode="json", by_alias=True),
        "chain": Chain(steps=log.count, first=head["headSha256"], head=log.last).model_dump(mode="json", by_alias=True),
        "steps": kept,
        "truncated": len(kept) < log.count,
        "omitted": log.count - len(kept),
        "diagnostics": {**(diagnostics or {}), **_interrupted(log)},
        "path": None,
        "page": None,
    }
    report = DOCUMENTS[head["kind"]].model_validate({**content, "reportSha256": "0" * 64})
    return report.model_copy(update={"report_sha256": own_digest(report.to_json())})


def own_digest(content: Mapping[str, Any]) -> str:
    """The digest a report carries: over everything but itself and the places of its files."""
    return digest({key: value for key, value in content.items() if key not in UNHASHED})


def summary(rows: Iterable[Mapping[str, Any]], earlier: Tally | None = None) -> ReportSummary:
    """Counts over stored steps.

    Args:
        earlier: counts of the steps before them that are not kept any more.
    """
    tally = earlier.copy() if earlier is not None else Tally()
    for row in rows:
        tally.add(row)
    return tally.summary()


def write(report: ReportBody, html: str, log: RunLog, name: str | None = None) -> Written:
    """Put a report and its page into the run's folder; nothing that is there is replaced.

    Args:
        name: of the files; `report` when absent. A taken name gets `-2`, `-3` and so on.
    """
    if log.folder is None:
        return Written()
    log.flush()
    data = (json.dumps(report.to_json(), ensure_ascii=False, indent=2) + "\n").encode("utf-8", "backslashreplace")
    stem = safe_name(name or "report", 80)
    for number in count(1):
        path = log.folder / f"{stem if number == 1 else f'{stem}-{number}'}.json"
        page = path.with_suffix(".html")
        if not page.exists() and create_exclusive(path, data):
            create_exclusive(page, html.encode("utf-8", "backslashreplace"))
            return Written(path, page)
    raise AssertionError("unreachable")


def placed(report: ReportBody, written: Written) -> ReportBody:
    """The report as it is replied: with where its files are."""
    return report.model_copy(
        update={
            "path": str(written.path) if written.path is not None else None,
            "page": str(written.page) if written.page is not None else None,
        }
    )


def _interrupted(log: RunLog) -> dict[str, Any]:
    """What was begun and never ended, when the process was killed in the middle."""
    if log.folder is None:
        return {}
    try:
        found = json.loads((log.folder / DOING).read_bytes())
    except (OSError, ValueError):
        return {}
    return {"interrupted": found} if isinstance(found, dict) else {}
