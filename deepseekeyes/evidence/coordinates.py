"""Boxes of an answer as boxes of the picture.

What a model was sent may be a resized, padded or cropped rendition, and it may speak pixels or a grid. Every box that
has a legal form ends as `[x, y, width, height]` in fractions of the upright source; each change is listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from deepseekeyes.contracts.evidence import Coordinates, Repair, Transform, Variant
from deepseekeyes.core.geometry import Affine, Box, contained, rounded, to_normalised, to_pixels
from deepseekeyes.evidence.conventions import (
    OVERSHOOT,
    Convention,
    Decision,
    RawBox,
    Refusal,
    decide,
    grid_size,
    impossible_corners,
    known_convention,
)
from deepseekeyes.evidence.repair import Form, is_number
from deepseekeyes.evidence.schema import shape

_IDENTITY = Affine()
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Sent:
    """The picture an answer speaks about, and where it lies in the upright source.

    Attributes:
        width: of the picture that was sent, pixels; None when unknown.
        height: likewise.
        affine: source pixels to sent pixels.
        source: width and height of the upright source, pixels; None when it is what was sent.
    """

    width: float | None = None
    height: float | None = None
    affine: Affine = _IDENTITY
    source: tuple[float, float] | None = None

    @property
    def size(self) -> tuple[float, float] | None:
        return None if self.width is None or self.height is None else (self.width, self.height)

    @property
    def moved(self) -> bool:
        """Whether fractions of the sent picture differ from fractions of the source."""
        if self.size is None or self.source is None:
            return False
        (width, height), (source_width, source_height) = self.size, self.source
        covers = self.affine.forward(Box(0, 0, source_width, source_height))
        return any(abs(a - b) > 1e-9 * max(width, height) for a, b in zip(covers, (0, 0, width, height), strict=True))


@dataclass(frozen=True, slots=True)
class Normalised:
    """The outcome for one answer.

    Attributes:
        coordinates: convention and transforms for the record.
        boxes: the final box by JSON pointer.
        clamped: boxes that were cut to the picture.
        illegal: the reason by JSON pointer for each box without a legal form.
        boxed: how many entries carry a box.
        refusal: why no box can be trusted; None when they can.
    """

    coordinates: Coordinates
    boxes: Mapping[str, list[float]] = field(default_factory=dict)
    clamped: tuple[Repair, ...] = ()
    illegal: Mapping[str, str] = field(default_factory=dict)
    boxed: int = 0
    refusal: Refusal | None = None


def normalise(
    evidence: Mapping[str, Any],
    variant: Variant,
    *,
    sent: Sent,
    declared: str | None = None,
    forms: Mapping[str, Form] | None = None,
) -> Normalised:
    """Read every box of a repaired answer. The answer itself is not changed.

    Args:
        evidence: the repaired answer.
        variant: which evidence it is.
        sent: the picture it speaks about.
        declared: the route's convention, None to infer.
        forms: boxes whose spelling told their form (`repair.Repaired.forms`).

    Raises:
        EyesError: UNKNOWN_CONVENTION, PICTURE_SIZE_NEEDED.
    """
    raw, illegal = _collect(evidence, variant, forms or {})
    boxed = len(raw) + len(illegal)
    decision = decide(raw, known_convention(declared), sent.size)
    label = decision.label if raw else decision.convention
    if decision.refusal is not None:
        coordinates = Coordinates(convention=label, declared=decision.declared, ambiguous=decision.ambiguous)
        return Normalised(coordinates, boxed=boxed, illegal=illegal, refusal=decision.refusal)
    boxes: dict[str, list[float]] = {}
    transforms: list[Transform] = []
    clamped: list[Repair] = []
    for item in raw:
        placed = _place(item, decision, sent)
        if isinstance(placed, str):
            illegal[item.path] = placed
            continue
        numbers, cut = placed
        original = list(item.numbers)
        boxes[item.path] = numbers
        if numbers != original:
            transforms.append(
                Transform(path=item.path, convention=_label(item, decision), original=original, normalized=numbers)
            )
        if cut:
            clamped.append(Repair(path=item.path, action="clamped-box", original=original, canonical=numbers))
    coordinates = Coordinates(
        convention=label, declared=decision.declared, ambiguous=decision.ambiguous, transforms=tuple(transforms)
    )
    return Normalised(coordinates, boxes, tuple(clamped), illegal, boxed)


def replay(transform: Transform, sent: Sent) -> list[float] | None:
    """The box that a recorded transform leads to when it is done again; None when it leads to none.

    Args:
        transform: path, convention and original numbers as a record holds them.
        sent: the picture the answer spoke about.
    """
    if len(transform.original) != 4 or not all(is_number(value) for value in transform.original):
        return None
    a, b, c, d = transform.original
    decision = _labelled(transform.convention)
    if decision is None or (decision.convention == "pixel" and sent.size is None):
        return None
    placed = _place(RawBox(transform.path, (a, b, c, d)), decision, sent)
    return None if isinstance(placed, str) else placed[0]


def _labelled(label: str) -> Decision | None:
    for convention in get_args(Convention):
        for form in get_args(Form):
            decision = Decision(convention, form, declared=True)
            if label in {decision.label, f"{convention}-{form}"}:
                return decision
    return None


def _label(item: RawBox, decision: Decision) -> str:
    return decision.label if item.form in {None, decision.form} else f"{decision.convention}-{item.form}"


def _collect(
    evidence: Mapping[str, Any], variant: Variant, forms: Mapping[str, Form]
) -> tuple[list[RawBox], dict[str, str]]:
    raw: list[RawBox] = []
    illegal: dict[str, str] = {}
    for listed in shape(variant).boxed:
        entries = evidence.get(listed.name)
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            if not isinstance(entry, dict) or "bbox" not in entry:
                continue
            path = f"/{listed.name}/{index}/bbox"
            value = entry["bbox"]
            if isinstance(value, list) and len(value) == 4 and all(is_number(item) for item in value):
                raw.append(RawBox(path, (value[0], value[1], value[2], value[3]), forms.get(path)))
            else:
                illegal[path] = _no_box(value)
    return raw, illegal


def _no_box(value: Any) -> str:
    if isinstance(value, list) and len(value) != 4:
        if len(value) >= 6 and len(value) % 2 == 0 and all(is_number(item) for item in value):
            return f"{len(value)} numbers are a polygon, not a box of four"
        return f"a list of {len(value)} is not a box of four numbers"
    if isinstance(value, list):
        return "not all four members are finite numbers"
    return "it is not a list of four numbers"


def _place(item: RawBox, decision: Decision, sent: Sent) -> tuple[list[float], bool] | str:
    """The box in the source and whether it was cut, or the reason why it has no legal form."""
    corners = _corners(item, decision, sent)
    if isinstance(corners, str):
        return corners
    box, cut = corners
    if sent.moved and sent.size is not None and sent.source is not None:
        in_source = sent.affine.inverse(to_pixels(box, *sent.size))
        visible = to_normalised(in_source, *sent.source).intersection(Box(0, 0, 1, 1))
        if visible is None:
            return "it lies outside of the picture, in the padding that was sent with it"
        whole = to_normalised(in_source, *sent.source)
        cut = cut or any(abs(a - b) > 1e-6 for a, b in zip(visible, whole, strict=True))
        box = visible
    elif not cut and decision.convention == "normalized" and decision.corner_form(item) == "xywh":
        return list(item.numbers), False
    numbers = [rounded(value) for value in box]
    return (numbers, cut) if contained(numbers) else "nothing is left of it after rounding"


def _corners(item: RawBox, decision: Decision, sent: Sent) -> tuple[Box, bool] | str:
    """The box in fractions of the sent picture, cut to it when it overshoots by no more than is tolerated."""
    a, b, c, d = item.numbers
    form = decision.corner_form(item)
    if decision.convention == "yxyx-1000":
        a, b, c, d = b, a, d, c
    across, down = _units(decision, sent)
    if form == "xyxy" or decision.convention == "yxyx-1000":
        if c < a or d < b:
            return impossible_corners(item.numbers, decision.convention)
        c, d = c - a, d - b
    box = Box(a / across, b / down, c / across, d / down)
    if box.width <= 0 or box.height <= 0:
        return "it has no extent"
    return _within(box, item)


def _units(decision: Decision, sent: Sent) -> tuple[float, float]:
    grid = grid_size(decision.convention)
    if grid is not None:
        return grid, grid
    if decision.convention == "pixel" and sent.size is not None:
        return sent.size
    return 1.0, 1.0


def _within(box: Box, item: RawBox) -> tuple[Box, bool] | str:
    if contained(box):
        return box, False
    over = max(-box.x, -box.y, box.right - 1, box.bottom - 1)
    if over > OVERSHOOT + _TOLERANCE:
        a, b, c, d = item.numbers
        hint = "; it looks like corners" if item.form is None and 0 <= a < c <= 1 and 0 <= b < d <= 1 else ""
        return f"it leaves the picture by {over:.3g} of a side{hint}"
    left, top = max(box.x, 0.0), max(box.y, 0.0)
    width, height = min(box.right, 1.0) - left, min(box.bottom, 1.0) - top
    if width <= 0 or height <= 0:
        return "it lies outside of the picture"
    return Box(left, top, width, height), True
