"""A contact sheet: frames of an animation on one picture, in reading order."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

MOST_FRAMES = 16
CELL_SIDE = 640
GAP = 8
PAPER = (96, 96, 96)


def spread(frames: int, most: int = MOST_FRAMES) -> tuple[int, ...]:
    """At most `most` distinct zero-based frames, evenly spread, the first and the last among them."""
    if frames <= most:
        return tuple(range(frames))
    return tuple(round(index * (frames - 1) / (most - 1)) for index in range(most))


def lay_out(pictures: Iterable[Image.Image], count: int) -> Image.Image:
    """Put `count` pictures of one animation on a grid, row by row, each at most `CELL_SIDE` pixels a side."""
    from PIL import Image

    from deepseekeyes.imaging.flatten import flattened

    columns = math.ceil(math.sqrt(count))
    rows = math.ceil(count / columns)
    sheet: Image.Image | None = None
    cell = (0, 0)
    for index, picture in enumerate(pictures):
        opaque, _ = flattened(picture)
        if sheet is None:
            factor = min(1.0, CELL_SIDE / max(opaque.size))
            cell = (max(1, round(opaque.width * factor)), max(1, round(opaque.height * factor)))
            sheet = Image.new("RGB", (columns * (cell[0] + GAP) + GAP, rows * (cell[1] + GAP) + GAP), PAPER)
        row, column = divmod(index, columns)
        place = (GAP + column * (cell[0] + GAP), GAP + row * (cell[1] + GAP))
        sheet.paste(opaque.resize(cell, Image.Resampling.LANCZOS) if opaque.size != cell else opaque, place)
    if sheet is None:
        raise ValueError("a contact sheet needs at least one picture")
    return sheet
