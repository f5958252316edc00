"""Several pictures in one command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.evidence import BatchItem, EvidenceBatch
from deepseekeyes.core.errors import EyesError
from deepseekeyes.vision.read import work_of
from deepseekeyes.vision.see import see

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from deepseekeyes.imaging.inputs import Failed, Loaded
    from deepseekeyes.vision.deps import VisionDeps
    from deepseekeyes.vision.read import ReadRequest


async def read_many(sources: AsyncIterator[Loaded | Failed], request: ReadRequest, deps: VisionDeps) -> EvidenceBatch:
    """Read pictures one after another; each failure stays with its item."""
    items: list[BatchItem] = []
    async for source in sources:
        items.append(await _item(len(items), source, request, deps))
        deps.progress(len(items), max(len(items), len(request.images)), "reading")
    succeeded = sum(item.record is not None for item in items)
    return EvidenceBatch(total=len(items), succeeded=succeeded, failed=len(items) - succeeded, items=tuple(items))


async def _item(index: int, source: Loaded | Failed, request: ReadRequest, deps: VisionDeps) -> BatchItem:
    try:
        record = await see(work_of(source, request), deps)
    except EyesError as trouble:
        return BatchItem(index=index, input=source.label, error=ErrorBody.of(trouble))
    return BatchItem(index=index, input=source.label, record=record)
