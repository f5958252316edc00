"""Read pictures into evidence records."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.evidence import BatchItem, EvidenceBatch, EvidenceRecord
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError
from deepseekeyes.imaging.inputs import Failed
from deepseekeyes.vision.see import see
from deepseekeyes.vision.work import FrameNumber, Work

if TYPE_CHECKING:
    from deepseekeyes.contracts.document import Document
    from deepseekeyes.imaging.inputs import Loaded
    from deepseekeyes.vision.deps import VisionDeps

MAX_INPUTS = 10_000


class ReadRequest(Contract):
    """Pictures to read.

    Attributes:
        images: as the user names them: file, `-`, `sha256:HEX`, `data:` URL, http(s) URL.
        route: an id or `provider/model`; the plan decides when absent.
        fresh: read again although a record exists.
        frame: of an animation, from 0; `sheet` for a contact sheet of many.
        allow_url: whether http(s) URLs are fetched.
        wait: whether a walk may wait for a resting route, up to `routing.max_wait_ms`.
    """

    images: tuple[str, ...] = Field(min_length=1, max_length=MAX_INPUTS)
    route: str | None = Field(default=None, min_length=1, max_length=1024)
    fresh: bool = False
    frame: FrameNumber | Literal["sheet"] | None = None
    allow_url: bool = False
    wait: bool = False


async def read(request: ReadRequest, deps: VisionDeps) -> Document:
    """Read every picture; one prints its record, several a batch in argument order.

    Raises:
        EyesError: the failure of a single picture. In a batch each failure stays with its item.
    """
    items: list[BatchItem] = []
    async for source in deps.load(request.images, request.allow_url):
        items.append(await _item(len(items), source, request, deps))
        deps.progress(len(items), max(len(items), len(request.images)), "reading")
    if len(request.images) == 1 and len(items) == 1:
        return _only(items[0])
    succeeded = sum(item.record is not None for item in items)
    return EvidenceBatch(total=len(items), succeeded=succeeded, failed=len(items) - succeeded, items=tuple(items))


async def _item(index: int, source: Loaded | Failed, request: ReadRequest, deps: VisionDeps) -> BatchItem:
    try:
        record = await see(_work(source, request), deps)
    except EyesError as trouble:
        return BatchItem(index=index, input=source.label, error=ErrorBody.of(trouble))
    return BatchItem(index=index, input=source.label, record=record)


def _work(source: Loaded | Failed, request: ReadRequest) -> Work:
    if isinstance(source, Failed):
        raise source.error
    return replace(Work.of(source), route=request.route, fresh=request.fresh, frame=request.frame, wait=request.wait)


def _only(item: BatchItem) -> EvidenceRecord:
    if item.record is None:
        assert item.error is not None
        raise item.error.raised()
    return item.record
