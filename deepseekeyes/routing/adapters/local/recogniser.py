"""What a line says: the recognition network, each line at its own width.

rapidocr pads every line to the widest of its batch, and to 320 pixels at least, so a line's text depends on its
neighbours and short words cost as much as long ones. Here a line is scaled to 48 pixels of height, padded to a
multiple of 32 and recognised alone; lines go side by side on threads of one core each. Equal pixels therefore give
equal text, whatever else is in the picture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any, NamedTuple, TypeAlias

from deepseekeyes.routing.adapters.local.stopping import Stop

Array: TypeAlias = Any

HEIGHT = 48
STEP = 32
TAIL = 16
"""Least padding after a line, in pixels; letters at the very end are misread without."""
LONGEST = 3200
"""Widest piece the network sees, in pixels of its own scale; longer lines are cut at a gap between words."""


class Reading(NamedTuple):
    """The text of a line and the mean likelihood of its characters, 0..1; empty and 0 when nothing is legible."""

    text: str
    confidence: float


class Recogniser:
    """Reads lines that were cut out upright.

    Args:
        session: the recognition network, for one thread.
        characters: the meaning of its outputs, the blank first.
        workers: where lines run side by side.
    """

    def __init__(self, session: Any, characters: Sequence[str], workers: Executor) -> None:
        self._session = session
        self._input = session.get_inputs()[0].name
        self._characters = characters
        self._workers = workers

    def read(self, lines: Sequence[Array], stop: Stop | None = None) -> list[Reading]:
        """The text of BGR lines `(height, width, 3)`, in the order given.

        Raises:
            ReadingStopped: it was asked to stop; no line is begun any more.
        """
        until = stop or Stop()
        longest_first = sorted(range(len(lines)), key=lambda index: -lines[index].shape[1] / lines[index].shape[0])
        readings = [Reading("", 0.0)] * len(lines)
        done = self._workers.map(lambda index: self._line(lines[index], until), longest_first)
        for index, reading in zip(longest_first, done, strict=True):
            readings[index] = reading
        return readings

    def _line(self, line: Array, stop: Stop) -> Reading:
        pieces = [self._decoded(stop.run(self._session, {self._input: fed(piece)})[0][0]) for piece in split(line)]
        legible = [piece for piece in pieces if piece.text.strip()]
        if not legible:
            return Reading("", 0.0)
        letters = sum(len(piece.text) for piece in legible)
        mean = sum(piece.confidence * len(piece.text) for piece in legible) / letters
        return Reading(" ".join(piece.text for piece in legible).strip(), mean)

    def _decoded(self, likelihoods: Array) -> Reading:
        """Best path of connectionist temporal classification: repeats merged, blanks dropped."""
        best = likelihoods.argmax(axis=1)
        values = likelihoods.max(axis=1)
        text, scores = [], []
        previous = 0
        for index, value in zip(best.tolist(), values.tolist(), strict=True):
            if index not in (0, previous) and index < len(self._characters):
                text.append(self._characters[index])
                scores.append(value)
            previous = index
        return Reading("".join(text), min(1.0, sum(scores) / len(scores)) if scores else 0.0)


def fed(line: Array) -> Array:
    """A line as the network takes it: `(1, 3, 48, n * 32)`, -1..1, its right end padded with mid grey."""
    import cv2
    import numpy as np

    height, width = line.shape[:2]
    wide = max(1, math.ceil(HEIGHT * width / height))
    scaled = cv2.resize(line, (wide, HEIGHT)).astype(np.float32)
    padded = np.zeros((1, 3, HEIGHT, math.ceil((wide + TAIL) / STEP) * STEP), np.float32)
    padded[0, :, :, :wide] = scaled.transpose(2, 0, 1) / 127.5 - 1.0
    return padded


def split(line: Array) -> list[Array]:
    """The line itself, or, when it is too long for one look, pieces cut where the least ink is."""
    import numpy as np

    height, width = line.shape[:2]
    limit = max(1, LONGEST * height // HEIGHT)
    pieces = []
    start = 0
    while width - start > limit:
        window = line[:, start + limit * 3 // 4 : start + limit].astype(np.float32)
        ink = window.std(axis=0).sum(axis=1)
        cut = start + limit * 3 // 4 + int(np.flatnonzero(ink == ink.min())[-1]) + 1
        pieces.append(line[:, start:cut])
        start = cut
    pieces.append(line[:, start:])
    return pieces
