"""The short text form of a state, for models that read words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

CHARS_PER_TOKEN = 4


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def tokens(elements: Iterable[Mapping[str, Any]], text: str) -> int:
    """What the text form of a state costs a model, roughly."""
    return (sum(len(line(row)) + 1 for row in elements) + len(text)) // CHARS_PER_TOKEN


def line(row: Mapping[str, Any], *, name_chars: int = 120) -> str:
    """One control as one short line of the text form; keys as in the document."""
    parts = [str(row["ref"]), str(row["role"])]
    name = str(row.get("name") or "")
    if name:
        parts.append(_quoted(name[:name_chars]))
    if row.get("protected"):
        parts.append("protected")
    elif row.get("value"):
        parts.append("=" + _quoted(str(row["value"])[:80]))
    if row.get("options"):
        parts.append(f"[{'|'.join(row['options'])[:160]}]")
    parts += [flag for flag in ("checked", "selected", "expanded", "pressed", "focused", "invalid") if row.get(flag)]
    if row.get("enabled") is False:
        parts.append("disabled")
    if row.get("inViewport") is False:
        parts.append("offscreen")
    if row.get("frame") not in (None, "main"):
        parts.append(f"in {row['frame']}")
    return " ".join(parts)
