"""What an evidence document says was seen, read leniently: a judge must never raise on what it judges."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from deepseekeyes.core.geometry import Box

MOST = 256
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Text:
    """A reported text with its normalised box, None when the box is not one."""

    text: str
    box: Box | None


@dataclass(frozen=True, slots=True)
class Thing:
    """A reported object: the lower-case words of its name and attributes, and its normalised box."""

    name: str
    words: frozenset[str]
    box: Box | None


@dataclass(frozen=True, slots=True)
class Seen:
    """The texts and objects of a document, at most 256 of each."""

    texts: tuple[Text, ...]
    things: tuple[Thing, ...]

    @property
    def truncated(self) -> bool:
        return len(self.texts) >= MOST or len(self.things) >= MOST


def evidence_in(document: Any) -> dict[str, Any] | None:
    """The evidence of a bare evidence object or of a record, None when the value is neither."""
    if not isinstance(document, dict):
        return None
    inner = document.get("evidence")
    schema = document.get("schema")
    if isinstance(inner, dict) and isinstance(schema, str) and schema.startswith("deepseekeyes.evidence-record."):
        return inner
    version = document.get("schemaVersion")
    if isinstance(version, str) and version.startswith(("deepseekeyes.evidence.", "deepseekeyes.target.")):
        return document
    return None


def seen_in(evidence: dict[str, Any]) -> Seen:
    """The texts and objects of an evidence object; entries without the expected members are passed over."""
    texts = tuple(
        Text(entry["text"], _box(entry.get("bbox"))) for entry in _entries(evidence, "ocr") if _is_text(entry, "text")
    )
    things = tuple(
        Thing(entry["name"], _words(entry), _box(entry.get("bbox")))
        for entry in _entries(evidence, "objects")
        if _is_text(entry, "name")
    )
    return Seen(texts, things)


def _entries(evidence: dict[str, Any], field: str) -> Iterator[dict[str, Any]]:
    value = evidence.get(field)
    for entry in value[:MOST] if isinstance(value, list) else ():
        if isinstance(entry, dict):
            yield entry


def _is_text(entry: dict[str, Any], field: str) -> bool:
    return isinstance(entry.get(field), str)


def _words(entry: dict[str, Any]) -> frozenset[str]:
    attributes = entry.get("attributes")
    parts = [entry["name"], *(attributes if isinstance(attributes, list) else ())]
    return frozenset(word for part in parts if isinstance(part, str) for word in _WORD.findall(part.lower()))


def _box(value: Any) -> Box | None:
    numbers = numbers_in(value)
    return None if numbers is None else Box(*numbers)


def numbers_in(value: Any) -> tuple[float, float, float, float] | None:
    """Four finite numbers as floats, None for anything else."""
    if not isinstance(value, list | tuple) or len(value) != 4:
        return None
    numbers: list[float] = []
    for item in value:
        if isinstance(item, bool) or not isinstance(item, int | float) or abs(item) > 1e9 or not math.isfinite(item):
            return None
        numbers.append(float(item))
    return numbers[0], numbers[1], numbers[2], numbers[3]
