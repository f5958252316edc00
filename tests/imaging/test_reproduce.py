"""A rendition is derived again from its record, or the record is wrong."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw

from deepseekeyes.contracts.evidence import Region, Rendition
from deepseekeyes.imaging.decode import decode
from deepseekeyes.imaging.layout import RenditionSpec
from deepseekeyes.imaging.rendition import render, reproduces

PLAIN = RenditionSpec()
LIGHT = (245, 245, 245)


def noise(width: int, height: int) -> Image.Image:
    return Image.effect_noise((width, height), 90).convert("RGB")


def strokes(*inks: tuple[int, int, int], paper: tuple[int, int, int, int] = (0, 0, 0, 0)) -> Image.Image:
    image = Image.new("RGBA", (120, 40), paper)
    draw = ImageDraw.Draw(image)
    for index, ink in enumerate(inks):
        draw.line((10, 8 + index * 12, 110, 8 + index * 12), fill=(*ink, 255), width=4)
    return image


WAYS = [
    (PLAIN, None),
    (RenditionSpec(max_side=90), None),
    (RenditionSpec(min_side=300, multiple_of=28), None),
    (RenditionSpec(stored=True), Region(x=0.1, y=0.2, width=0.3, height=0.4)),
    (RenditionSpec(tile_side=64, tile_overlap=8), None),
    (RenditionSpec(max_bytes=6_000), None),
    (RenditionSpec(formats=("image/webp",), max_side=100), None),
    (RenditionSpec(max_side=70), Region(x=0, y=0, width=0.5, height=1)),
]


@pytest.mark.parametrize(("spec", "region"), WAYS)
@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF"])
def test_a_rendition_is_derived_again_from_its_record_alone(encoded, limits, spec, region, form):
    decoded = decode(encoded(noise(150, 110), form), limits)
    rendered = render(decoded, spec, region)
    recorded = Rendition.model_validate_json(rendered.rendition.model_dump_json())

    assert render(decoded, spec, region).rendition == rendered.rendition
    assert reproduces(decoded, recorded, region)


def test_a_transparent_picture_is_derived_again_with_its_recorded_background(encoded, limits):
    decoded = decode(encoded(strokes(LIGHT)), limits)
    rendered = render(decoded, RenditionSpec(background="#123456"))

    assert reproduces(decoded, rendered.rendition)
    assert not reproduces(decoded, rendered.rendition.model_copy(update={"background": "#123457"}))


@pytest.mark.parametrize(
    "change",
    [
        {"sha256": "0" * 64},
        {"width": 51},
        {"width": 10**9, "height": 10**9},
        {"scale": (1e9, 1.0)},
        {"scale": (0.0, 0.0)},
        {"offset": (1e9, 0.0)},
        {"background": "no colour"},
        {"media_type": "image/jpeg"},
    ],
)
def test_a_record_that_was_tampered_with_is_not_reproduced(encoded, limits, change):
    decoded = decode(encoded(noise(100, 60)), limits)
    rendered = render(decoded, RenditionSpec(max_side=50))

    assert not reproduces(decoded, rendered.rendition.model_copy(update=change))


def test_an_untouched_original_is_reproduced_only_with_its_true_size(encoded, quarters, limits):
    decoded = decode(encoded(quarters), limits)
    rendition = render(decoded, PLAIN).rendition

    assert reproduces(decoded, rendition)
    assert not reproduces(decoded, rendition.model_copy(update={"width": 47}))
    assert not reproduces(decoded, rendition.model_copy(update={"scale": (2.0, 2.0)}))
