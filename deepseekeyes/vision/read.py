"""Read pictures into evidence records."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import Field

from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.evidence import BatchItem, EvidenceBatch, EvidenceRecord
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError
from deepseekeyes.vision.see import see
from deepseekeyes.vision.work import Work

if TYPE_CHECKING:
    from deepseekeyes.contracts.document import Document
    from deepseekeyes.vision.deps import VisionDeps

MAX_INPUTS = 10_000


class ReadRequest(Contract):
    """Pictures to read.

    Attributes:
        images: as the user names them: file, `-`, `sha256:HEX`, `data:` URL, http(s) URL.
        route: an id or `provider/model`; the plan decides when absent.
        fresh: read again although a record exists.
        frame: of an animation, from 0.
        allow_url: whether http(s) URLs are fetched.
    """

    images: tuple[str, ...] = Field(min_length=1, max_length=MAX_INPUTS)
    route: str | None = Field(default=None, min_length=1, max_length=1024)
    fresh: bool = False
    frame: int | None = Field(default=None, ge=0)
    allow_url: bool = False


async def read(request: ReadRequest, deps: VisionDeps) -> Document:
    """Read every picture; one prints its record, several a batch in argument order.

    Raises:
        EyesError: the failure of a single picture. In a batch each failure stays with its item.
    """
    sources = await _sources(request, deps)
    if len(request.images) == 1 and len(sources) == 1:
        return await see(_work(sources[0], request), deps)
    items: list[BatchItem] = []
    for index, source in enumerate(sources):
        deps.progress(index, len(sources), "reading")
        items.append(await _item(index, source, request, deps))
    deps.progress(len(sources), len(sources), "reading")
    succeeded = sum(item.record is not None for item in items)
    return EvidenceBatch(total=len(items), succeeded=succeeded, failed=len(items) - succeeded, items=tuple(items))


async def _sources(request: ReadRequest, deps: VisionDeps) -> list[Work | tuple[str, EyesError]]:
    """Every picture of every input, a failed input in its place."""
    found: list[Work | tuple[str, EyesError]] = []
    for text in request.images:
        try:
            found.extend(Work.of(loaded) for loaded in await deps.load(text, request.allow_url))
        except EyesError as trouble:
            if len(request.images) == 1:
                raise
            found.append((text, trouble))
    return found


def _work(source: Work | tuple[str, EyesError], request: ReadRequest) -> Work:
    if not isinstance(source, Work):
        raise source[1]
    return replace(source, route=request.route, fresh=request.fresh, frame=request.frame)


async def _item(index: int, source: Work | tuple[str, EyesError], request: ReadRequest, deps: VisionDeps) -> BatchItem:
    label = source.label if isinstance(source, Work) else source[0]
    try:
        record: EvidenceRecord = await see(_work(source, request), deps)
    except EyesError as trouble:
        return BatchItem(index=index, input=label, error=ErrorBody.of(trouble))
    return BatchItem(index=index, input=label, record=record)
