"""The example pictures: small, described truthfully, and what their generator draws."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image, ImageOps

EXAMPLES = Path(__file__).parents[2] / "examples"
IMAGES = EXAMPLES / "images"
NAMES = sorted(path.name.removesuffix(".truth.json") for path in IMAGES.glob("*.truth.json"))


def truth(name: str) -> dict:
    return json.loads((IMAGES / f"{name}.truth.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_images", EXAMPLES / "make_images.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_kind_of_picture_is_there_and_each_has_its_truth():
    assert NAMES == [
        "chart",
        "chinese",
        "code",
        "dark-settings",
        "dense-table",
        "error-dialog",
        "injection-card",
        "receipt",
        "rotated-photo",
    ]
    assert sorted(path.name for path in IMAGES.iterdir() if path.suffix in {".png", ".jpg"}) == [
        truth(name)["picture"] for name in NAMES
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_small_and_its_truth_lies_inside_it(name):
    told = truth(name)
    path = IMAGES / told["picture"]
    with Image.open(path) as opened:
        width, height = ImageOps.exif_transpose(opened).size

    assert path.stat().st_size < 300_000
    assert told["size"] == [width, height]
    boxes = [line["box"] for line in told["lines"]] + [code["box"] for code in told.get("codes", [])]
    assert all(x >= 0 and y >= 0 and w > 0 and h > 0 and x + w <= width and y + h <= height for x, y, w, h in boxes)


def test_the_photo_is_stored_on_its_side():
    with Image.open(IMAGES / "rotated-photo.jpg") as opened:
        assert (opened.getexif()[0x0112], opened.size) == (6, tuple(reversed(truth("rotated-photo")["size"])))


@pytest.mark.parametrize("name", [name for name in NAMES if name != "rotated-photo"])
def test_the_generator_still_draws_what_the_truth_says(generator, name):
    told = truth(name)

    sheet = generator.SCENES[told["picture"]]()

    assert list(sheet.image.size) == told["size"]
    assert [line["text"] for line in sheet.lines] == [line["text"] for line in told["lines"]]
    for drawn, line in zip(sheet.lines, told["lines"], strict=True):
        assert max(abs(first - second) for first, second in zip(drawn["box"], line["box"], strict=True)) <= 4
