"""The readers of a batch over executors that a test directs."""

from __future__ import annotations

import asyncio
import pickle
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.catalog import Route
from deepseekeyes.wiring.reader_pool import TRIES_ALONE, Pool
from deepseekeyes.wiring.reader_process import Done


class Directed(Executor):
    """Breaks as a whole when it is handed a job that kills."""

    def __init__(self, log: list[str], width: int) -> None:
        self.log, self.width, self.broken = log, width, False
        self.waiting: list[tuple[Future[Any], str]] = []

    def submit(self, call: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        if self.broken:
            raise BrokenProcessPool("broken")
        future: Future[Any] = Future()
        self.waiting.append((future, arguments[0]))
        if len(self.waiting) >= self.width:
            self.settle()
        return future

    def settle(self) -> None:
        self.broken = any(name == "deadly" for _, name in self.waiting)
        for future, name in self.waiting:
            self.log.append(f"{self.width}:{name}{' lost' if self.broken else ''}")
            if self.broken:
                future.set_exception(BrokenProcessPool("a process ended"))
            else:
                future.set_result(Done(key=name))
        self.waiting.clear()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.broken = True


class Trial(Pool):
    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.log: list[str] = []

    def _pool(self, count: int) -> Executor:
        return Directed(self.log, count)


def ran(pool: Trial, *jobs: str) -> list[Any]:
    async def all_of() -> list[Any]:
        return await asyncio.gather(*(pool.run(job) for job in jobs), return_exceptions=True)  # type: ignore[arg-type]

    return asyncio.run(all_of())


def test_a_picture_that_kills_its_reader_fails_alone() -> None:
    pool = Trial(3)
    first, deadly, last = ran(pool, "a", "deadly", "b")
    assert (first, last) == (Done(key="a"), Done(key="b"))
    assert isinstance(deadly, EyesError)
    assert (deadly.code.name, deadly.kind) == ("WORKER_LOST", "unavailable")
    assert pool.log == ["3:a lost", "3:deadly lost", "3:b lost", "1:a", *["1:deadly lost"] * TRIES_ALONE, "1:b"]
    pool.close()


def test_work_goes_on_in_new_processes_after_a_loss() -> None:
    pool = Trial(2)
    ran(pool, "a", "deadly")
    assert ran(pool, "c", "d") == [Done(key="c"), Done(key="d")]
    pool.close()


def test_closing_before_anything_was_read_starts_nothing() -> None:
    pool = Trial(2)
    pool.close()
    assert pool.log == []


def test_what_travels_to_a_worker_and_back_survives_the_journey() -> None:
    from deepseekeyes.contracts.probe import Verification
    from deepseekeyes.vision.codes import WORKER_LOST
    from deepseekeyes.vision.settings import VisionSettings
    from deepseekeyes.vision.work import Work
    from deepseekeyes.wiring.reader_process import Job

    route = Route(
        id="local", provider="local", engine="local", model="m", capabilities=("image_to_evidence",),
        inputs=("text", "image"),
    )  # fmt: skip
    job = Job(route, Work(b"x", "", "0" * 64), Verification(status="disabled"), VisionSettings(), None, "1", 1, 1)
    assert pickle.loads(pickle.dumps(job)) == job
    done = Done(error=EyesError(WORKER_LOST, "gone", details={"path": "/x"}))
    back = pickle.loads(pickle.dumps(done)).error
    assert (back.code, back.message, back.details) == (WORKER_LOST, "gone", {"path": "/x"})


@pytest.mark.parametrize(("version", "model"), [("0.0.0", None), (None, "another eye")])
def test_a_worker_that_differs_refuses_to_read(version: str | None, model: str | None) -> None:
    from deepseekeyes import __version__
    from deepseekeyes.contracts.probe import Verification
    from deepseekeyes.routing.adapters.local.identity import identity
    from deepseekeyes.vision.settings import VisionSettings
    from deepseekeyes.vision.work import Work
    from deepseekeyes.wiring.reader_process import Job, perform

    route = Route(
        id="local", provider="local", engine="local", model=model or identity(), capabilities=("image_to_evidence",),
        inputs=("text", "image"),
    )  # fmt: skip
    job = Job(
        route, Work(b"x", "", "0" * 64), Verification(status="disabled"), VisionSettings(), None,
        version or __version__, 1, 1,
    )  # fmt: skip
    done = perform(job)
    assert done.error is not None
    assert (done.error.code.name, done.error.kind, done.calls) == ("WORKER_DIFFERS", "input", 0)


def test_a_cluster_without_its_extra_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from deepseekeyes.wiring.cluster import Cluster

    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(EyesError) as caught:
        asyncio.run(Cluster.join("tcp://127.0.0.1:1", None, 100))
    assert (caught.value.code.name, caught.value.kind) == ("CLUSTER_EXTRA_MISSING", "input")
    assert caught.value.hint == "pip install 'deepseekeyes[cluster]'"
