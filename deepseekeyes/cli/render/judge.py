"""Reports that answer yes or no."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.render.screen import Screen


def doctor(document: Any, screen: Screen) -> None:
    """One line a check, the fix below what needs one."""
    screen.table(("", "group", "check", "seen"), [(c.status, c.group, c.id, c.seen) for c in document.checks], fold=3)
    fixes = [check for check in document.checks if check.fix and check.status in ("failed", "warning")]
    for check in fixes:
        screen.line(f"{check.id}: {check.fix}")
    screen.line()
    screen.line("passed" if document.passed else "failed", "green" if document.passed else "bold red")
