"""An existing Dask cluster as the workers of a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.vision.codes import WORKER_LOST
from deepseekeyes.wiring.codes import (
    CLUSTER_EMPTY,
    CLUSTER_EXTRA_MISSING,
    CLUSTER_LOST,
    CLUSTER_UNREACHABLE,
    WORKER_DIFFERS,
)
from deepseekeyes.wiring.reader_process import Done, Job, perform

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from deepseekeyes.contracts.batch import Place


class Cluster:
    """Workers behind a Dask scheduler; the scheduler runs a job again when its worker is lost.

    Scheduler and workers need this package with its `local` extra, in the version of this process.
    """

    place: Place = "cluster"

    def __init__(self, client: Any, executor: Executor, count: int, readings: int) -> None:
        self._client, self._executor = client, executor
        self.count = count
        self.readings = readings

    @classmethod
    async def join(cls, address: str, jobs: int | None, wait_ms: int) -> Cluster:
        """Connect to a scheduler and wait for its first worker.

        Args:
            address: `tcp://HOST:PORT` or `tls://HOST:PORT`.
            jobs: jobs under way at a time; as many as the workers have threads when None.
            wait_ms: for the connection and for the first worker, each.

        Raises:
            EyesError: CLUSTER_EXTRA_MISSING, CLUSTER_UNREACHABLE, CLUSTER_EMPTY.
        """
        import asyncio

        try:
            import distributed
        except ImportError:
            raise EyesError(CLUSTER_EXTRA_MISSING, "Reading on a cluster needs Dask, which is not installed.") from None
        import warnings

        warnings.filterwarnings("ignore", message="Sending large graph", category=UserWarning)
        seconds = wait_ms / 1000
        try:
            client: Any = await asyncio.to_thread(distributed.Client, address, timeout=seconds, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as trouble:
            raise EyesError(CLUSTER_UNREACHABLE, f"No Dask scheduler answers at {address}.") from trouble
        try:
            await asyncio.to_thread(client.wait_for_workers, 1, timeout=seconds)
        except TimeoutError:
            client.close(timeout=1)
            raise EyesError(CLUSTER_EMPTY, f"The cluster at {address} has no worker.") from None
        threads = [int(count) for count in client.nthreads().values()]
        return cls(client, client.get_executor(pure=False), jobs or max(1, sum(threads)), max(1, *threads))

    async def run(self, job: Job) -> Done:
        """One job on some worker.

        Raises:
            EyesError: WORKER_LOST when several workers died of it, CLUSTER_LOST, WORKER_DIFFERS.
        """
        import asyncio

        from distributed.scheduler import KilledWorker

        try:
            return await asyncio.wrap_future(self._executor.submit(perform, job))
        except KilledWorker:
            raise EyesError(WORKER_LOST, "Every worker that read this picture was lost.") from None
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise EyesError(CLUSTER_LOST, "The cluster's scheduler was lost.") from None
        except (ImportError, RuntimeError) as trouble:
            if isinstance(trouble, RuntimeError) and "deserializ" not in str(trouble):
                raise
            raise EyesError(WORKER_DIFFERS, "The cluster's scheduler or a worker lacks this package.") from trouble

    def close(self) -> None:
        """Take back what was not begun and disconnect; the cluster itself stays as it was."""
        self._executor.shutdown(wait=False)
        self._client.close(timeout=2)
