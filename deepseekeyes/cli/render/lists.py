"""Any list document as a table."""

from __future__ import annotations

import re
from typing import Any

from deepseekeyes.cli.render.screen import Screen
from deepseekeyes.contracts.document import Document

WIDEST = 9
HASH = re.compile(r"[0-9a-f]{64}")
HASH_SHOWN = 12


def listed(document: Document, screen: Screen) -> None:
    """The items' plain fields as columns."""
    values = document.to_json()
    items: list[dict[str, Any]] = values.get("items", [])
    if not items:
        screen.line("none")
        return
    columns = [name for name in items[0] if not any(isinstance(item.get(name), dict) for item in items)][:WIDEST]
    columns = [name for name in columns if any(item.get(name) not in (None, [], "") for item in items)]
    screen.table(
        [_words(name) for name in columns],
        [[_plain(item.get(name)) for name in columns] for item in items],
        fold=len(columns) - 1,
    )
    if values.get("omitted"):
        screen.line(f"... and {values['omitted']} more.", "dim")


def _words(name: str) -> str:
    """`startedAt` as people write it."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower()


def _plain(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, list):
        return ", ".join(str(part) for part in value)
    return value[:HASH_SHOWN] if isinstance(value, str) and HASH.fullmatch(value) else value
