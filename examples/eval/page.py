"""A page of the suite: a drawing that writes down what a reading of it must and must not say."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from make_images import Sheet, font

INK, DIM, PAPER = "#202124", "#5f6368", "#ffffff"
NIGHT, GLOW, FAINT = "#17191c", "#e8eaed", "#9aa0a6"


class Page(Sheet):
    """A sheet with assertions.

    Attributes:
        asserted: what `vision eval` will hold a reading to, in order.
        orientation: EXIF orientation to store the picture under; 1 stores it as it is.
    """

    def __init__(self, width: int, height: int, paper: str = PAPER) -> None:
        super().__init__(width, height, paper)
        self.asserted: list[dict[str, Any]] = []
        self.orientation = 1
        self.rows: dict[str, tuple[float, float, float, float]] = {}

    def text(
        self, x: int, y: int, text: str, size: int = 16, fill: str = INK, face: str = "sans", anchor: str = "la"
    ) -> None:
        """Write a text; its box is as wide as the ink and as high as the line, from ascender to descender."""
        super().text(x, y, text, size, fill, face, anchor)
        left, _, right, _ = self.draw.textbbox((x, y), text, font=font(face, size), anchor=anchor)
        _, top, _, bottom = self.draw.textbbox((x, y), "Hgj", font=font(face, size), anchor=anchor)
        self.rows[text] = left, top, right - left, bottom - top

    def say(self, x: int, y: int, text: str, *look: Any, box: bool = False, **more: Any) -> None:
        """Write a text that a reading must contain, and with `box` at its place."""
        self.text(x, y, text, *look, **more)
        self.read(text)
        if box:
            self.place(text)

    def read(self, text: str, field: str = "ocr") -> None:
        """The field must contain the text."""
        self.asserted.append({"field": field, "contains": text})

    def place(self, text: str, iou: float = 0.5) -> None:
        """A line with the text must lie where it was drawn."""
        left, top, wide, high = self.rows[text]
        width, height = self.image.size
        box = [round(left / width, 4), round(top / height, 4), round(wide / width, 4), round(high / height, 4)]
        self.asserted.append({"field": "ocr", "contains": text, "box": box, "iou": iou})

    def joined(self, *parts: str) -> None:
        """One single entry must hold all parts: which value belongs to which name."""
        self.asserted.append({"field": "all", "together": list(parts)})

    def never(self, text: str, field: str = "all") -> None:
        """The field must not contain the text: it is not in the picture."""
        self.asserted.append({"field": field, "lacks": text})

    def nothing(self, field: str = "ocr") -> None:
        """The field must be empty."""
        self.asserted.append({"field": field, "empty": True})

    def turned(self, degrees: float, paper: str = PAPER) -> None:
        """Turn the whole picture; boxes are no longer asserted after this."""
        self.image = self.image.rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=paper)

    def save(self, path: Path) -> None:
        """Write the picture with at most 128 colours, upright or as a camera stores it, with its EXIF note."""
        picture = self.image.quantize(128, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        if self.orientation == 1:
            picture.save(path, optimize=True)
            return
        turn = {6: Image.Transpose.ROTATE_90, 3: Image.Transpose.ROTATE_180, 8: Image.Transpose.ROTATE_270}
        exif = Image.Exif()
        exif[0x0112] = self.orientation
        picture.transpose(turn[self.orientation]).save(path, optimize=True, exif=exif)
