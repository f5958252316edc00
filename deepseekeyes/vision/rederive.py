"""Deriving again, from a picture's bytes, what a record says about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from deepseekeyes.contracts.evidence import Region, Rendition
from deepseekeyes.imaging.settings import IntakeLimits

MOST_TILES = 4096


@dataclass(frozen=True, slots=True)
class Rederived:
    """What the bytes themselves say.

    Attributes:
        source: the `source` part of a record, made anew.
        rendition: whether the recorded rendition comes out again, down to its hash.
    """

    source: Mapping[str, Any]
    rendition: bool


def rederive(record: Mapping[str, Any], data: bytes, limits: IntakeLimits) -> Rederived:
    """Decode the picture as the record says it was read, and make its rendition again.

    Args:
        record: a record that has the right shape.
        data: the bytes it claims to be about.
        limits: bounds of the intake.

    Raises:
        EyesError: whatever the intake refuses.
    """
    from deepseekeyes.imaging.decode import SHEET, decode
    from deepseekeyes.imaging.rendition import reproduces

    frame = record["source"]["frame"]
    decoded = decode(data, limits, "sheet" if frame == SHEET else frame)
    region = record["region"]
    rendition = Rendition.model_validate(record["rendition"])
    same = _plausible(rendition, limits) and reproduces(
        decoded, rendition, None if region is None else Region.model_validate(region)
    )
    return Rederived(decoded.source.model_dump(mode="json", by_alias=True), same)


def _plausible(rendition: Rendition, limits: IntakeLimits) -> bool:
    """Whether the numbers are small enough to be tried; a forged record must not cost more than a picture may."""
    width, height = rendition.width, rendition.height
    return (
        0 < width <= limits.max_side
        and 0 < height <= limits.max_side
        and width * height <= limits.max_pixels
        and all(0 < scale <= limits.max_side for scale in rendition.scale)
        and all(abs(offset) <= limits.max_side**2 for offset in rendition.offset)
        and len(rendition.tiles) <= MOST_TILES
        and all(
            tile.x >= 0 and tile.y >= 0 and 0 < tile.width <= width - tile.x and 0 < tile.height <= height - tile.y
            for tile in rendition.tiles
        )
    )


def upright_size(data: bytes, limits: IntakeLimits) -> tuple[int, int]:
    """Width and height in pixels of a picture as it is shown.

    Raises:
        EyesError: whatever the intake refuses.
    """
    from deepseekeyes.imaging.decode import decode

    source = decode(data, limits).source
    return source.width, source.height
