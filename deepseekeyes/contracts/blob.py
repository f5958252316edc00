"""Pixels by hash."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.model import SHA256, Contract


class BlobRef(Contract):
    """Bytes in the blob store, never inline. `width` and `height` are pixels of the stored bytes as encoded."""

    sha256: str = Field(pattern=SHA256)
    media_type: str
    bytes: int = Field(ge=0)
    width: int = Field(ge=0)
    height: int = Field(ge=0)
