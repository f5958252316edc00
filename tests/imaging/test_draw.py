"""Overlays: where the boxes are, that they can be seen, and that nothing else moves."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from deepseekeyes.core.geometry import Box
from deepseekeyes.imaging.draw import LegendEntry, Outline, draw, drawn_by_us, png

BLUE, RED = (37, 99, 235), (220, 38, 38)


def near(pixel: object, colour: tuple[int, int, int]) -> bool:
    return all(abs(a - b) < 40 for a, b in zip(pixel, colour, strict=True))  # type: ignore[call-overload]


@pytest.mark.parametrize("ground", ["white", "black", "#808080", "#2563eb"])
def test_a_box_and_its_tag_show_on_every_ground(ground):
    image = Image.new("RGB", (400, 300), ground)

    drawn = draw(image, [Outline(Box(0.25, 0.4, 0.5, 0.3), "12", RED)])

    assert any(near(drawn.getpixel((x, 160)), RED) for x in range(96, 104))
    assert any(near(drawn.getpixel((x, 160)), RED) for x in range(296, 304))
    assert any(near(drawn.getpixel((200, y)), RED) for y in range(116, 124))
    tag = drawn.crop((96, 96, 130, 120))
    colours = {colour for _, colour in tag.getcolors(4096)}
    assert any(near(colour, RED) for colour in colours)
    assert any(near(colour, (255, 255, 255)) for colour in colours)


def test_pixels_away_from_boxes_keep_their_colour_and_place(quarters):
    image = quarters.resize((480, 320), Image.Resampling.NEAREST)

    drawn = draw(image, [Outline(Box(0.1, 0.1, 0.1, 0.1), "1", BLUE)])

    assert drawn.size == image.size
    right_half = (240, 0, 480, 320)
    assert drawn.crop(right_half).tobytes() == image.crop(right_half).tobytes()


def test_a_large_box_is_a_frame_without_tint():
    drawn = draw(Image.new("RGB", (400, 300), "white"), [Outline(Box(0.1, 0.1, 0.8, 0.8), "O1", BLUE)])

    assert drawn.getpixel((200, 150)) == (255, 255, 255)


def test_the_same_input_gives_the_same_bytes(quarters):
    outlines = [Outline(Box(x / 10, x / 10, 0.2, 0.1), str(x), BLUE) for x in range(8)]
    image = quarters.resize((480, 320))

    first, second = (png(draw(image, outlines, [LegendEntry(BLUE, "Text 8")])) for _ in range(2))

    assert first == second
    assert image.getpixel((0, 0)) == (255, 0, 0)


def test_the_legend_stands_below_the_picture_and_wraps():
    image = Image.new("RGB", (260, 100), "white")
    legend = [LegendEntry(BLUE, f"Something {number}") for number in range(6)]

    one, many = draw(image, [], legend[:1]), draw(image, [], legend)

    assert one.width == many.width == 260
    assert 100 < one.height < many.height
    assert many.crop((0, 0, 260, 100)).tobytes() == image.tobytes()
    assert any(near(one.getpixel((x, 115)), BLUE) for x in range(8, 20))


def test_a_picture_too_narrow_for_a_legend_stays_as_it_is():
    assert draw(Image.new("RGB", (40, 40)), [], [LegendEntry(BLUE, "Text 1")]).size == (40, 40)


def test_tags_keep_off_neighbouring_lines_of_text():
    lines = [Outline(Box(0.3, 0.1 + 0.05 * row, 0.4, 0.04), str(row + 1), BLUE) for row in range(12)]

    drawn = draw(Image.new("RGB", (800, 600), "white"), lines)

    for row in range(12):
        inside = drawn.crop((250, 66 + 30 * row, 540, 78 + 30 * row))
        assert not any(near(colour, BLUE) for _, colour in inside.getcolors(100_000))


def test_a_dashed_frame_has_neither_tag_nor_tint():
    drawn = draw(Image.new("RGB", (400, 300), "black"), [Outline(Box(0.25, 0.25, 0.5, 0.5), "", RED, dashed=True)])
    top = {drawn.getpixel((x, 75)) for x in range(110, 290)}

    assert any(near(pixel, RED) for pixel in top)
    assert any(near(pixel, (200, 200, 200)) for pixel in top)
    assert drawn.getpixel((200, 150)) == (0, 0, 0)
    assert drawn.getpixel((98, 60)) == (0, 0, 0)


@pytest.mark.parametrize(
    "box", [Box(0, 0, 1, 1), Box(0, 0, 1e-6, 1e-6), Box(0.999, 0.999, 0.001, 0.001), Box(0.5, 0, 0.5, 0.001)]
)
@pytest.mark.parametrize("size", [(4, 4), (5, 400), (400, 5), (300, 300)])
def test_any_legal_box_can_be_drawn_on_any_size(box, size):
    assert draw(Image.new("RGB", size), [Outline(box, "R1234", BLUE)]).size == size


def test_a_transparent_picture_is_flattened():
    assert draw(Image.new("RGBA", (30, 30), (0, 0, 0, 0)), []).getpixel((5, 5)) == (255, 255, 255)


def test_two_thousand_boxes_are_drawn():
    outlines = [Outline(Box((n % 100) / 100, (n // 100) / 20, 0.008, 0.03), str(n), BLUE) for n in range(2_000)]

    assert draw(Image.new("RGB", (1000, 800), "white"), outlines).size == (1000, 800)


def test_a_file_of_ours_is_known_by_its_software_note(quarters, encoded):
    data = png(draw(quarters, []))

    assert drawn_by_us(data)
    assert not drawn_by_us(encoded(quarters))
    assert Image.open(BytesIO(data)).text == {"Software": "deepseekeyes"}
