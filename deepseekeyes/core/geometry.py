"""Boxes and the affine map between an upright source and what was sent to a route."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

OVERSHOOT = 1e-6


class Box(NamedTuple):
    """A rectangle `[x, y, width, height]`; the unit (pixels or normalised 0..1) is the caller's."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def intersection(self, other: Box) -> Box | None:
        """The shared area, or None when the boxes do not overlap."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        width, height = min(self.right, other.right) - x, min(self.bottom, other.bottom) - y
        return Box(x, y, width, height) if width > 0 and height > 0 else None

    def iou(self, other: Box) -> float:
        """Intersection over union, 0..1."""
        shared = self.intersection(other)
        if shared is None:
            return 0.0
        area = shared.width * shared.height
        return area / (self.width * self.height + other.width * other.height - area)


def rounded(value: float, digits: int = 9) -> float:
    """Round for a document; negative zero becomes zero."""
    return round(value, digits) + 0.0


def contained(box: Sequence[float]) -> bool:
    """Whether a normalised box is legal: origin in 0..1, positive size, inside the picture within 1e-6."""
    x, y, width, height = box
    return (
        0 <= x <= 1
        and 0 <= y <= 1
        and 0 < width <= 1
        and 0 < height <= 1
        and x + width <= 1 + OVERSHOOT
        and y + height <= 1 + OVERSHOOT
    )


class Affine(NamedTuple):
    """`target = source * scale + offset`, per axis, in pixels.

    The source is the upright picture, the target a rendition of it. A crop has a negative offset, padding a positive
    one, so one map covers resizing, cropping and padding.
    """

    scale_x: float = 1.0
    scale_y: float = 1.0
    offset_x: float = 0.0
    offset_y: float = 0.0

    def forward(self, box: Box) -> Box:
        """A box in source pixels as a box in target pixels."""
        return Box(
            box.x * self.scale_x + self.offset_x,
            box.y * self.scale_y + self.offset_y,
            box.width * self.scale_x,
            box.height * self.scale_y,
        )

    def inverse(self, box: Box) -> Box:
        """A box in target pixels as a box in source pixels."""
        return Box(
            (box.x - self.offset_x) / self.scale_x,
            (box.y - self.offset_y) / self.scale_y,
            box.width / self.scale_x,
            box.height / self.scale_y,
        )


def to_pixels(box: Sequence[float], width: float, height: float) -> Box:
    """A normalised box in pixels of a picture of that size."""
    return Box(box[0] * width, box[1] * height, box[2] * width, box[3] * height)


def to_normalised(box: Box, width: float, height: float) -> Box:
    """A pixel box as a fraction of a picture of that size."""
    return Box(box.x / width, box.y / height, box.width / width, box.height / height)
