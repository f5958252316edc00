"""Any document as an indented outline."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.render.screen import Screen
from deepseekeyes.contracts.document import Document


def outline(document: Document, screen: Screen) -> None:
    """Every field, nested by indentation."""
    values = document.to_json()
    values.pop("schema", None)
    _mapping(values, screen, 0)


def _mapping(values: dict[str, Any], screen: Screen, depth: int) -> None:
    for name, value in values.items():
        _entry(name, value, screen, depth)


def _entry(name: str, value: Any, screen: Screen, depth: int) -> None:
    lead = "  " * depth
    if isinstance(value, dict) and value:
        screen.line(f"{lead}{name}:")
        _mapping(value, screen, depth + 1)
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        screen.line(f"{lead}{name}:")
        for position, item in enumerate(value):
            _entry(str(position + 1), item, screen, depth + 1)
    elif value not in (None, [], {}):
        shown = ", ".join(_plain(item) for item in value) if isinstance(value, list) else _plain(value)
        screen.line(f"{lead}{name}: {shown}")


def _plain(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
