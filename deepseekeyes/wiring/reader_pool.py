"""The readers of a batch over any `concurrent.futures.Executor`."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, Executor
from typing import TYPE_CHECKING, Any

from deepseekeyes import __version__
from deepseekeyes.core.errors import EyesError
from deepseekeyes.vision.codes import WORKER_LOST
from deepseekeyes.wiring.reader_process import Done, Job, perform, prepare

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable
    from multiprocessing.context import SpawnContext, SpawnProcess

    from deepseekeyes.contracts.batch import Place
    from deepseekeyes.contracts.probe import Verification
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.routing.tally import Tally
    from deepseekeyes.vision.settings import VisionSettings
    from deepseekeyes.vision.work import Work
    from deepseekeyes.wiring.app import App

TRIES_ALONE = 2
"""How often a picture is tried again by itself after the workers broke while it was among those being read."""


class Pool:
    """Processes of this machine, started with the first picture.

    Args:
        count: pictures read at a time.
    """

    place: Place = "processes"

    def __init__(self, count: int) -> None:
        self.count = count
        self._executor: Executor | None = None
        self._alone: Executor | None = None
        self._turn: asyncio.Lock | None = None
        self._started: list[SpawnProcess] = []

    async def run(self, job: Job) -> Done:
        """One job, on the next free process.

        When a process dies, every job that was under way may be the cause. Each is tried again with nobody beside it,
        so that only the cause fails.

        Raises:
            EyesError: WORKER_LOST.
        """
        import asyncio

        executor = self._executor = self._executor or self._pool(self.count)
        try:
            return await asyncio.wrap_future(executor.submit(perform, job))
        except BrokenExecutor:
            if self._executor is executor:
                self._executor = None
            executor.shutdown(wait=False)
        self._turn = self._turn or asyncio.Lock()
        async with self._turn:
            return await self._by_itself(job)

    async def _by_itself(self, job: Job) -> Done:
        import asyncio

        for _ in range(TRIES_ALONE):
            executor = self._alone = self._alone or self._pool(1)
            try:
                return await asyncio.wrap_future(executor.submit(perform, job))
            except BrokenExecutor:
                self._alone = None
                executor.shutdown(wait=False)
        raise EyesError(WORKER_LOST, "The process that read this picture died, each time.")

    def close(self) -> None:
        """End every process at once; at the end of a batch none has work left."""
        executors, self._executor, self._alone = (self._executor, self._alone), None, None
        for executor in executors:
            if executor is not None:
                executor.shutdown(wait=False, cancel_futures=True)
        for process in self._started:
            process.terminate()
        for executor in executors:
            if executor is not None:
                executor.shutdown(wait=True)
        for process in self._started:
            process.join()
        self._started.clear()

    def _pool(self, count: int) -> Executor:
        from concurrent.futures import ProcessPoolExecutor

        return ProcessPoolExecutor(count, mp_context=_remembering(self._started), initializer=prepare)


def _remembering(started: list[SpawnProcess]) -> SpawnContext:
    """The `spawn` way of starting processes, each noted in a list so that it can be ended."""
    from multiprocessing.context import SpawnContext, SpawnProcess

    class Remembering(SpawnContext):
        @staticmethod
        def Process(  # type: ignore[override]  # noqa: N802 - a class there, made by a call here
            *arguments: Any, **named: Any
        ) -> SpawnProcess:
            process = SpawnProcess(*arguments, **named)
            started.append(process)
            return process

    return Remembering()


class ReadersOver:
    """`Readers`: hands readings of the eye in this process to a pool or a cluster, books and returns what comes back.

    Args:
        workers: a `Pool`, or what else runs jobs.
        threads: of one reading.
        readings: pictures that one worker process reads at a time.
    """

    def __init__(self, app: App, workers: Any, *, threads: int, readings: int = 1) -> None:
        self._app, self._workers = app, workers
        self._threads, self._readings = threads, readings
        self.count: int = workers.count
        self.place: Place = workers.place

    def takes(self, route: Route) -> bool:
        """Routes over the network stay here: their keys do not travel, and waiting costs no core."""
        return route.in_process

    async def read(
        self, route: Route, work: Work, verification: Verification, tally: Tally
    ) -> tuple[str, dict[str, Any]]:
        """See `Elsewhere.read`.

        Raises:
            EyesError: what the reading failed with; WORKER_LOST, WORKER_DIFFERS, CLUSTER_LOST.
        """
        settings: VisionSettings = self._app.settings.vision
        job = Job(
            route,
            work._replace(label=""),
            verification,
            settings,
            self._app.session_hash,
            __version__,
            self._threads,
            self._readings,
        )
        done: Done = await self._workers.run(job)
        for event in done.events:
            self._app.books.usage(event)
        tally.calls += done.calls
        tally.repetitions.extend(done.repetitions)
        if done.usage is not None:
            tally.usage = tally.usage + done.usage
        if done.error is not None:
            raise done.error
        assert done.content is not None
        return done.key, done.content

    def close(self) -> None:
        """End the workers of a pool, or let go of a cluster."""
        close: Callable[[], None] = self._workers.close
        close()
