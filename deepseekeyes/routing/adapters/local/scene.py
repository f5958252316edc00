"""Everything the local eye sees in one picture, before it is put into words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, TypeAlias

from deepseekeyes.core.geometry import Box
from deepseekeyes.routing.adapters.local.codes_scan import Symbol, scan
from deepseekeyes.routing.adapters.local.colours import Colour, dominant
from deepseekeyes.routing.adapters.local.detector import Detector
from deepseekeyes.routing.adapters.local.grouping import Groups, group
from deepseekeyes.routing.adapters.local.lines import Found, Line, Turn, read_lines
from deepseekeyes.routing.adapters.local.reading_order import order
from deepseekeyes.routing.adapters.local.recogniser import Recogniser
from deepseekeyes.routing.adapters.local.shapes import Shape, pictorial, rectangles
from deepseekeyes.routing.adapters.local.stopping import Stop
from deepseekeyes.routing.local_settings import LocalEyeSettings

Array: TypeAlias = Any

TURNED_SHARE = 0.6
LONG = 3.0
SLANTING = 1.0
STEEP = 40.0


@dataclass(frozen=True, slots=True)
class Scene:
    """What was seen, in pixels of the picture that was sent.

    Attributes:
        width: of the picture.
        height: of the picture.
        lines: in reading order.
        illegible: places that look like text but could not be read.
        omitted: lines beyond the limit.
        turn: how most of the text is turned; 0 when it is upright.
        groups: blocks and tables; their boxes are in the picture's own frame.
        symbols: QR and bar codes, the topmost first.
        colours: dominant ones.
        shapes: filled rectangles, largest first.
        pictures: areas that look like photographs or drawings.
        more_symbols: codes beyond the limit.
        bounds: what limited the reading, and what limits the lists made of it.
    """

    width: int
    height: int
    lines: tuple[Line, ...]
    illegible: tuple[Box, ...]
    omitted: int
    turn: Turn
    groups: Groups
    symbols: tuple[Symbol, ...]
    colours: tuple[Colour, ...]
    shapes: tuple[Shape, ...]
    pictures: tuple[Box, ...]
    more_symbols: int = 0
    bounds: LocalEyeSettings = field(default_factory=LocalEyeSettings)


def see(pixels: Array, detector: Detector, recogniser: Recogniser, bounds: LocalEyeSettings, stop: Stop) -> Scene:
    """Look at a BGR picture `(height, width, 3)`.

    Raises:
        ReadingStopped: it was asked to stop.
    """
    return arranged(pixels, read_lines(pixels, detector, recogniser, bounds, stop), bounds, stop)


def arranged(pixels: Array, found: Found, bounds: LocalEyeSettings | None = None, stop: Stop | None = None) -> Scene:
    """Put lines in order and add all that is seen without reading: our own layer over the engine.

    Raises:
        ReadingStopped: it was asked to stop.
    """
    bounds, until = bounds or LocalEyeSettings(), stop or Stop()
    height, width = pixels.shape[:2]
    symbols = scan(pixels)
    until.check()
    shapes = rectangles(pixels)
    until.check()
    turn = main_turn(found.lines)
    tilt = main_tilt(found.lines)
    upright = [levelled(line, turn, tilt, width, height) for line in found.lines]
    frames = [] if tilt else [righted(shape.box, turn, width, height) for shape in shapes]
    sequence = order(upright, frames)
    lines = tuple(found.lines[index] for index in sequence)
    text_boxes = tuple(line.box for line in lines)
    return Scene(
        width=width,
        height=height,
        lines=lines,
        illegible=tuple(sorted(found.illegible, key=lambda box: (-box.width * box.height, box))),
        omitted=found.omitted,
        turn=turn,
        groups=group(lines, [upright[index] for index in sequence]),
        symbols=symbols[: bounds.max_codes],
        more_symbols=max(0, len(symbols) - bounds.max_codes),
        colours=dominant(pixels),
        shapes=shapes,
        pictures=pictorial(pixels, text_boxes),
        bounds=bounds,
    )


def main_turn(lines: Sequence[Line]) -> Turn:
    """The turn of at least six tenths of all characters, else 0."""
    letters: Counter[Turn] = Counter()
    for line in lines:
        letters[line.turn] += len(line.text)
    total = sum(letters.values())
    turn, most = max(letters.items(), key=lambda item: (item[1], -item[0]), default=(0, 0))
    return turn if total and most >= TURNED_SHARE * total else 0


def main_tilt(lines: Sequence[Line]) -> float:
    """Median slope of the long lines in degrees; 0 when there are none or it is small."""
    slopes = [line.tilt for line in lines if line.turn in (0, 180) and line.length >= LONG * line.size]
    slope = median(slopes) if slopes else 0.0
    return slope if SLANTING <= abs(slope) < STEEP else 0.0


def levelled(line: Line, turn: Turn, tilt: float, width: int, height: int) -> Box:
    """The line's box as it lies after the picture was turned back and levelled; only good for comparing places."""
    box = righted(line.box, turn, width, height)
    if not tilt:
        return box
    x, y = box.x + box.width / 2, box.y + box.height / 2
    angle = math.radians(-tilt)
    across = x * math.cos(angle) - y * math.sin(angle)
    down = x * math.sin(angle) + y * math.cos(angle)
    return Box(across - line.length / 2, down - line.size / 2, line.length, line.size)


def righted(box: Box, turn: Turn, width: int, height: int) -> Box:
    """The box as it lies after a picture whose text is turned by `turn` was turned back."""
    if turn == 90:
        return Box(box.y, width - box.right, box.height, box.width)
    if turn == 180:
        return Box(width - box.right, height - box.bottom, box.width, box.height)
    if turn == 270:
        return Box(height - box.bottom, box.x, box.height, box.width)
    return box
