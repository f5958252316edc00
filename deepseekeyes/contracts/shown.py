"""What `vision show` wrote."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deepseekeyes.contracts.blob import BlobRef
from deepseekeyes.contracts.document import Document
from deepseekeyes.contracts.model import SHA256, Contract


class BoxCounts(Contract):
    """Boxes drawn, by the list of the evidence they come from."""

    ocr: int = 0
    regions: int = 0
    objects: int = 0
    observations: int = 0


class Shown(Document):
    """`deepseekeyes.shown.v1`: evidence drawn over its picture.

    `format` is what was written to `path`; `sha256` and `bytes` are of that file. `width` and `height` are pixels of
    the upright picture; `record_sha256` and `picture` say which evidence about which picture is shown. `undrawn` counts
    entries whose box is not a legal one; they are listed on the page and drawn nowhere. `replaced` says that an earlier
    file gave way.
    """

    schema_: Literal["deepseekeyes.shown.v1"] = Field(default="deepseekeyes.shown.v1", alias="schema")
    path: str
    format: Literal["png", "html"]
    sha256: str = Field(pattern=SHA256)
    bytes: int = Field(ge=0)
    width: int = Field(ge=1)
    height: int = Field(ge=1)
    boxes: BoxCounts
    undrawn: int = Field(default=0, ge=0)
    replaced: bool = False
    record_sha256: str = Field(pattern=SHA256)
    picture: BlobRef

    def images(self) -> tuple[BlobRef, ...]:
        return (self.picture,)
