"""Reports that answer yes or no."""

from __future__ import annotations

import json
from typing import Any

from deepseekeyes.cli.render.screen import Screen

SHOWN = 120


def doctor(document: Any, screen: Screen) -> None:
    """One line a check, the fix below what needs one."""
    screen.table(("", "group", "check", "seen"), [(c.status, c.group, c.id, c.seen) for c in document.checks], fold=3)
    fixes = [check for check in document.checks if check.fix and check.status in ("failed", "warning")]
    for check in fixes:
        screen.line(f"{check.id}: {check.fix}")
    screen.line()
    screen.line("passed" if document.passed else "failed", "green" if document.passed else "bold red")


def validation(document: Any, screen: Screen) -> None:
    """Whether an answer became evidence, every repair on the way, and what is wrong."""
    screen.line(
        f"{document.variant}: " + ("valid" if document.valid else "not valid"),
        "green" if document.valid else "bold red",
    )
    if document.message:
        screen.line(document.message)
    if document.repairs:
        screen.line()
        screen.heading(f"repairs ({len(document.repairs)})")
        screen.table(
            ("at", "action", "from", "to"),
            [
                (repair.path, repair.action, _short(repair.original), _short(repair.canonical))
                for repair in document.repairs
            ],
            fold=3,
        )
    if document.coordinates and document.coordinates.transforms:
        screen.line()
        screen.heading(f"boxes read as {document.coordinates.convention}")
        screen.table(
            ("at", "from", "to"),
            [(move.path, _short(move.original), _short(move.normalized)) for move in document.coordinates.transforms],
            fold=2,
        )
    screen.bullets("dropped", [f"{note.path}: {note.reason}" for note in document.notes])
    screen.bullets("wrong", [f"{fault.path}: {fault.reason}" for fault in document.errors])


def verification(document: Any, screen: Screen) -> None:
    """One line a check of one record."""
    screen.table(("", "check", "seen"), [(check.status, check.id, check.seen) for check in document.checks], fold=2)
    screen.line()
    screen.line(
        "the record holds" if document.valid else "the record does not hold", "green" if document.valid else "bold red"
    )


def cache_verification(document: Any, screen: Screen) -> None:
    """One line a record, its failed checks beside it."""
    screen.table(
        ("", "record", "failed", "not checked"),
        [
            ("ok" if item.valid else "failed", item.record_sha256[:12], "; ".join(item.failed), "; ".join(item.skipped))
            for item in document.items
        ],
        fold=2,
    )
    failed = sum(not item.valid for item in document.items)
    screen.line(f"{document.total} records, {failed} failed")


def _short(value: Any) -> str:
    text = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
