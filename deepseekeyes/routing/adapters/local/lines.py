"""From pixels to lines of text: find, cut out upright, recognise, and settle which way the text runs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from deepseekeyes.core.geometry import Box
from deepseekeyes.routing.adapters.local.detector import Detector
from deepseekeyes.routing.adapters.local.recogniser import Reading, Recogniser
from deepseekeyes.routing.adapters.local.stopping import Stop
from deepseekeyes.routing.local_settings import LocalEyeSettings

Array: TypeAlias = Any
Turn = Literal[0, 90, 180, 270]
"""Degrees clockwise by which text is turned away from upright: 90 runs downward, 270 upward, 180 upside down."""

TALL = 1.5
SURELY_TALL = 3.0
LEGIBLE = 0.5
DOUBTFUL = 0.6
BETTER = 0.15
DENSE = 1.0
DENSE_LEGIBLE = 0.8
FULLER = 1.5
LONG = 3.0
THIN = 1.2
UPRIGHT_BONUS = 0.05
CONTRAST = 48
EDGE = 0.9
GAP = 0.12
SPARSE = 0.3
"""Characters for each height of a line's length below which its reading is no reading: letters outside the network's
alphabet come out as nothing, so a line of them is a few punctuation marks, stated with confidence."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text.

    Attributes:
        text: as read.
        box: around it, in pixels of the picture.
        confidence: mean over its characters, 0..1.
        turn: how it is turned.
        ink: height of what is drawn, in pixels; boxes keep a varying distance from the letters.
        tilt: degrees by which its base line falls to the right.
        extent: width and height of the slanting rectangle that holds it; the box's own when None.
    """

    text: str
    box: Box
    confidence: float
    turn: Turn = 0
    ink: float = 0.0
    tilt: float = 0.0
    extent: tuple[float, float] | None = None

    @property
    def size(self) -> float:
        """Height of the text in pixels, whichever way it runs."""
        return self._sides[1]

    @property
    def length(self) -> float:
        """Length of the text in pixels, whichever way it runs."""
        return self._sides[0]

    @property
    def _sides(self) -> tuple[float, float]:
        wide, high = self.extent or (self.box.width, self.box.height)
        return (wide, high) if self.turn in (0, 180) else (high, wide)


@dataclass(frozen=True, slots=True)
class Found:
    """What was read, and what was not: boxes that look like text but are illegible, and boxes beyond the limit."""

    lines: tuple[Line, ...]
    illegible: tuple[Box, ...] = ()
    omitted: int = 0


def read_lines(
    pixels: Array, detector: Detector, recogniser: Recogniser, bounds: LocalEyeSettings, stop: Stop
) -> Found:
    """All lines of a BGR picture, in no useful order.

    Args:
        pixels: `(height, width, 3)`.
        detector: finds lines.
        recogniser: reads them.
        bounds: of the search, and the most lines to read; the largest ones are kept.
        stop: looked at between lines.

    Raises:
        ReadingStopped: it was asked to stop.
    """
    searched = detector.find(pixels, bounds, stop)
    quads = sorted(searched.quads, key=lambda quad: (-_area(quad), float(quad[0, 1]), float(quad[0, 0])))
    kept = quads[: bounds.max_lines]
    crops = [cut(pixels, quad) for quad in kept]
    lines, illegible = [], []
    for quad, crop, (reading, turn) in zip(kept, crops, _readings(crops, recogniser, stop), strict=True):
        text = " ".join(reading.text.split())
        sides = (float(crop.shape[1]), float(crop.shape[0]))
        line = Line(text, _box(quad), reading.confidence, turn, _ink(crop, turn), _tilt(quad), sides)
        if legible(line):
            lines.append(line)
        else:
            illegible.append(line.box)
    return Found(tuple(lines), tuple(illegible), len(quads) - len(kept) + searched.skipped)


def legible(line: Line) -> bool:
    """Whether the reading deserves to be called text."""
    full = density(line.text, line.length / line.size)
    if line.confidence < LEGIBLE or full < SPARSE:
        return False
    return line.confidence >= DENSE_LEGIBLE or full >= DENSE


def density(text: str, heights: float) -> float:
    """Characters for each height of a line's length: about 1.4 for Chinese and 2 to 3 for Latin text."""
    return len(text.replace(" ", "")) / max(1.0, heights)


