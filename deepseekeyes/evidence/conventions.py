"""Which coordinates an answer speaks: one convention for the whole answer.

A route may declare its convention; then it binds. Only undeclared answers are inferred, from all boxes together, and
what stays open is said (`ambiguous`). An answer that speaks two conventions is refused, never sorted out box by box.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.names import nearest
from deepseekeyes.evidence.codes import PICTURE_SIZE_NEEDED, UNKNOWN_CONVENTION
from deepseekeyes.evidence.repair import Form

Convention = Literal["normalized", "pixel", "0-1000", "0-999", "yxyx-1000"]
Numbers = tuple[float, float, float, float]

OVERSHOOT = 0.01
LARGE = 2.0
_EPSILON = 1e-6
_GRIDS: Mapping[str, float] = {"0-1000": 1000.0, "0-999": 999.0, "yxyx-1000": 1000.0}


@dataclass(frozen=True, slots=True)
class RawBox:
    """A box as the answer gave it: JSON pointer, four finite numbers, and its form where its spelling told it."""

    path: str
    numbers: Numbers
    form: Form | None = None


class Refusal(NamedTuple):
    """Why an answer's boxes cannot be read: the first box at fault, and the reason."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Decision:
    """How all boxes of an answer are read.

    Attributes:
        convention: the scale.
        form: what the four numbers are.
        declared: whether the route's declaration is what was used.
        ambiguous: whether another reading fits as well.
        refusal: why the answer as a whole cannot be read; None when it can.
    """

    convention: Convention
    form: Form
    declared: bool
    ambiguous: bool = False
    refusal: Refusal | None = None

    @property
    def label(self) -> str:
        """The convention as a document names it."""
        if self.convention == "normalized":
            return "normalized" if self.form == "xywh" else "normalized-xyxy"
        if self.convention == "yxyx-1000":
            return self.convention
        return f"{self.convention}-{self.form}"

    def corner_form(self, box: RawBox) -> Form:
        """The form of one box: its own spelling, else the answer's."""
        return box.form or self.form


def known_convention(word: str | None) -> Convention | None:
    """A declared convention, checked.

    Raises:
        EyesError: UNKNOWN_CONVENTION.
    """
    words = get_args(Convention)
    if word is None:
        return None
    found: Convention | None = next((known for known in words if known == word), None)
    if found is None:
        raise EyesError(
            UNKNOWN_CONVENTION,
            f"There is no coordinate convention {word[:40]!r}.",
            details={"candidates": list(words)},
            nearest=nearest(word, words) or "normalized",
        )
    return found


def decide(boxes: Sequence[RawBox], declared: Convention | None, size: tuple[float, float] | None) -> Decision:
    """Read the convention of an answer off all its boxes.

    Args:
        boxes: every box with four finite numbers.
        declared: the route's convention, when it declares one.
        size: width and height in pixels of the picture that was sent; None when unknown.

    Raises:
        EyesError: PICTURE_SIZE_NEEDED, when the boxes are pixels and the size is unknown.
    """
    large = [box for box in boxes if max(box.numbers) >= LARGE and not _has_fraction(box)]
    small = [box for box in boxes if max(box.numbers) <= 1 + OVERSHOOT and _has_fraction(box)]
    scale = declared or ("pixel" if _any_large(boxes) else "normalized")
    if large and small:
        reason = f"is a fraction of the picture, {large[0].path} is not; one answer has one convention"
        return Decision(scale, "xywh", declared is not None, refusal=Refusal(small[0].path, reason))
    if scale == "normalized":
        return _normalized(boxes, declared is not None)
    if not _any_large(boxes):
        whole = bool(boxes) and not small
        return _normalized(boxes, declared=not boxes, ambiguous=whole, scale=scale)
    if scale == "pixel":
        return _pixels(boxes, declared is not None, size)
    return _grid(boxes, scale)


def _normalized(
    boxes: Sequence[RawBox], declared: bool, *, ambiguous: bool = False, scale: Convention = "normalized"
) -> Decision:
    """Fractions of the picture. With no box at all, the declared scale is kept, as nothing speaks against it."""
    if not boxes and declared:
        return Decision(scale, "xywh" if scale in {"normalized", "pixel"} else "xyxy", declared)
    if not declared:
        form, refusal, _ = _form(boxes, (1.0, 1.0), spare=1)
        return Decision("normalized", form, declared, ambiguous, refusal)
    large = [box for box in boxes if max(box.numbers) >= LARGE]
    refusal = None
    if large and not _minor(large, boxes):
        top = max(max(box.numbers) for box in large)
        reason = f"values up to {top:g} are no fractions of the picture; they look like pixels or a 0-1000 grid"
        refusal = Refusal(large[0].path, reason)
    return Decision("normalized", "xywh", declared, refusal=refusal)


