"""Deriving again, from a picture's bytes, what a record says about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from deepseekeyes.contracts.evidence import Region, Rendition
from deepseekeyes.imaging.settings import IntakeLimits


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
    same = reproduces(
        decoded,
        Rendition.model_validate(record["rendition"]),
        None if region is None else Region.model_validate(region),
    )
    return Rederived(decoded.source.model_dump(mode="json", by_alias=True), same)


def upright_size(data: bytes, limits: IntakeLimits) -> tuple[int, int]:
    """Width and height in pixels of a picture as it is shown.

    Raises:
        EyesError: whatever the intake refuses.
    """
    from deepseekeyes.imaging.decode import decode

    source = decode(data, limits).source
    return source.width, source.height
