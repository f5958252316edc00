"""Results that are one sentence."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.render.screen import Screen


def shown(document: Any, screen: Screen) -> None:
    """Where the picture of the evidence was written."""
    count = sum(document.boxes.model_dump().values())
    screen.line(f"wrote {document.path} ({count} boxes)")
