"""Read pictures into evidence records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from deepseekeyes.contracts.model import Contract
from deepseekeyes.imaging.inputs import Failed
from deepseekeyes.vision.stored import stored_reading
from deepseekeyes.vision.work import FrameNumber, Work

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from deepseekeyes.contracts.document import Document
    from deepseekeyes.contracts.stored import StoredRecord
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


async def read(request: ReadRequest, deps: VisionDeps) -> Document | StoredRecord:
    """Read every picture; one prints its record, several a batch in argument order.

    Raises:
        EyesError: the failure of a single picture. In a batch each failure stays with its item.
    """
    sources = deps.load(request.images, request.allow_url)
    if len(request.images) == 1:
        found = [source async for source in sources]
        if len(found) == 1:
            return await _one(work_of(found[0], request), deps)
        sources = _again(found)
    from deepseekeyes.vision.read_many import read_many

    return await read_many(sources, request, deps)


async def _one(work: Work, deps: VisionDeps) -> Document | StoredRecord:
    stored = stored_reading(work, deps)
    if stored is not None:
        return stored
    from deepseekeyes.vision.see import see

    return await see(work, deps)


async def _again(found: list[Loaded | Failed]) -> AsyncIterator[Loaded | Failed]:
    for source in found:
        yield source


def work_of(source: Loaded | Failed, request: ReadRequest) -> Work:
    """The reading that is asked for of one source.

    Raises:
        EyesError: why the source could not be loaded.
    """
    if isinstance(source, Failed):
        raise source.error
    return Work.of(source)._replace(route=request.route, fresh=request.fresh, frame=request.frame, wait=request.wait)
