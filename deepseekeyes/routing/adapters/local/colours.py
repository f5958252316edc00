"""Which colours a picture is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

Array: TypeAlias = Any

SAMPLE = 200
SHARE = 0.03
MOST = 5


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour as `#rrggbb` and the share of the picture it covers, 0..1."""

    code: str
    share: float


def dominant(pixels: Array) -> tuple[Colour, ...]:
    """The colours that cover at least three percent of a BGR picture, most first; similar ones count as one."""
    import cv2
    import numpy as np

    height, width = pixels.shape[:2]
    size = (min(width, SAMPLE), min(height, SAMPLE))
    sample = cv2.resize(pixels, size, interpolation=cv2.INTER_NEAREST).reshape(-1, 3)
    coarse = sample.astype(np.int32) >> 5
    keys = (coarse[:, 0] << 6) | (coarse[:, 1] << 3) | coarse[:, 2]
    counts = np.bincount(keys, minlength=512)
    found = []
    for key in np.argsort(-counts, kind="stable")[:MOST].tolist():
        share = float(counts[key]) / len(sample)
        if share >= SHARE:
            found.append(Colour(code_of(np.median(sample[keys == key], axis=0)), round(share, 2)))
    return tuple(found)


def code_of(bgr: Array) -> str:
    """`#rrggbb` of one BGR value."""
    blue, green, red = (int(value) for value in bgr)
    return f"#{red:02x}{green:02x}{blue:02x}"
