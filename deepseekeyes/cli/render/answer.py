"""An answer and what it rests on; attempts as a table."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.render.screen import Screen
from deepseekeyes.contracts.answer import Answer, Extract
from deepseekeyes.core.geometry import to_pixels


def answer(document: Answer, screen: Screen) -> None:
    """The answer first, unless it was shown while it arrived; then who gave it, from what, and what to know."""
    if document.mode == "extract":
        _extracts(document, screen)
    elif not screen.streamed:
        screen.line(document.answer or "")
    screen.line()
    screen.facts(
        [
            ("answered by", _by(document)),
            ("looks", "; ".join(f"{look.question} -> {look.record.evidence.get('answer')}" for look in document.looks)),
            ("tokens", document.usage.total.total or ""),
        ]
    )
    screen.bullets("notes", document.notes)
    if document.hint:
        screen.line()
        screen.line(f"hint: {document.hint}")


def attempts(document: Any, screen: Screen) -> None:
    """One line an attempt."""
    screen.table(
        ("at", "operation", "route", "phase", "status", "ms", "code"),
        [
            (row.at, row.operation, row.route, row.phase, row.status, row.duration_ms, row.error_code)
            for row in document.items
        ],
        fold=6,
    )
    if document.omitted:
        screen.line(f"... and {document.omitted} more; --limit shows them.", "dim")


def _by(document: Answer) -> str:
    count = len(document.pictures)
    pictures = "1 picture" if count == 1 else f"{count} pictures"
    if document.route is None:
        return f"nobody: this is an extract from the evidence of {pictures}"
    if document.mode == "native":
        return f"{document.route.id}, from {pictures}"
    return f"{document.route.id}, from evidence of {pictures} and {len(document.looks)} looks"


def _extracts(document: Answer, screen: Screen) -> None:
    screen.heading("extract: quoted evidence, nobody reasoned about it")
    sizes = {picture.sha256: (picture.width, picture.height) for picture in document.pictures}
    screen.table(
        ("what", "at (pixels)", "words"),
        [(one.kind, _place(one, sizes[one.image_sha256]), one.text) for one in document.extracts],
        fold=2,
    )


def _place(one: Extract, size: tuple[int, int]) -> str:
    if one.bbox is None:
        return ""
    box = to_pixels(one.bbox, *size)
    return f"{box.x:.0f},{box.y:.0f} {box.width:.0f}x{box.height:.0f}"
