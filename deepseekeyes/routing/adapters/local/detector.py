"""Where the text is: the detection network and the boxes it means.

The network gives a likelihood per pixel (differentiable binarisation, Liao et al. 2020). Its boxes are found as
rapidocr finds them, with one simplification: what has to grow is always a rectangle, so growing it by a distance is
adding that distance to its sides, and the polygon libraries (and a second of imports) are not needed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from deepseekeyes.routing.adapters.local.stopping import Stop
from deepseekeyes.routing.local_settings import LocalEyeSettings

Array: TypeAlias = Any
Quad: TypeAlias = Any
"""A `(4, 2)` float array of pixels: top left, top right, bottom right, bottom left."""

LIKELY = 0.3
BOX_LIKELY = 0.5
GROWTH = 1.6
SHORT_SIDE = 736
ENLARGED_PIXELS = 900_000
LARGEST_ENLARGEMENT = 2.0
SEAM = 64
TOUCH = 4


@dataclass(frozen=True, slots=True)
class Plan:
    """How a picture is shown to the network: scaled, then cut into overlapping strips `(x, y, width, height)`."""

    scale: float
    strips: tuple[tuple[int, int, int, int], ...]


def plan(width: int, height: int, *, max_pixels: int, strip_pixels: int) -> Plan:
    """Scale and strips for a picture of that size, in pixels.

    Small pictures are enlarged up to twice, as small isolated characters are missed otherwise; larger ones keep their
    pixels up to `max_pixels` in all and `strip_pixels` at a time.
    """
    area = width * height
    wanted = min(SHORT_SIDE / min(width, height), math.sqrt(ENLARGED_PIXELS / area))
    scale = min(max(wanted, 1.0), LARGEST_ENLARGEMENT, math.sqrt(max_pixels / area))
    wide, high = max(1, round(width * scale)), max(1, round(height * scale))
    count = math.ceil(wide * high / strip_pixels)
    if count == 1:
        return Plan(scale, ((0, 0, wide, high),))
    down = high >= 4 * SEAM * count or high >= wide
    length = high if down else wide
    edges = [round(length * part / count) for part in range(count + 1)]
    spans = [(max(0, start - SEAM // 2), min(length, end + SEAM // 2)) for start, end in pairwise(edges)]
    if down:
        return Plan(scale, tuple((0, start, wide, end - start) for start, end in spans))
    return Plan(scale, tuple((start, 0, end - start, high) for start, end in spans))


@dataclass(frozen=True, slots=True)
class Sighting:
    """A quad that one strip shows, and whether the strip's edge may have cut it."""

    quad: Quad
    cut: bool


@dataclass(frozen=True, slots=True)
class Searched:
    """Where text is, and how many places of a strip were not looked at because it holds too many."""

    quads: list[Quad]
    skipped: int = 0


