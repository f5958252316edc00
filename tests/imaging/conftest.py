"""Pictures for the tests, made where they are needed."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from deepseekeyes.imaging.settings import IntakeLimits


@pytest.fixture
def limits() -> IntakeLimits:
    return IntakeLimits()


@pytest.fixture
def encoded() -> Callable[..., bytes]:
    """Encode a Pillow picture: `encoded(image, "PNG", **options)`."""

    def encode(image: Image.Image, form: str = "PNG", **options: Any) -> bytes:
        out = BytesIO()
        image.save(out, form, **options)
        return out.getvalue()

    return encode


@pytest.fixture
def quarters() -> Image.Image:
    """48x32, each quarter a colour of its own: red, green / blue, white."""
    image = Image.new("RGB", (48, 32), "white")
    image.paste("#ff0000", (0, 0, 24, 16))
    image.paste("#00ff00", (24, 0, 48, 16))
    image.paste("#0000ff", (0, 16, 24, 32))
    return image
