"""One local eye for all tests of this folder: loading the networks is what costs."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont, ImageOps

from deepseekeyes.routing.adapters.local.engine import LocalEye
from deepseekeyes.routing.ports import EngineRequest, Message, Picture

IMAGES = Path(__file__).parents[4] / "examples" / "images"


@pytest.fixture(scope="session")
def eye() -> LocalEye:
    return LocalEye()


@pytest.fixture(scope="session")
def picture_of() -> Callable[[Image.Image], Picture]:
    def encoded(image: Image.Image) -> Picture:
        buffer = io.BytesIO()
        image.save(buffer, "PNG", compress_level=1)
        return Picture(buffer.getvalue(), "image/png", image.width, image.height, "0" * 64)

    return encoded


@pytest.fixture(scope="session")
def written() -> Callable[..., Image.Image]:
    """A white picture with lines of black text, 24 pixels high."""

    def draw(*lines: str, size: tuple[int, int] = (640, 200)) -> Image.Image:
        image = Image.new("RGB", size, "white")
        face = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 24)
        for row, line in enumerate(lines):
            ImageDraw.Draw(image).text((20, 20 + 44 * row), line, fill="black", font=face)
        return image

    return draw


@pytest.fixture(scope="session")
def example(picture_of: Callable[[Image.Image], Picture]) -> Callable[[str], tuple[Picture, dict[str, Any]]]:
    """An example picture, upright, and its truth."""

    def load(name: str) -> tuple[Picture, dict[str, Any]]:
        truth = json.loads((IMAGES / f"{name}.truth.json").read_text("utf-8"))
        with Image.open(IMAGES / truth["picture"]) as opened:
            return picture_of(ImageOps.exif_transpose(opened).convert("RGB")), truth

    return load


@pytest.fixture(scope="session")
def asked() -> Callable[..., EngineRequest]:
    def request(picture: Picture, question: str | None = None) -> EngineRequest:
        return EngineRequest(
            capability="image_to_evidence",
            messages=(Message("user", "read", (picture,)),),
            variant="base" if question is None else "target",
            question=question,
        )

    return request


@pytest.fixture(scope="session")
def read(eye: LocalEye, asked: Callable[..., EngineRequest]) -> Callable[..., dict[str, Any]]:
    """The evidence for a picture; each picture and question is read once a session."""
    seen: dict[tuple[bytes, str | None], dict[str, Any]] = {}

    def document(picture: Picture, question: str | None = None) -> dict[str, Any]:
        key = (picture.data, question)
        if key not in seen:
            seen[key] = eye.read(picture, asked(picture, question))
        return seen[key]

    return document
