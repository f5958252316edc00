"""Finds out how a route writes boxes, by comparing what it wrote with where things are.

The words are those of the catalog (`normalized pixel 0-1000 0-999 yxyx-1000`); the form says whether the last two
numbers are an extent (`xywh`) or a corner (`xyxy`, `yxyx`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean, median

from deepseekeyes.core.geometry import Box

Numbers = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Way:
    """One way of writing a box; `per` is the divisor, None for the picture's own pixels."""

    convention: str
    form: str
    per: float | None


WAYS = (
    Way("normalized", "xywh", 1),
    Way("normalized", "xyxy", 1),
    Way("0-1000", "xywh", 1000),
    Way("0-1000", "xyxy", 1000),
    Way("0-999", "xywh", 999),
    Way("0-999", "xyxy", 999),
    Way("pixel", "xywh", None),
    Way("pixel", "xyxy", None),
    Way("yxyx-1000", "yxyx", 1000),
)


@dataclass(frozen=True, slots=True)
class Fit:
    """How well one way explains the answers.

    Attributes:
        error: median over the marks of the mean distance of the four edges, as a fraction of the picture's side.
        iou: median intersection over union.
    """

    convention: str
    form: str
    error: float
    iou: float


def corners(numbers: Numbers, way: Way, width: int, height: int) -> Numbers:
    """The edges `(left, top, right, bottom)` of a written box, normalised."""
    a, b, c, d = numbers
    if way.form == "yxyx":
        a, b, c, d = b, a, d, c
    if way.form == "xywh":
        c, d = a + c, b + d
    across, down = (way.per, way.per) if way.per is not None else (width, height)
    return a / across, b / down, c / across, d / down


def best_fit(written: Mapping[str, Numbers], true: Mapping[str, Box], width: int, height: int) -> Fit | None:
    """The way that explains the boxes best, None when no box can be compared.

    Args:
        written: label to the four numbers of the answer.
        true: label to the normalised box.
        width: of the picture that was sent, in pixels.
        height: of the same.
    """
    labels = [label for label in written if label in true]
    if not labels:
        return None
    fits = [(_squares(way, written, true, labels, width, height), way) for way in WAYS]
    _, way = min(fits, key=lambda fit: fit[0])
    edges = {label: corners(written[label], way, width, height) for label in labels}
    return Fit(
        convention=way.convention,
        form=way.form,
        error=median(edge_error(edges[label], true[label]) for label in labels),
        iou=median(overlap(edges[label], true[label]) for label in labels),
    )


def edge_error(edges: Numbers, box: Box) -> float:
    """Mean distance of four edges from those of a box."""
    return fmean(abs(mine - right) for mine, right in zip(edges, (box.x, box.y, box.right, box.bottom), strict=True))


def overlap(edges: Numbers, box: Box) -> float:
    """Intersection over union of the rectangle between the edges and a box; 0 for an impossible rectangle."""
    left, top, right, bottom = edges
    if right <= left or bottom <= top:
        return 0.0
    return Box(left, top, right - left, bottom - top).iou(box)


def _squares(
    way: Way, written: Mapping[str, Numbers], true: Mapping[str, Box], labels: list[str], width: int, height: int
) -> float:
    """The median over the labels of the mean squared edge distance, so that one wild box decides nothing."""
    return median(_square(corners(written[label], way, width, height), true[label]) for label in labels)


def _square(edges: Numbers, box: Box) -> float:
    return fmean((mine - right) ** 2 for mine, right in zip(edges, (box.x, box.y, box.right, box.bottom), strict=True))
