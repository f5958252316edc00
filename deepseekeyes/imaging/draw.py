"""Boxes drawn over the upright picture, readable on light and on dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from deepseekeyes.core.geometry import Box, to_pixels

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

SOFTWARE = "deepseekeyes"
"""Value of the `Software` text of every overlay, by which a later run knows that it may replace the file."""

INK, PAPER, MUTED = (33, 37, 41), (248, 249, 250), (108, 117, 125)
TINT = 26
SMALL_AREA = 0.02
"""Boxes below this share of the picture are tinted, and tags keep off them; larger ones are frames."""
FOOTER_MIN_WIDTH = 240

Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Outline:
    """One box to draw.

    Attributes:
        box: normalised in the upright picture.
        tag: a short mark of ASCII characters beside the box, such as `12` or `R3`; text in any script stays out of the
            picture, since no one font has it all.
        colour: of the line and of the tag's ground.
        dashed: drawn as a frame only, without tint or tag.
    """

    box: Box
    tag: str
    colour: Rgb
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One line of the legend: a colour and ASCII words."""

    colour: Rgb
    text: str


def draw(image: Image.Image, outlines: Sequence[Outline], legend: Sequence[LegendEntry] = ()) -> Image.Image:
    """Draw boxes over a copy of a picture.

    Args:
        image: the upright picture; transparency is flattened. Its pixels keep their size and place.
        outlines: drawn larger first, so that small boxes stay on top.
        legend: written below the picture when it is wide enough.

    Returns:
        An RGB picture, the same for the same input.
    """
    from PIL import Image, ImageDraw

    from deepseekeyes.imaging.flatten import flattened

    base, _ = flattened(image)
    pen = _Pen.of(base.size)
    ordered = sorted(outlines, key=lambda outline: -outline.box.width * outline.box.height)
    layer = Image.new("RGBA", base.size, (0, 0, 0, 0))
    surface = ImageDraw.Draw(layer)
    for outline in ordered:
        pen.frame(surface, outline, base.size)
    taken = _Taken.by(ordered, base.size)
    for outline in ordered:
        if not outline.dashed:
            pen.tag(surface, outline, taken)
    picture = Image.alpha_composite(base.convert("RGBA"), layer).convert("RGB")
    return _with_legend(picture, legend, pen) if legend and base.width >= FOOTER_MIN_WIDTH else picture


def png(image: Image.Image) -> bytes:
    """An overlay as a PNG file that names its maker."""
    from PIL.PngImagePlugin import PngInfo

    note = PngInfo()
    note.add_text("Software", SOFTWARE)
    out = BytesIO()
    image.save(out, "PNG", compress_level=6, pnginfo=note)
    return out.getvalue()


def drawn_by_us(data: bytes) -> bool:
    """Whether the start of a PNG file says that it is an overlay of ours."""
    return data.startswith(b"\x89PNG") and b"tEXtSoftware\x00" + SOFTWARE.encode() in data[:400]


@dataclass(frozen=True, slots=True)
class _Pen:
    line: int
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont

    @classmethod
    def of(cls, size: tuple[int, int]) -> _Pen:
        from PIL import ImageFont

        long_side = max(size)
        points = min(26, max(10, round(long_side / 90)))
        return cls(min(4, max(1, round(long_side / 800))), ImageFont.load_default(size=points))

    def frame(self, surface: ImageDraw.ImageDraw, outline: Outline, size: tuple[int, int]) -> None:
        """A coloured line between a light and a dark one, so that it shows on any ground."""
        left, top, right, bottom = _corners(outline.box, size)
        if outline.dashed:
            self._dashes(surface, (left, top, right, bottom), outline.colour)
            return
        halo = self.line + 1
        surface.rectangle((left - halo, top - halo, right + halo, bottom + halo), outline=(255, 255, 255, 170), width=1)
        surface.rectangle(
            (left - self.line, top - self.line, right + self.line, bottom + self.line),
            fill=(*outline.colour, TINT if outline.box.width * outline.box.height < SMALL_AREA else 0),
            outline=(*outline.colour, 255),
            width=self.line,
        )
        if right - left > 6 and bottom - top > 6:
            surface.rectangle((left, top, right, bottom), outline=(0, 0, 0, 60), width=1)

    def tag(self, surface: ImageDraw.ImageDraw, outline: Outline, taken: _Taken) -> None:
        """White letters on the box's colour, at the corner where they hide least."""
        x0, y0, x1, y1 = self.font.getbbox(outline.tag)
        size = round(x1 - x0) + 6, round(y1 - y0) + 4
        x, y = taken.best(_places(_corners(outline.box, taken.size), size, self.line), size)
        ground = (x, y, x + size[0] - 1, y + size[1] - 1)
        surface.rounded_rectangle(ground, 3, fill=(*outline.colour, 235), outline=(255, 255, 255, 170), width=1)
        surface.text((x + 3 - x0, y + 2 - y0), outline.tag, font=self.font, fill=(255, 255, 255, 255))

    def _dashes(self, surface: ImageDraw.ImageDraw, corners: tuple[int, int, int, int], colour: Rgb) -> None:
        left, top, right, bottom = corners
        step = max(6, self.line * 5)
        for number, x in enumerate(range(left, right, step)):
            ink = (*colour, 255) if number % 2 == 0 else (255, 255, 255, 200)
            for y in (top, bottom):
                surface.line((x, y, min(x + step, right), y), fill=ink, width=self.line)
        for number, y in enumerate(range(top, bottom, step)):
            ink = (*colour, 255) if number % 2 == 0 else (255, 255, 255, 200)
            for x in (left, right):
                surface.line((x, y, x, min(y + step, bottom)), fill=ink, width=self.line)


