"""Reports of browser and desktop runs as resources: the newest report of each run, as it was written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from deepseekeyes.core.errors import EyesError
from deepseekeyes.serve.codes import SERVE_RESOURCE_UNKNOWN

if TYPE_CHECKING:
    from deepseekeyes.wiring.app import App

KINDS = ("browser", "desktop")
LISTED = 50
MOST_BYTES = 16 * 1024 * 1024

_RUN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def reports(app: App, kind: str) -> list[tuple[str, Path]]:
    """Run id and newest report of the last runs of a kind, newest first."""
    root = _root(app, kind)
    if root is None:
        return []
    found = [(folder.name, report) for folder in _folders(root) if (report := _newest(folder)) is not None]
    return sorted(found, key=lambda each: each[1].stat().st_mtime, reverse=True)[:LISTED]


def report(app: App, kind: str, run: str) -> str:
    """The text of a run's newest report.

    Raises:
        EyesError: SERVE_RESOURCE_UNKNOWN.
    """
    root = _root(app, kind)
    path = _newest(root / run) if root is not None and _RUN.fullmatch(run) else None
    try:
        if path is not None and path.stat().st_size <= MOST_BYTES:
            return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        pass
    raise EyesError(SERVE_RESOURCE_UNKNOWN, f"There is no report of a {kind} run {run[:64]!r}.")


def _root(app: App, kind: str) -> Path | None:
    folder = getattr(getattr(app.settings, kind, None), "artifacts_dir", None)
    return app.home / folder if isinstance(folder, str | Path) else None


def _folders(root: Path) -> Iterator[Path]:
    try:
        yield from (path for path in root.iterdir() if _RUN.fullmatch(path.name) and path.is_dir())
    except OSError:
        return


def _newest(folder: Path) -> Path | None:
    try:
        return max(folder.glob("report*.json"), key=lambda path: path.stat().st_mtime, default=None)
    except OSError:
        return None
