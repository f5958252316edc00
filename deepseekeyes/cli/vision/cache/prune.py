"""`vision cache prune`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes vision cache prune --older-than-days 90 --dry-run"


def command(
    older_than_days: Annotated[
        float | None, typer.Option("--older-than-days", min=0, help="Age; store.retention_days when absent.")
    ] = None,
    max_bytes: Annotated[
        int | None, typer.Option("--max-bytes", min=0, help="Keep at most this much; store.max_bytes when absent.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
) -> Call:
    """Remove old evidence records. Pictures are never removed here."""
    return "vision.cache.prune", {"older_than_days": older_than_days, "max_bytes": max_bytes, "dry_run": dry_run}
