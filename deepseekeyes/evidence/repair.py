"""Structural repair: the same facts in the shape the contract asks for.

Only spellings that leave no doubt are changed, each change is listed, and doing it twice changes nothing more.
Everything else is left for validation to refuse.
"""

from __future__ import annotations

import copy
import math
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from deepseekeyes.contracts.evidence import Repair, Variant
from deepseekeyes.evidence.grounding import corners, grounded
from deepseekeyes.evidence.schema import ListField, shape

Form = Literal["xywh", "xyxy"]

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_PERCENT = re.compile(r"(?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))%")
_BLANK = " \t\r\n\f\v\ufeff\u00a0\u2028\u2029"
_LARGEST = sys.float_info.max
_BY_SIZE = ("x", "y", "width", "height")
_BY_CORNERS = ("x1", "y1", "x2", "y2")


@dataclass(frozen=True, slots=True)
class Repaired:
    """The repaired copy, what was done to it, and the boxes (by JSON pointer) whose spelling told their form."""

    evidence: dict[str, Any]
    repairs: tuple[Repair, ...]
    forms: Mapping[str, Form] = field(default_factory=dict)


def repair(document: Mapping[str, Any], variant: Variant) -> Repaired:
    """A deep copy of the document in the shape of the variant, as far as that is certain."""
    form = shape(variant)
    work = _Work(copy.deepcopy(dict(document)))
    work.constant(form.version)
    for listed in form.lists:
        work.list_field(listed)
    for listed in form.lists:
        entries = work.document.get(listed.name)
        if listed.entry == "object" and isinstance(entries, list):
            for index, entry in enumerate(entries):
                if isinstance(entry, dict):
                    work.entry(entry, f"/{listed.name}/{index}", listed.text)
    order = ("schemaVersion", form.headline, *(listed.name for listed in form.lists))
    ordered = {name: work.document[name] for name in order if name in work.document}
    return Repaired({**ordered, **work.document}, tuple(work.repairs), work.forms)


class _Work:
    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.repairs: list[Repair] = []
        self.forms: dict[str, Form] = {}

    def note(self, path: str, action: str, original: Any, canonical: Any) -> None:
        self.repairs.append(
            Repair(path=path, action=action, original=copy.deepcopy(original), canonical=copy.deepcopy(canonical))
        )

    def constant(self, version: str) -> None:
        if "schemaVersion" not in self.document:
            self.document["schemaVersion"] = version
            self.note("/schemaVersion", "contract-constant", None, version)

    def list_field(self, listed: ListField) -> None:
        value = self.document.get(listed.name)
        if value is None:
            self.document[listed.name] = []
            self.note(f"/{listed.name}", "empty-list", None, [])
        elif isinstance(value, dict if listed.entry == "object" else str):
            self.document[listed.name] = [value]
            self.note(f"/{listed.name}", "singleton-list", value, [value])

    def entry(self, entry: dict[str, Any], path: str, words: str | None) -> None:
        self._words(entry, path, words)
        self._confidence(entry, path)
        self._box(entry, f"{path}/bbox")
        self._attributes(entry, f"{path}/attributes")

    def _words(self, entry: dict[str, Any], path: str, words: str | None) -> None:
        """Take words, and a missing box, out of grounding tokens; take a four-number `polygon` for the box it is."""
        text = entry.get(words) if words else None
        found = grounded(text) if isinstance(text, str) else None
        if found is not None:
            entry[str(words)] = found.words
            self.note(f"{path}/{words}", "grounding-tokens", text, found.words)
            if found.corners is not None and "bbox" not in entry:
                entry["bbox"] = found.corners
                self.forms[f"{path}/bbox"] = "xyxy"
                self.note(f"{path}/bbox", "grounding-tokens", text, found.corners)
        polygon = entry.get("polygon")
        if "bbox" not in entry and isinstance(polygon, list) and _numbers(polygon) is not None:
            entry["bbox"] = entry.pop("polygon")
            self.note(f"{path}/bbox", "shape-by-length", {"polygon": polygon}, polygon)

    def _confidence(self, entry: dict[str, Any], path: str) -> None:
        value = entry.get("confidence")
        number = decimal(value) if isinstance(value, str) else None
        if number is not None:
            entry["confidence"] = number
            self.note(f"{path}/confidence", "number", value, number)

    def _box(self, entry: dict[str, Any], path: str) -> None:
        value = entry.get("bbox")
        if isinstance(value, str):
            box = corners(value)
            if box is not None:
                self.forms[path] = "xyxy"
                entry["bbox"] = box
                self.note(path, "grounding-tokens", value, box)
            return
        box, form = _keyed(value) if isinstance(value, dict) else (_numbers(value), None)
        if box is None:
            return
        if form is not None:
            self.forms[path] = form
        if box != value:
            entry["bbox"] = box
            self.note(path, "bbox-array", value, box)

    def _attributes(self, entry: dict[str, Any], path: str) -> None:
        if "attributes" not in entry:
            if "name" in entry:
                entry["attributes"] = []
                self.note(path, "empty-list", None, [])
            return
        value = entry["attributes"]
        if value is None:
            entry["attributes"] = []
            self.note(path, "empty-list", None, [])
        elif isinstance(value, str):
            entry["attributes"] = [value]
            self.note(path, "singleton-list", value, [value])


def decimal(text: str) -> float | None:
    """The number that a string spells in ASCII digits (`0.9`, `.5`, `1.`, `+9e-1`, `95%`); None when it spells none."""
    trimmed = text.strip(_BLANK)
    if len(trimmed) > 40:
        return None
    if _DECIMAL.fullmatch(trimmed):
        value = float(trimmed)
        return _plain(value) if math.isfinite(value) else None
    percent = _PERCENT.fullmatch(trimmed)
    return _plain(float(percent["number"]) / 100) if percent else None


def _plain(value: float) -> float:
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _numbers(value: Any) -> list[float] | None:
    """Four numbers, spelled as numbers or as strings."""
    if not isinstance(value, list) or len(value) != 4:
        return None
    found = [decimal(item) if isinstance(item, str) else item for item in value]
    numbers = [item for item in found if item is not None and is_number(item)]
    return numbers if len(numbers) == 4 else None


def _keyed(value: dict[str, Any]) -> tuple[list[float] | None, Form | None]:
    """A box spelled with keys: by size, else by corners."""
    if all(key in value for key in _BY_SIZE):
        return _numbers([value[key] for key in _BY_SIZE]), "xywh"
    if all(key in value for key in _BY_CORNERS):
        return _numbers([value[key] for key in _BY_CORNERS]), "xyxy"
    return None, None


def is_number(value: Any) -> bool:
    """Whether a JSON value is a finite number; booleans are not numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -_LARGEST <= value <= _LARGEST
