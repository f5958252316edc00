"""Bounds of the one image intake; each is a setting under `vision.limits`."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.settings import Section
from deepseekeyes.core.errors import Details

PREFIX = "vision.limits"


class IntakeLimits(Section):
    """What a picture may cost before anything is decoded.

    The pixel ceiling stays below the threshold at which Pillow itself starts to warn, so its process-wide guard is
    never reached and never has to be changed.
    """

    max_bytes: int = Field(
        default=64 * 1024 * 1024, ge=1, le=1024**3, description="Largest accepted input, in bytes, encoded."
    )
    max_side: int = Field(default=32_768, ge=1, le=65_535, description="Longest accepted side of a picture, in pixels.")
    max_pixels: int = Field(
        default=64_000_000, ge=1, le=89_000_000, description="Largest accepted picture, in pixels (width times height)."
    )
    min_side: int = Field(default=4, ge=1, le=256, description="Shortest accepted side of a picture, in pixels.")
    max_frames: int = Field(
        default=2_000, ge=1, le=100_000, description="Most frames or pages that one file may declare."
    )
    max_decoded_pixels: int = Field(
        default=1_000_000_000,
        ge=1,
        description="Most pixels that may be decoded to reach one frame of an animation or to build a contact sheet.",
    )
    url_timeout_ms: int = Field(
        default=20_000, ge=100, le=600_000, description="Time for fetching one picture from a URL, redirects included."
    )
    url_max_redirects: int = Field(default=5, ge=0, le=20, description="Redirects followed when fetching a picture.")

    def exceeded(self, name: str) -> Details:
        """The `details` of an error about the limit called `name`."""
        return {"limit": {"name": name, "value": getattr(self, name), "setting": f"{PREFIX}.{name}"}}
