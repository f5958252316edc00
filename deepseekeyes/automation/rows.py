"""From what a gesture saw to the rows a log keeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from deepseekeyes.automation.delta import box_row
from deepseekeyes.automation.surface import Seen, Shot, Target
from deepseekeyes.contracts.automation import Marker, ShotRow, TargetRow
from deepseekeyes.contracts.blob import BlobRef


def json_value(value: Any) -> Any:
    """Contracts, mappings and tuples as plain JSON values."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, Mapping):
        return {str(key): json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [json_value(item) for item in value]
    return value if isinstance(value, str | int | float | bool | type(None)) else str(value)


def blob_ref(shot: Shot) -> BlobRef:
    """A screenshot as documents name it."""
    return BlobRef(
        sha256=shot.sha256, media_type=shot.media_type, bytes=shot.size, width=shot.width, height=shot.height
    )


def shot_row(seen: Seen | None) -> ShotRow | None:
    """The screenshot of an observation, if one was taken."""
    shot = seen.snapshot.shot if seen is not None else None
    if shot is None:
        return None
    return ShotRow(
        image=blob_ref(shot),
        pixel_digest=shot.pixel_digest,
        masks=tuple(box_row(box) for box in shot.masks),
        origin=shot.origin,
        scale=shot.scale,
    )


def target_row(target: Target) -> TargetRow | None:
    """The control a gesture was bound to; None for a bare point and for the page."""
    control = target.control
    if control is None:
        return None
    return TargetRow(
        ref=control.ref,
        key=control.key,
        role=control.role,
        name=control.name,
        place=control.place,
        protected=control.protected,
    )


def marker_in(marker: Marker | None, before: Seen | None) -> Marker | None:
    """A marker, only where there are pixels to draw it on."""
    return marker if before is not None and before.snapshot.shot is not None else None
