"""The pictures of one result: all of them pass the image intake before the first one is stored."""

from __future__ import annotations

from collections.abc import Sequence

from deepseekeyes.contracts.blob import BlobRef
from deepseekeyes.core.errors import EyesError
from deepseekeyes.imaging.settings import IntakeLimits
from deepseekeyes.mcp.blocks import Picture
from deepseekeyes.mcp.codes import MCP_RESULT_IMAGE_INVALID, UNSUPPORTED_IMAGE_TYPE
from deepseekeyes.store.blobs import Blobs

ACCEPTED = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})


def store_batch(pictures: Sequence[Picture], blobs: Blobs | None, limits: IntakeLimits) -> list[BlobRef | None]:
    """Check every picture, then store them, in order.

    Args:
        pictures: as the block reader found them.
        blobs: None keeps nothing; then nothing is delivered either.
        limits: bounds of the image intake.

    Returns:
        One reference a picture; None for one that was lifted out of text and is no readable picture, and for all when
        there is no store.

    Raises:
        EyesError: UNSUPPORTED_IMAGE_TYPE, MCP_RESULT_IMAGE_INVALID; nothing is stored then.
    """
    if blobs is None:
        return [None] * len(pictures)
    checked = [_checked(picture, limits) for picture in pictures]
    for picture, found in zip(pictures, checked, strict=True):
        if found is not None:
            blobs.put(picture.data)
    return checked


def _checked(picture: Picture, limits: IntakeLimits) -> BlobRef | None:
    from deepseekeyes.imaging.decode import decode

    try:
        source = decode(picture.data, limits).source
    except EyesError as refused:
        if picture.lifted:
            return None
        raise EyesError(
            MCP_RESULT_IMAGE_INVALID,
            f"An image of the result was refused. {refused.message}",
            details={**refused.details, "dispatched": "yes"},
        ) from refused
    if source.media_type not in ACCEPTED:
        if picture.lifted:
            return None
        raise EyesError(
            UNSUPPORTED_IMAGE_TYPE,
            f"An image of the result is {source.media_type}; png, jpeg, webp and gif are accepted.",
            details={"dispatched": "yes"},
        )
    return source.blob()
