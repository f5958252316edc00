"""The `[vision.local]` section: what one reading of the local eye may cost, and how much it lists."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from deepseekeyes.contracts.settings import Section

PREFIX = "vision.local"


class LocalEyeSettings(Section):
    """Bounds of the local eye. They change what it reads, so a changed one is part of the route's digest.

    An entry of engine `local` may set them for itself under `options`.
    """

    max_pixels: int = Field(
        default=6_000_000,
        ge=100_000,
        le=89_000_000,
        description="Pixels in which text is searched; a larger picture is scaled down for that, never for reading.",
    )
    strip_pixels: int = Field(
        default=1_100_000, ge=100_000, le=16_000_000, description="Pixels searched at a time; bounds memory."
    )
    max_lines: int = Field(
        default=1_500, ge=1, le=5_000, description="Lines of text read in one picture, the largest first."
    )
    max_codes: int = Field(
        default=64, ge=0, le=1_000, description="QR and bar codes listed for one picture, the topmost first."
    )
    max_objects: int = Field(
        default=100, ge=0, le=2_000, description="Codes and rectangles listed for one picture, the largest first."
    )
    max_regions: int = Field(
        default=200, ge=0, le=1_000, description="Tables, blocks of text and pictorial areas listed for one picture."
    )

    def changed(self) -> dict[str, Any]:
        """The values that differ from their defaults."""
        fields = type(self).model_fields
        return {name: value for name, value in self if value != fields[name].default}


def setting(name: str) -> str:
    """The full name of one bound, for sentences."""
    return f"{PREFIX}.{name}"
