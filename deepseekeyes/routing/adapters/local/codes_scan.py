"""QR and bar codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from deepseekeyes.core.geometry import Box

Array: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class Symbol:
    """A decoded code: the standard it follows, its text, its box in pixels of the picture."""

    standard: str
    text: str
    box: Box


def scan(pixels: Array) -> tuple[Symbol, ...]:
    """All codes that decode without error in a BGR picture, from top to bottom."""
    import cv2
    import zxingcpp

    found = []
    for code in zxingcpp.read_barcodes(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)):
        place = code.position
        corners = (place.top_left, place.top_right, place.bottom_right, place.bottom_left)
        left, right = min(corner.x for corner in corners), max(corner.x for corner in corners)
        top, bottom = min(corner.y for corner in corners), max(corner.y for corner in corners)
        box = Box(float(left), float(top), float(max(1, right - left)), float(max(1, bottom - top)))
        if code.text:
            found.append(Symbol(str(code.format), code.text, box))
    return tuple(sorted(found, key=lambda symbol: (symbol.box.y, symbol.box.x, symbol.text)))
