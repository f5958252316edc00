"""Read many pictures at a time, and say of each one what became of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from deepseekeyes.contracts.batch import EvidenceBatchItem, EvidenceBatchSummary
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.imaging.inputs import Failed
from deepseekeyes.vision.batch_sources import Entry, is_list, lines, listed
from deepseekeyes.vision.batch_tally import BatchTally
from deepseekeyes.vision.codes import BATCH_EMPTY, BATCH_TOO_MANY
from deepseekeyes.vision.see import see
from deepseekeyes.vision.stored import planned
from deepseekeyes.vision.together import together
from deepseekeyes.vision.work import FrameNumber, Work

if TYPE_CHECKING:
    import asyncio
    from weakref import WeakValueDictionary

    from deepseekeyes.contracts.document import Document
    from deepseekeyes.contracts.evidence import EvidenceRecord
    from deepseekeyes.imaging.inputs import Loaded
    from deepseekeyes.vision.deps import VisionDeps
    from deepseekeyes.vision.ports import Readers

MAX_SOURCES = 10_000
ENDING = frozenset({"EVIDENCE_PERSIST_FAILED", "CLUSTER_LOST", "WORKER_DIFFERS"})
"""Failures that every further picture would meet again, perhaps after it was paid for."""

AHEAD = 2
"""Pictures beyond the number of readers that are loaded and wait for one, so that no reader waits for a disk."""


class BatchRequest(Contract):
    """Pictures to read, many at a time.

    Attributes:
        sources: folders, patterns, lists (`.jsonl`) and single pictures; `-` is a list or documents on standard input.
        recursive: whether folders inside folders are entered.
        route: an id or `provider/model`; the plan decides when absent.
        fresh: read again although records exist.
        frame: of animations whose line in a list names none.
        allow_url: whether http(s) URLs are fetched.
        wait: whether a walk may wait for a resting route, up to `routing.max_wait_ms`.
        jobs: pictures read at the same time; absent, one for each core, or `vision.batch.readings` over the network.
        cluster: address of a Dask scheduler whose workers read what is read without a network.
    """

    sources: tuple[str, ...] = Field(min_length=1, max_length=MAX_SOURCES)
    recursive: bool = False
    route: str | None = Field(default=None, min_length=1, max_length=1024)
    fresh: bool = False
    frame: FrameNumber | Literal["sheet"] | None = None
    allow_url: bool = False
    wait: bool = False
    jobs: int | None = Field(default=None, ge=1, le=1024)
    cluster: str | None = Field(
        default=None,
        pattern=r"^(?:tcp|tls)://[^\s/]{1,255}:[0-9]{1,5}$",
        description="the address of a Dask scheduler as tcp://HOST:PORT or tls://HOST:PORT",
    )


@dataclass(frozen=True, slots=True)
class BatchDeps:
    """What a batch touches.

    Attributes:
        vision: everything between one picture and its evidence.
        text: the bytes of a file of text, or of standard input for `-`.
        piped: the pictures of documents on standard input; None when it holds something else.
        item: takes each line as soon as it exists.
        readers: those who read, for a number of jobs and a cluster's address; nothing starts before the first picture.
        crashed: a failure for a defect that one picture brought to light.
    """

    vision: VisionDeps
    text: Callable[[str], bytes]
    piped: Callable[[bytes], tuple[str, ...] | None]
    item: Callable[[Document], None]
    readers: Callable[[int | None, str | None], Awaitable[Readers]]
    crashed: Callable[[Exception], EyesError]


async def batch(request: BatchRequest, deps: BatchDeps) -> EvidenceBatchSummary:
    """Read every picture; stored readings answer at once, so a batch that was broken off goes on where it was.

    Lines go out in the order in which pictures are done. At most the readers' number of pictures and a few more are
    in memory.

    Raises:
        EyesError: `BATCH_EMPTY`, `BATCH_TOO_MANY`, what listing and planning raise, `CLUSTER_*`,
            `WORKER_DIFFERS`, `EVIDENCE_PERSIST_FAILED`. Any other failure of a picture stays with its line.
    """
    entries = _entries(request, deps)
    first = planned(Work(data=b"", label="", sha256="", route=request.route), deps.vision).demand().places[0].route
    await loop_needed()
    readers = await deps.readers(request.jobs, request.cluster)
    try:
        away = readers.takes(first)
        at_once = readers.count if away else request.jobs or deps.vision.settings.batch.readings
        run = _Run(request, deps, deps.vision._replace(elsewhere=readers), len(entries))
        await together(run.reader(entry) for entry in _shared(entries, min(len(entries), at_once + AHEAD * away)))
    finally:
        readers.close()
    return run.tally.summary(
        duration_ms=deps.vision.clock.milliseconds_since(run.started),
        place=readers.place if away else "here",
        readers=at_once,
        persistence=deps.vision.persistence(),
    )


def _shared(entries: list[Entry], readers: int) -> list[Iterator[tuple[int, Entry]]]:
    """One iterator over all entries, as often as there are readers to take from it."""
    return [iter(enumerate(entries))] * readers


class _Run:
    """One batch on its way."""

    def __init__(self, request: BatchRequest, deps: BatchDeps, vision: VisionDeps, total: int) -> None:
        from weakref import WeakValueDictionary

        self.request, self.deps, self.vision, self.total = request, deps, vision, total
        self.started = vision.clock.monotonic()
        self.tally = BatchTally()
        self._turns: WeakValueDictionary[tuple[str, object], asyncio.Lock] = WeakValueDictionary()

    async def reader(self, entries: Iterator[tuple[int, Entry]]) -> None:
        """Take one entry after the other until none is left; stored readings leave room for an interrupt, too."""
        import asyncio

        for index, entry in entries:
            await asyncio.sleep(0)
            item = await self._item(index, entry)
            self.tally.add(item)
            self.deps.item(item)
            self.vision.progress(self.tally.total, self.total, "reading")

    async def _item(self, index: int, entry: Entry) -> EvidenceBatchItem:
        label = entry.label
        try:
            if entry.error is not None:
                raise entry.error
            source = await self._loaded(entry)
            label = source.label
            record = await self._read(source, entry)
        except EyesError as trouble:
            if trouble.code.name in ENDING:
                raise
            return EvidenceBatchItem(index=index, input=label, error=ErrorBody.of(trouble))
        except Exception as bug:  # noqa: BLE001 - a defect that one picture brings to light must not take the others down
            return EvidenceBatchItem(index=index, input=label, error=ErrorBody.of(self.deps.crashed(bug)))
        return EvidenceBatchItem(index=index, input=label, record=record)

    async def _loaded(self, entry: Entry) -> Loaded:
        async for source in self.vision.load((entry.text,), self.request.allow_url):
            if isinstance(source, Failed):
                raise source.error
            return source
        raise EyesError(BATCH_EMPTY, f"{entry.label} holds no picture.")

    async def _read(self, source: Loaded, entry: Entry) -> EvidenceRecord:
        request = self.request
        frame = request.frame if entry.frame is None else entry.frame
        work = Work.of(source)._replace(route=request.route, fresh=request.fresh, frame=frame, wait=request.wait)
        async with self._turn(work):
            return await see(work, self.vision)

    def _turn(self, work: Work) -> asyncio.Lock:
        """Equal pictures are read one after the other, so that the second finds the record of the first."""
        import asyncio

        key = work.sha256, work.frame
        turn = self._turns.get(key)
        if turn is None:
            turn = self._turns[key] = asyncio.Lock()
        return turn


def _entries(request: BatchRequest, deps: BatchDeps) -> list[Entry]:
    limits = deps.vision.settings.batch
    entries: list[Entry] = []
    for source in request.sources:
        for entry in _of(source, request, deps):
            if len(entries) >= limits.max_items:
                details = limits.exceeded("max_items")
                raise EyesError(
                    BATCH_TOO_MANY,
                    f"The batch holds more than {limits.max_items} pictures.",
                    details=details,
                    setting=details["limit"]["setting"],
                )
            entries.append(entry)
    if not entries:
        raise EyesError(BATCH_EMPTY, "There are no pictures in what was named.")
    return entries


def _of(source: str, request: BatchRequest, deps: BatchDeps) -> Iterable[Entry]:
    if source == "-":
        data = deps.text(source)
        pictures = deps.piped(data)
        return lines(data, "standard input", None) if pictures is None else map(Entry.of, pictures)
    if is_list(source):
        return lines(deps.text(source), source, Path(source).parent)
    return listed(source, recursive=request.recursive)
