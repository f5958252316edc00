"""The order of routes and why."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.render.screen import Screen


def routes(document: Any, screen: Screen) -> None:
    """Those that may serve, in order, then those left out with their reasons."""
    serving = [row for row in document.items if row.position is not None]
    left_out = [row for row in document.items if row.position is None]
    screen.heading(f"{document.capability}: {len(serving)} may serve")
    screen.table(
        ("", "route", "model", "circuit", "sight", "health", "why here"),
        [
            (row.position, row.id, _short(row.model), _circuit(row), row.verification, row.health, row.reason)
            for row in serving
        ],
        fold=6,
    )
    if left_out:
        screen.line()
        screen.heading("left out")
        screen.table(("route", "why"), [(row.id, row.reason) for row in left_out], fold=1)


def _circuit(row: Any) -> str:
    return row.circuit if row.returns_in_seconds is None else f"{row.circuit}, {row.returns_in_seconds:.0f} s"


def _short(model: str) -> str:
    return model if len(model) <= 40 else model[:39] + "…"
