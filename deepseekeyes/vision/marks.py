"""The entries of an evidence record as marks on its picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeGuard

from deepseekeyes.contracts.evidence import EvidenceRecord
from deepseekeyes.contracts.shown import BoxCounts
from deepseekeyes.core.geometry import Box, contained
from deepseekeyes.imaging.draw import LegendEntry, Outline

Kind = Literal["ocr", "regions", "objects", "observations"]


class Style(NamedTuple):
    """How a list of the evidence is called and drawn: title, letter before its numbers, key of its text, colour."""

    title: str
    letter: str
    text: str
    colour: tuple[int, int, int]


STYLES: Mapping[Kind, Style] = {
    "ocr": Style("Text", "", "text", (37, 99, 235)),
    "regions": Style("Regions", "R", "description", (147, 51, 234)),
    "objects": Style("Objects", "O", "name", (5, 130, 88)),
    "observations": Style("Observations", "F", "fact", (202, 92, 5)),
}
ASKED: tuple[int, int, int] = (219, 39, 119)


@dataclass(frozen=True, slots=True)
class Mark:
    """One entry of the evidence.

    Attributes:
        kind: the list it stands in.
        tag: its number in that list, with the list's letter.
        text: what it says.
        box: normalised; None when the record holds no legal box for it.
        confidence: 0..1 where the list has one.
        details: identifier and attributes.
    """

    kind: Kind
    tag: str
    text: str
    box: Box | None
    confidence: float | None = None
    details: tuple[str, ...] = ()


def marks_of(record: EvidenceRecord) -> tuple[Mark, ...]:
    """Every entry of a record's lists, text first, in the record's order."""
    return tuple(mark for kind in STYLES for mark in _listed(kind, record.evidence.get(kind)))


def counted(marks: Sequence[Mark]) -> BoxCounts:
    """Drawable marks by list."""
    return BoxCounts(**{kind: sum(mark.kind == kind and mark.box is not None for mark in marks) for kind in STYLES})


def outlines_of(marks: Sequence[Mark], record: EvidenceRecord) -> tuple[Outline, ...]:
    """Marks as boxes to draw; the region that was asked about is a dashed frame."""
    drawn = [Outline(mark.box, mark.tag, STYLES[mark.kind].colour) for mark in marks if mark.box is not None]
    if record.region is not None:
        asked = Box(record.region.x, record.region.y, record.region.width, record.region.height)
        drawn.append(Outline(asked, "", ASKED, dashed=True))
    return tuple(drawn)


def legend_of(marks: Sequence[Mark], record: EvidenceRecord) -> tuple[LegendEntry, ...]:
    """A legend of the lists that have boxes, with their counts."""
    counts = counted(marks)
    entries = [
        LegendEntry(style.colour, f"{style.title} {getattr(counts, kind)}")
        for kind, style in STYLES.items()
        if getattr(counts, kind)
    ]
    if record.region is not None:
        entries.append(LegendEntry(ASKED, "Region asked about"))
    return tuple(entries) or (LegendEntry((108, 117, 125), "No boxes in this evidence"),)


def _listed(kind: Kind, entries: Any) -> Iterator[Mark]:
    style = STYLES[kind]
    for number, entry in enumerate(entries if isinstance(entries, list) else (), 1):
        if not isinstance(entry, dict):
            continue
        confidence = entry.get("confidence")
        yield Mark(
            kind=kind,
            tag=f"{style.letter}{number}",
            text=str(entry.get(style.text, "")),
            box=_box(entry.get("bbox")),
            confidence=float(confidence) if _is_number(confidence) else None,
            details=tuple(_details(entry)),
        )


def _details(entry: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(entry.get("id"), str):
        yield entry["id"]
    attributes = entry.get("attributes")
    yield from (str(attribute) for attribute in (attributes if isinstance(attributes, list) else ()))


def _box(value: Any) -> Box | None:
    if not isinstance(value, list) or len(value) != 4 or not all(map(_is_number, value)) or not contained(value):
        return None
    return Box(*(float(number) for number in value))


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
