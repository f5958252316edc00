"""Plain shapes: filled rectangles (panels, buttons, bars), and areas that look like photographs or drawings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from deepseekeyes.core.geometry import Box
from deepseekeyes.routing.adapters.local.colours import code_of

Array: TypeAlias = Any

MOST = 200
LEAST_SIDE = 12
LEAST_AREA = 400
FILLED = 0.88
PLAIN = 0.5
LARGEST = 0.98
RIM = 6.0
SAME = 0.85
RING = 4
DIFFERENT = 6
CELL = 32
BUSY_COLOURS = 24
BUSY_CELLS = 0.01


@dataclass(frozen=True, slots=True)
class Shape:
    """A rectangle, perhaps with round corners, mostly of one colour.

    Attributes:
        box: in pixels.
        fill: its colour as `#rrggbb`.
        stands_out: whether it differs from what is around it; otherwise only an outline or crossing lines make it.
    """

    box: Box
    fill: str
    stands_out: bool = True


def rectangles(pixels: Array) -> tuple[Shape, ...]:
    """Filled rectangles of a BGR picture, largest first."""
    import cv2
    import numpy as np

    height, width = pixels.shape[:2]
    edges = np.maximum.reduce([cv2.Canny(pixels[:, :, channel], 12, 36) for channel in range(3)])
    edges = cv2.dilate(edges, np.ones((2, 2), np.uint8))
    contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    boxes = []
    for contour in contours:
        x, y, wide, high = cv2.boundingRect(contour)
        if min(wide, high) < LEAST_SIDE or not LEAST_AREA <= wide * high <= LARGEST * width * height:
            continue
        if cv2.contourArea(contour) >= FILLED * (wide - 1) * (high - 1):
            boxes.append(Box(float(x), float(y), float(wide), float(high)))
    boxes.sort(key=lambda box: (-box.width * box.height, box))
    found: list[Shape] = []
    for box in boxes[: 4 * MOST]:
        if len(found) < MOST and not any(_twins(box, shape.box) for shape in found):
            fill = _fill(pixels, box)
            if fill is not None:
                found.append(Shape(box, code_of(fill), _stands_out(pixels, box, fill)))
    return tuple(found)


def _twins(first: Box, second: Box) -> bool:
    """Whether both are edges of one outline, or one slanting rectangle seen twice."""
    gaps = (first.x - second.x, first.y - second.y, first.right - second.right, first.bottom - second.bottom)
    return max(abs(gap) for gap in gaps) <= RIM or first.iou(second) >= SAME


def _stands_out(pixels: Array, box: Box, fill: Array) -> bool:
    """Whether the colour around the box is another one on any side."""
    import numpy as np

    height, width = pixels.shape[:2]
    left, top, right, bottom = (int(value) for value in (box.x, box.y, box.right, box.bottom))
    rings = (
        pixels[max(0, top - RING) : max(0, top - 1), left:right],
        pixels[min(height, bottom + 1) : bottom + RING, left:right],
        pixels[top:bottom, max(0, left - RING) : max(0, left - 1)],
        pixels[top:bottom, min(width, right + 1) : right + RING],
    )
    differences = [
        float(np.abs(np.median(ring, axis=(0, 1)) - fill).max()) for ring in rings if ring.shape[0] and ring.shape[1]
    ]
    return any(difference > DIFFERENT for difference in differences)


def _fill(pixels: Array, box: Box) -> Array | None:
    """The BGR colour that covers most of the box, or None when none does."""
    import numpy as np

    x, y, right, bottom = (int(value) for value in (box.x, box.y, box.right, box.bottom))
    margin = 2 if min(box.width, box.height) > 8 else 0
    part = pixels[y + margin : bottom - margin, x + margin : right - margin]
    step = max(1, int((part.shape[0] * part.shape[1] / 4000) ** 0.5))
    sample = part[::step, ::step].reshape(-1, 3).astype(np.int32)
    if len(sample) == 0:
        return None
    keys = ((sample[:, 0] >> 3) << 10) | ((sample[:, 1] >> 3) << 5) | (sample[:, 2] >> 3)
    values, counts = np.unique(keys, return_counts=True)
    most = int(counts.argmax())
    if counts[most] < PLAIN * len(sample):
        return None
    return np.median(sample[keys == values[most]], axis=0)


def pictorial(pixels: Array, taken: tuple[Box, ...]) -> tuple[Box, ...]:
    """Areas of many colours that are not text: what may be photographs, drawings or gradients, largest first."""
    import cv2
    import numpy as np

    height, width = pixels.shape[:2]
    if min(height, width) < 2 * CELL:
        return ()
    coarse = (pixels >> 4).astype(np.int32)
    keys = (coarse[:, :, 0] << 8) | (coarse[:, :, 1] << 4) | coarse[:, :, 2]
    rows, columns = height // CELL, width // CELL
    cells = keys[: rows * CELL : 2, : columns * CELL : 2].reshape(rows, CELL // 2, columns, CELL // 2)
    cells = np.sort(cells.transpose(0, 2, 1, 3).reshape(rows, columns, -1), axis=2)
    variety = 1 + (np.diff(cells, axis=2) != 0).sum(axis=2)
    busy = (variety >= BUSY_COLOURS).astype(np.uint8)
    for box in taken:
        busy[int(box.y) // CELL : int(box.bottom) // CELL + 1, int(box.x) // CELL : int(box.right) // CELL + 1] = 0
    busy = cv2.morphologyEx(busy, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(busy, connectivity=4)
    least = max(4, int(BUSY_CELLS * rows * columns))
    found = [
        Box(*(float(value) * CELL for value in stats[index][:4]))
        for index in range(1, count)
        if stats[index][4] >= least
    ]
    return tuple(sorted(found, key=lambda box: (-box.width * box.height, box))[:16])
