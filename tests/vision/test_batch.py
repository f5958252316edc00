"""Batches in this process: a scripted endpoint, an own home."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scripted_model import raw, refuses, says

from deepseekeyes.core.errors import EyesError
from deepseekeyes.vision.batch import BatchRequest, batch
from deepseekeyes.wiring.batch import batch_deps

pytestmark = pytest.mark.service

COLOURS = ["red", "green", "blue", "white", "black", "teal", "navy", "olive"]


class Collector:
    """A door that keeps the lines of a stream."""

    local = True
    wants_text = False

    def __init__(self, piped: bytes = b"") -> None:
        self.items: list[Any] = []
        self.marks: list[tuple[int, int | None]] = []
        self.piped = piped

    def stdin(self, limit: int) -> bytes:
        return self.piped[:limit]

    def progress(self, done: int, total: int | None, label: str) -> None:
        self.marks.append((done, total))

    def item(self, document: Any) -> None:
        self.items.append(document)

    def text(self, delta: str) -> None:
        return

    def note(self, sentence: str) -> None:
        raise AssertionError(sentence)


@pytest.fixture
def door(desk: Any) -> Collector:
    desk.door = Collector()
    return desk.door


def shots(desk: Any, count: int) -> str:
    folder = desk.folder / "shots"
    folder.mkdir(exist_ok=True)
    for index in range(count):
        desk.picture(f"shots/{index}.png", COLOURS[index])
    return str(folder)


def lines_of(door: Collector) -> list[tuple[int, str, str | None]]:
    return sorted((item.index, Path(item.input).name, item.error and item.error.code) for item in door.items)


def test_every_picture_gets_a_line_and_the_summary_counts_them(desk: Any, door: Collector, asking: Any) -> None:
    folder = shots(desk, 3)
    (Path(folder) / "x.png").write_bytes(b"no picture")
    desk.eye.script(*(says(asking.base(f"line {index}")) for index in range(3)))
    summary = desk.run("vision.batch", sources=[folder, f"{folder}/missing.png"], jobs=1)
    assert lines_of(door) == [
        (0, "0.png", None),
        (1, "1.png", None),
        (2, "2.png", None),
        (3, "x.png", "INPUT_NOT_IMAGE"),
        (4, "missing.png", "INPUT_MISSING"),
    ]
    assert (summary.total, summary.succeeded, summary.failed, summary.cached) == (5, 3, 2, 0)
    assert (summary.place, summary.readers, summary.routes) == ("here", 1, {"eye": 3})
    assert [(one.index, one.error.code) for one in summary.failures] == [(3, "INPUT_NOT_IMAGE"), (4, "INPUT_MISSING")]
    assert (summary.outcome(), summary.failure()) == ("partial", None)
    assert door.marks == [(done, 5) for done in range(1, 6)]
    assert [item.images()[0].sha256 for item in sorted(door.items, key=lambda item: item.index)[:3]] == [
        item.record.source.sha256 for item in sorted(door.items, key=lambda item: item.index)[:3]
    ]


def test_what_was_read_before_is_answered_from_the_store(desk: Any, door: Collector, asking: Any) -> None:
    folder = shots(desk, 3)
    desk.eye.script(says(asking.base("a")), refuses(400), says(asking.base("c")))
    first = desk.run("vision.batch", sources=[folder], jobs=1)
    desk.eye.script(says(asking.base("b")))
    second = desk.run("vision.batch", sources=[folder], jobs=1)
    assert (first.succeeded, first.failed) == (2, 1)
    assert (second.succeeded, second.cached, second.routes) == (3, 2, {"eye": 3})
    assert len(desk.eye.calls) == 4


def test_readings_over_the_network_go_side_by_side_up_to_the_bound(desk: Any, door: Collector, asking: Any) -> None:
    meeting = threading.Barrier(3)
    now, most, guard = 0, 0, threading.Lock()

    def together(request: Any) -> Any:
        nonlocal now, most
        with guard:
            now += 1
            most = max(most, now)
        meeting.wait(timeout=60)
        with guard:
            now -= 1
        return says(asking.base("x"))(request)

    desk.eye.script(*[together] * 6)
    summary = desk.run("vision.batch", sources=[shots(desk, 6)], jobs=3)
    assert (summary.succeeded, summary.readers, most) == (6, 3, 3)


def test_no_more_pictures_are_in_memory_than_readers(desk: Any, door: Collector, asking: Any) -> None:
    folder, held, most = shots(desk, 8), 0, 0
    desk.eye.script(*(says(asking.base("x")) for _ in range(8)))
    app = desk.app()
    deps = batch_deps(app)

    async def load(texts: Any, allow_url: bool) -> Any:
        nonlocal held, most
        async for source in deps.vision.load(texts, allow_url):
            held += 1
            most = max(most, held)
            yield source

    def item(document: Any) -> None:
        nonlocal held
        held -= 1

    watched = replace(deps, vision=deps.vision._replace(load=load), item=item)
    summary = asyncio.run(batch(BatchRequest(sources=(folder,), jobs=2), watched))
    app.close()
    assert (summary.succeeded, most) == (8, 2)


def test_equal_pictures_are_paid_for_once(desk: Any, door: Collector, asking: Any) -> None:
    sources = [desk.picture(f"{index}.png", "red") for index in range(4)]
    desk.eye.script(says(asking.base("x")))
    summary = desk.run("vision.batch", sources=sources, jobs=4)
    assert (summary.succeeded, summary.cached, len(desk.eye.calls)) == (4, 3, 1)


def test_a_batch_without_a_success_ends_as_its_first_failure(desk: Any, door: Collector) -> None:
    sources = [str(desk.folder / "no.png"), str(desk.folder / "neither.png")]
    summary = desk.run("vision.batch", sources=sources)
    failure = summary.failure()
    assert (summary.outcome(), failure.code, failure.kind) == (None, "INPUT_MISSING", "input")


def test_a_list_fails_line_by_line_and_carries_frames(desk: Any, door: Collector, asking: Any) -> None:
    desk.picture("a.png")
    listing = desk.folder / "list.jsonl"
    listing.write_text('a.png\n[]\n{"image": "a.png", "frame": 7}\n', encoding="utf-8")
    desk.eye.script(says(asking.base("x")))
    summary = desk.run("vision.batch", sources=[str(listing)], jobs=1)
    assert lines_of(door) == [
        (0, "a.png", None),
        (1, "list.jsonl:2", "BATCH_LINE_INVALID"),
        (2, "a.png", "FRAME_OUT_OF_RANGE"),
    ]
    assert (summary.succeeded, summary.failed) == (1, 2)


def test_standard_input_holds_a_list_a_picture_or_documents(desk: Any, door: Collector, asking: Any) -> None:
    path = desk.picture("a.png", "red")
    desk.eye.script(says(asking.base("x")))
    door.piped = f"{path}\n".encode()
    listed = desk.run("vision.batch", sources=["-"])
    door.piped = Path(path).read_bytes()
    picture = desk.run("vision.batch", sources=["-"])
    door.piped = b"".join(item.model_dump_json(by_alias=True).encode() + b"\n" for item in door.items)
    documents = desk.run("vision.batch", sources=["-"])
    assert [(one.total, one.cached, one.failed) for one in (listed, picture, documents)] == [
        (1, 0, 0),
        (1, 1, 0),
        (2, 2, 0),
    ]


@pytest.mark.parametrize("name", ["empty", "*.none"])
def test_nothing_to_read_is_an_input_failure(desk: Any, door: Collector, name: str) -> None:
    (desk.folder / "empty").mkdir()
    with pytest.raises(EyesError) as caught:
        desk.run("vision.batch", sources=[str(desk.folder / name)])
    assert (caught.value.code.name, caught.value.kind) == ("BATCH_EMPTY", "input")


def test_too_many_pictures_name_the_setting(desk: Any, door: Collector) -> None:
    desk.settings["vision.batch.max_items"] = 2
    with pytest.raises(EyesError) as caught:
        desk.run("vision.batch", sources=[shots(desk, 3)])
    assert caught.value.code.name == "BATCH_TOO_MANY"
    assert caught.value.details["limit"] == {"name": "max_items", "value": 2, "setting": "vision.batch.max_items"}
    assert "vision.batch.max_items" in caught.value.hint


def test_a_route_that_is_not_there_is_said_once_and_not_for_each_picture(desk: Any, door: Collector) -> None:
    with pytest.raises(EyesError) as caught:
        desk.run("vision.batch", sources=[shots(desk, 3)], route="nobody")
    assert (caught.value.code.name, door.items) == ("ROUTE_NOT_FOUND", [])


def test_a_store_that_cannot_be_written_ends_the_batch_before_more_is_paid_for(
    desk: Any, door: Collector, asking: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from deepseekeyes.store.codes import RECORD_NOT_FOUND
    from deepseekeyes.store.records import Records

    def full(*_: Any, **__: Any) -> Any:
        raise EyesError(RECORD_NOT_FOUND, "There is no room.")

    monkeypatch.setattr(Records, "add", full)
    desk.eye.script(*(says(asking.base("x")) for _ in range(3)))
    with pytest.raises(EyesError) as caught:
        desk.run("vision.batch", sources=[shots(desk, 3)], jobs=1)
    assert (caught.value.code.name, len(desk.eye.calls), door.items) == ("EVIDENCE_PERSIST_FAILED", 1, [])


def test_a_defect_that_one_picture_brings_to_light_stays_with_its_line(
    desk: Any, door: Collector, asking: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from deepseekeyes.vision import batch as module

    whole = module.see

    async def see(work: Any, deps: Any) -> Any:
        if work.label.endswith("1.png"):
            raise ZeroDivisionError
        return await whole(work, deps)

    monkeypatch.setattr(module, "see", see)
    desk.eye.script(*(says(asking.base("x")) for _ in range(2)))
    summary = desk.run("vision.batch", sources=[shots(desk, 3)], jobs=1)
    assert lines_of(door) == [(0, "0.png", None), (1, "1.png", "INTERNAL"), (2, "2.png", None)]
    assert summary.failures[0].error.kind == "internal"
    assert len(list((home / "crash").iterdir())) == 1


def test_tokens_of_failures_are_in_the_sum(desk: Any, door: Collector, asking: Any) -> None:
    desk.settings["vision.failover_attempts"] = 0
    desk.eye.script(says(asking.base("x")), raw(b"not json"))
    summary = desk.run("vision.batch", sources=[shots(desk, 2)], jobs=1)
    good = next(item for item in door.items if item.record is not None)
    assert summary.failed == 1
    assert summary.usage == good.record.run.usage


@pytest.mark.parametrize("address", ["host:8786", "http://host:8786", "tcp://host", "tcp://host:x"])
def test_a_clusters_address_has_one_form(desk: Any, door: Collector, address: str) -> None:
    with pytest.raises(EyesError) as caught:
        desk.run("vision.batch", sources=["a.png"], cluster=address)
    assert caught.value.code.name == "INVALID_REQUEST"