def _corners(box: Box, size: tuple[int, int]) -> tuple[int, int, int, int]:
    pixels = to_pixels(box, *size)
    return (
        round(pixels.x),
        round(pixels.y),
        max(round(pixels.x), round(pixels.right) - 1),
        max(round(pixels.y), round(pixels.bottom) - 1),
    )


@dataclass(frozen=True, slots=True)
class _Taken:
    """Which pixels tags should not hide: small boxes count once, tags already there four times."""

    mask: Image.Image
    size: tuple[int, int]

    @classmethod
    def by(cls, outlines: Sequence[Outline], size: tuple[int, int]) -> _Taken:
        from PIL import Image, ImageDraw

        mask = Image.new("L", size, 0)
        surface = ImageDraw.Draw(mask)
        for outline in outlines:
            if outline.box.width * outline.box.height < SMALL_AREA:
                surface.rectangle(_corners(outline.box, size), fill=1)
        return cls(mask, size)

    def best(self, places: Sequence[tuple[int, int]], size: tuple[int, int]) -> tuple[int, int]:
        """The first of the places that hides least; it is taken from now on."""
        width, height = (min(side, room) for side, room in zip(size, self.size, strict=True))
        kept = [
            (max(0, min(x, self.size[0] - width)), max(0, min(y, self.size[1] - height)))
            for x, y in dict.fromkeys(places)
        ]
        best, least = kept[0], -1
        for place in kept:
            cost = self._cost(place, (width, height))
            if least < 0 or cost < least:
                best, least = place, cost
            if cost == 0:
                break
        self.mask.paste(4, (*best, best[0] + width, best[1] + height))
        return best

    def _cost(self, place: tuple[int, int], size: tuple[int, int]) -> int:
        counts = self.mask.crop((*place, place[0] + size[0], place[1] + size[1])).histogram()
        return counts[1] + 4 * counts[4]


def _places(corners: tuple[int, int, int, int], size: tuple[int, int], line: int) -> tuple[tuple[int, int], ...]:
    """Where a tag may stand, best first: above, beside, below, at either end, and inside as the last way out."""
    left, top, right, bottom = corners
    width, height = size
    above, below, beside = top - line - height, bottom + line + 1, max(0, (top + bottom - height) // 2)
    before, after, end = left - line - width - 1, right + line + 2, right + line + 1 - width
    return (
        (left - line, above),
        (before, beside),
        (after, beside),
        (end, above),
        (left - line, below),
        (end, below),
        (left, top),
    )


def _with_legend(picture: Image.Image, legend: Sequence[LegendEntry], pen: _Pen) -> Image.Image:
    from PIL import Image, ImageDraw

    height = round(pen.font.getbbox("Ag")[3])
    rows = _rows(legend, pen, picture.width)
    strip = len(rows) * (height + 8) + 8
    whole = Image.new("RGB", (picture.width, picture.height + strip), PAPER)
    whole.paste(picture, (0, 0))
    surface = ImageDraw.Draw(whole)
    surface.line((0, picture.height, picture.width, picture.height), fill=(206, 212, 218))
    y = picture.height + 8
    for row in rows:
        for x, entry in row:
            surface.rounded_rectangle((x, y + 1, x + height - 2, y + height - 1), 3, fill=entry.colour)
            surface.text((x + height + 5, y), entry.text, font=pen.font, fill=INK)
        y += height + 8
    return whole


def _rows(legend: Sequence[LegendEntry], pen: _Pen, width: int) -> list[list[tuple[int, LegendEntry]]]:
    square = round(pen.font.getbbox("Ag")[3]) + 5
    rows: list[list[tuple[int, LegendEntry]]] = [[]]
    x = 8
    for entry in legend:
        needed = square + round(pen.font.getlength(entry.text)) + 18
        if rows[-1] and x + needed > width:
            rows.append([])
            x = 8
        rows[-1].append((x, entry))
        x += needed
    return rows