def cut(pixels: Array, quad: Array) -> Array:
    """The quad's content, straightened; a line that stands on end stays so."""
    import cv2
    import numpy as np

    def side(first: int, second: int) -> float:
        return float(np.linalg.norm(quad[first] - quad[second]))

    wide, high = max(1, int(max(side(0, 1), side(3, 2)))), max(1, int(max(side(0, 3), side(1, 2))))
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], dtype=np.float32)
    if _upright(quad):
        left, top = (int(value) for value in quad[0])
        return pixels[top : top + high, left : left + wide]
    turned = cv2.getPerspectiveTransform(quad, corners)
    return cv2.warpPerspective(pixels, turned, (wide, high), borderMode=cv2.BORDER_REPLICATE, flags=cv2.INTER_CUBIC)


def _ink(crop: Array, turn: Turn) -> float:
    """Height of the rows (of the columns, where text stands on end) that differ from the paper.

    Rows that differ throughout, or lie apart from the rest, are the edge of a panel and no letters.
    """
    import numpy as np

    step = max(1, crop.shape[0] * crop.shape[1] // 20_000)
    paper = np.median(crop.reshape(-1, 3)[::step], axis=0)
    differs = np.abs(crop.astype(np.int16) - paper.astype(np.int16)).max(axis=2) > CONTRAST
    share = differs.mean(axis=1 if turn in (0, 180) else 0)
    filled = np.flatnonzero((share > 0) & (share < EDGE))
    if not filled.size:
        return 0.0
    runs = np.split(filled, np.flatnonzero(np.diff(filled) > max(2, GAP * len(share))) + 1)
    tallest = max(runs, key=len)
    return float(tallest[-1] - tallest[0] + 1)


def _tilt(quad: Array) -> float:
    wide, high = (float(value) for value in quad[1] - quad[0])
    return math.degrees(math.atan2(high, wide)) if wide else 0.0


def _upright(quad: Array) -> bool:
    return bool(
        quad[0, 0] == quad[3, 0] and quad[1, 0] == quad[2, 0] and quad[0, 1] == quad[1, 1] and quad[2, 1] == quad[3, 1]
    )


def _readings(crops: list[Array], recogniser: Recogniser, stop: Stop) -> list[tuple[Reading, Turn]]:
    """The best reading of each crop. Tall ones are tried on either side, doubtful flat ones also upside down."""
    tries: list[tuple[int, Turn]] = []
    for index, crop in enumerate(crops):
        slant = crop.shape[0] / crop.shape[1]
        tries.extend((index, turn) for turn in _turns(slant))
    found = recogniser.read([_turned(crops[index], turn) for index, turn in tries], stop)
    best: dict[int, tuple[Reading, Turn]] = {}
    for (index, turn), reading in zip(tries, found, strict=True):
        if index not in best or _merit(reading, turn) > _merit(*best[index]):
            best[index] = (reading, turn)
    doubtful = [index for index, (reading, turn) in best.items() if turn == 0 and _doubtful(reading, crops[index])]
    again = recogniser.read([_turned(crops[index], 180) for index in doubtful], stop)
    for index, reading in zip(doubtful, again, strict=True):
        if _better(reading, best[index][0]):
            best[index] = (reading, 180)
    return [best[index] for index in range(len(crops))]


def _doubtful(reading: Reading, crop: Array) -> bool:
    """Whether the line may be upside down: read with little confidence, or with few letters for its length."""
    heights = crop.shape[1] / crop.shape[0]
    return reading.confidence < DOUBTFUL or (heights >= LONG and density(reading.text, heights) < THIN)


def _better(turned: Reading, upright: Reading) -> bool:
    fuller = len(turned.text) >= FULLER * len(upright.text) and turned.confidence >= upright.confidence
    return fuller or turned.confidence > upright.confidence + BETTER


def _turns(slant: float) -> tuple[Turn, ...]:
    if slant < TALL:
        return (0,)
    return (0, 270, 90) if slant < SURELY_TALL else (270, 90)


def _merit(reading: Reading, turn: Turn) -> float:
    return reading.confidence + (UPRIGHT_BONUS if turn == 0 and reading.text else 0.0)


def _turned(crop: Array, turn: Turn) -> Array:
    """The crop with text that is turned by `turn` made upright."""
    import numpy as np

    return crop if turn == 0 else np.ascontiguousarray(np.rot90(crop, turn // 90))


def _area(quad: Array) -> float:
    box = _box(quad)
    return box.width * box.height


def _box(quad: Array) -> Box:
    left, top = (float(value) for value in quad.min(axis=0))
    right, bottom = (float(value) for value in quad.max(axis=0))
    return Box(left, top, max(1.0, right - left), max(1.0, bottom - top))