def _pixels(boxes: Sequence[RawBox], declared: bool, size: tuple[float, float] | None) -> Decision:
    if size is None or min(size) <= 0:
        raise EyesError(PICTURE_SIZE_NEEDED, "The boxes look like pixels, and the size of the picture is unknown.")
    form, refusal, voted = _form(boxes, size)
    grid = not declared and all(_is_grid_corners(box) for box in boxes)
    if grid and any(not _fits(box, "xywh", size) and not _fits(box, "xyxy", size) for box in boxes):
        top = max(max(box.numbers) for box in boxes)
        reason = (
            f"values up to {top:g} do not fit a picture of {size[0]:g}x{size[1]:g} pixels; "
            'they look like a 0-1000 grid, which the route must declare (coordinates = "0-1000")'
        )
        refusal = Refusal(max(boxes, key=lambda box: max(box.numbers)).path, reason)
    other_scale = grid and (form == "xywh" or size != (1000.0, 1000.0))
    return Decision("pixel", form, declared, ambiguous=not voted or other_scale, refusal=refusal)


def _grid(boxes: Sequence[RawBox], scale: Convention) -> Decision:
    impossible = [box for box in boxes if box.form != "xywh" and not _ordered(box)]
    refusal = None
    if impossible and not _minor(impossible, boxes):
        refusal = Refusal(impossible[0].path, impossible_corners(impossible[0].numbers, scale))
    return Decision(scale, "xyxy", declared=True, refusal=refusal)


def impossible_corners(numbers: Numbers, scale: Convention) -> str:
    """Why four numbers are not two opposite corners, and what they probably are."""
    likely = "[x, y, width, height]" if scale != "yxyx-1000" else "x first, or a width and a height"
    shown = ", ".join(f"{number:g}" for number in numbers)
    return f"[{shown}] read as corners ends before it begins; it looks like {likely}"


def grid_size(scale: Convention) -> float | None:
    """The largest value of a grid convention; None for the others."""
    return _GRIDS.get(scale)


def _form(boxes: Sequence[RawBox], size: tuple[float, float], spare: int = 0) -> tuple[Form, Refusal | None, bool]:
    """The form all boxes share, why there is none, and whether any box decided it.

    Args:
        boxes: all boxes; those whose spelling told their form speak only when no other does.
        size: the space they lie in.
        spare: how many boxes possible only as corners are taken for overlarge ones among sized boxes.
    """
    plain = [box for box in boxes if box.form is None]
    by_size = [box for box in plain if _fits(box, "xywh", size) and not _fits(box, "xyxy", size)]
    by_corners = [box for box in plain if _fits(box, "xyxy", size) and not _fits(box, "xywh", size)]
    if by_size and by_corners:
        return _majority(by_size, by_corners, len(boxes), spare)
    if by_size or by_corners:
        return ("xywh" if by_size else "xyxy"), None, True
    spelled = {box.form for box in boxes if box.form is not None}
    if len(spelled) == 1:
        return ("xyxy" if "xyxy" in spelled else "xywh"), None, True
    return "xywh", None, not plain


def _majority(
    by_size: list[RawBox], by_corners: list[RawBox], total: int, spare: int
) -> tuple[Form, Refusal | None, bool]:
    """Two forms in one answer: a few stragglers are illegal boxes of the other form, more than that is a mixture."""
    if len(by_size) > len(by_corners) and len(by_corners) <= max(spare, total // 10):
        return "xywh", None, True
    if len(by_corners) > len(by_size) and len(by_size) <= total // 10:
        return "xyxy", None, True
    reason = (
        f"is only possible as [x, y, width, height], {by_corners[0].path} only as corners; "
        "one answer has one convention"
    )
    return "xywh", Refusal(by_size[0].path, reason), True


def _fits(box: RawBox, form: Form, size: tuple[float, float]) -> bool:
    """Whether a box lies in the picture when read in that form, within the tolerated overshoot."""
    left, top, third, fourth = box.numbers
    width, height = size
    slack_x, slack_y = width * OVERSHOOT + _EPSILON, height * OVERSHOOT + _EPSILON
    if form == "xyxy" and not _ordered(box):
        return False
    right, bottom = (third, fourth) if form == "xyxy" else (left + third, top + fourth)
    inside = left >= -slack_x and top >= -slack_y and right <= width + slack_x and bottom <= height + slack_y
    return inside and (form == "xyxy" or (third >= 0 and fourth >= 0))


def _ordered(box: RawBox) -> bool:
    return box.numbers[2] >= box.numbers[0] and box.numbers[3] >= box.numbers[1]


def _is_grid_corners(box: RawBox) -> bool:
    return min(box.numbers) >= 0 and max(box.numbers) <= 1000 and _ordered(box)


def _has_fraction(box: RawBox) -> bool:
    return any(0 < number < 1 for number in box.numbers)


def _any_large(boxes: Sequence[RawBox]) -> bool:
    return any(max(box.numbers) >= LARGE for box in boxes)


def _minor(part: Sequence[RawBox], boxes: Sequence[RawBox]) -> bool:
    """Whether a part is at most a tenth of the whole."""
    return len(part) * 10 <= len(boxes)