class Detector:
    """Finds lines of text with the detection network."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._input = session.get_inputs()[0].name

    def find(self, pixels: Array, bounds: LocalEyeSettings, stop: Stop | None = None) -> Searched:
        """Quads of the text in a BGR picture `(height, width, 3)`, in its pixels, in no useful order.

        Args:
            pixels: the picture.
            bounds: how many pixels are searched in all and at a time, and how many places of one strip are looked at.
            stop: looked at before each strip and while the network runs.

        Raises:
            ReadingStopped: it was asked to stop.
        """
        import cv2
        import numpy as np

        height, width = pixels.shape[:2]
        how = plan(width, height, max_pixels=bounds.max_pixels, strip_pixels=bounds.strip_pixels)
        size = (max(1, round(width * how.scale)), max(1, round(height * how.scale)))
        kind = cv2.INTER_AREA if how.scale < 1 else cv2.INTER_CUBIC
        scaled = pixels if size == (width, height) else cv2.resize(pixels, size, interpolation=kind)
        strips, skipped, until = [], 0, stop or Stop()
        for x, y, wide, high in how.strips:
            found, more = boxes(self._strip(scaled[y : y + high, x : x + wide], until), bounds.max_lines)
            skipped += more
            inner = (x > 0, y > 0, x + wide < size[0], y + high < size[1])
            corner = np.array((x, y), np.float32)
            strips.append([Sighting(quad + corner, _cut(quad, wide, high, inner)) for quad in found])
        ratio = (width / size[0], height / size[1])
        return Searched([_within(quad * ratio, width, height) for quad in _joined(strips)], skipped)

    def _strip(self, pixels: Array, stop: Stop) -> Array:
        import cv2

        height, width = pixels.shape[:2]
        below, right = -height % 32, -width % 32
        padded = cv2.copyMakeBorder(pixels, 0, below, 0, right, cv2.BORDER_REPLICATE)
        fed = cv2.dnn.blobFromImage(padded, 1 / 127.5, (width + right, height + below), (127.5, 127.5, 127.5))
        likelihood = stop.run(self._session, {self._input: fed})[0][0, 0]
        return likelihood[:height, :width]


def boxes(likelihood: Array, most: int) -> tuple[list[Quad], int]:
    """Quads of the text in a likelihood map `(height, width)` of 0..1.

    Of more than `most` likely places the largest are looked at; the second value counts the others.
    """
    import cv2
    import numpy as np

    mask = cv2.dilate((likelihood > LIKELY).astype(np.uint8), np.ones((2, 2), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    skipped = max(0, len(contours) - most)
    if skipped:
        contours = sorted(contours, key=cv2.contourArea, reverse=True)[:most]
    found = []
    for contour in contours:
        centre, (wide, high), angle = cv2.minAreaRect(contour)
        if min(wide, high) < 3:
            continue
        if _score(likelihood, cv2.boxPoints((centre, (wide, high), angle))) < BOX_LIKELY:
            continue
        reach = wide * high * GROWTH / (2 * (wide + high))
        quad = _ordered(cv2.boxPoints((centre, (wide + 2 * reach, high + 2 * reach), angle)))
        found.append(quad)
    return found, skipped


def _score(likelihood: Array, quad: Quad) -> float:
    """Mean likelihood inside the quad."""
    import cv2
    import numpy as np

    left, top = np.maximum(np.floor(quad.min(axis=0)).astype(int), 0)
    right, bottom = np.ceil(quad.max(axis=0)).astype(int) + 1
    part = likelihood[top:bottom, left:right]
    if part.size == 0:
        return 0.0
    mask = np.zeros(part.shape, np.uint8)
    cv2.fillPoly(mask, [(quad - (left, top)).astype(np.int32)], 1)
    return float(cv2.mean(part, mask)[0])


def _ordered(points: Array) -> Quad:
    """The four corners clockwise from the top left."""
    import numpy as np

    by_x = points[np.argsort(points[:, 0], kind="stable")]
    left = by_x[:2][np.argsort(by_x[:2, 1], kind="stable")]
    right = by_x[2:][np.argsort(by_x[2:, 1], kind="stable")]
    return np.array([left[0], right[0], right[1], left[1]], dtype=np.float32)


def _within(quad: Quad, width: int, height: int) -> Quad:
    """Whole pixels inside the picture."""
    import numpy as np

    return np.clip(np.round(quad), 0, (max(1, width - 1), max(1, height - 1))).astype(np.float32)


def _cut(quad: Quad, width: int, height: int, inner: tuple[bool, bool, bool, bool]) -> bool:
    """Whether the quad touches an edge of its strip that is inside the picture (left, top, right, bottom)."""
    (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
    near = (left <= TOUCH, top <= TOUCH, right >= width - 1 - TOUCH, bottom >= height - 1 - TOUCH)
    return any(close and inside for close, inside in zip(near, inner, strict=True))


def _joined(strips: list[list[Sighting]]) -> list[Quad]:
    """All quads; of what two neighbouring strips both saw the uncut one stays, or the box around both parts."""
    kept: list[Quad] = []
    before: list[Sighting] = []
    for strip in strips:
        now = []
        for seen in strip:
            twin = next((index for index, other in enumerate(before) if _same(other.quad, seen.quad)), None)
            now.append(seen if twin is None else _better(before.pop(twin), seen))
        kept.extend(seen.quad for seen in before)
        before = now
    return kept + [seen.quad for seen in before]


def _better(first: Sighting, second: Sighting) -> Sighting:
    if not (first.cut and second.cut):
        return second if first.cut else first
    return Sighting(_around(first.quad, second.quad), second.cut)


def _same(first: Quad, second: Quad) -> bool:
    """Whether the boxes around both share at least half of the smaller one, or are one line cut at a seam."""
    left, top = max(first[:, 0].min(), second[:, 0].min()), max(first[:, 1].min(), second[:, 1].min())
    right, bottom = min(first[:, 0].max(), second[:, 0].max()), min(first[:, 1].max(), second[:, 1].max())
    wide, high = float(right - left), float(bottom - top)
    if wide <= 0 or high <= 0:
        return False
    widths = [float(quad[:, 0].max() - quad[:, 0].min()) for quad in (first, second)]
    heights = [float(quad[:, 1].max() - quad[:, 1].min()) for quad in (first, second)]
    if wide * high >= 0.5 * min(widths[0] * heights[0], widths[1] * heights[1]):
        return True
    along = high >= 0.7 * max(heights) and wide >= 0.5 * min(heights)
    down = wide >= 0.7 * max(widths) and high >= 0.5 * min(widths)
    return along or (down and min(heights) > max(widths))


def _around(first: Quad, second: Quad) -> Quad:
    import numpy as np

    both = np.concatenate((first, second))
    (left, top), (right, bottom) = both.min(axis=0), both.max(axis=0)
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], dtype=np.float32)
