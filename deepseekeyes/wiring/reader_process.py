"""One reading inside a worker: bytes and a route in, the content of a record and what it cost out.

A worker writes nothing: neither records nor pictures nor rows. The process that handed the work out does.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from deepseekeyes import __version__
from deepseekeyes.core.errors import EyesError
from deepseekeyes.wiring.codes import WORKER_DIFFERS

if TYPE_CHECKING:
    from deepseekeyes.contracts.probe import Verification
    from deepseekeyes.contracts.usage import Purpose, TokenUsage, UsageEvent
    from deepseekeyes.core.clock import Clock
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.routing.ports import Engine
    from deepseekeyes.routing.tally import Repetition
    from deepseekeyes.vision.settings import VisionSettings
    from deepseekeyes.vision.work import Work


@dataclass(frozen=True, slots=True)
class Job:
    """A reading that is handed on.

    Attributes:
        version: of the package that hands it on.
        threads: for one reading.
        readings: at the same time in one worker process.
    """

    route: Route
    work: Work
    verification: Verification
    settings: VisionSettings
    session_hash: str | None
    version: str
    threads: int
    readings: int


@dataclass(frozen=True, slots=True)
class Done:
    """What came of it: the key and content of a record, or the failure; and what to book either way."""

    key: str = ""
    content: dict[str, Any] | None = None
    error: EyesError | None = None
    events: tuple[UsageEvent, ...] = ()
    usage: TokenUsage | None = None
    calls: int = 0
    repetitions: tuple[Repetition, ...] = ()


@dataclass(frozen=True, slots=True)
class _Desk:
    """`ReadingDeps` of a worker; usage goes into a list."""

    job: Job
    clock: Clock
    events: list[UsageEvent] = field(default_factory=list)

    @property
    def settings(self) -> VisionSettings:
        return self.job.settings

    def engine(self, route: Route, purpose: Purpose) -> Engine:
        from deepseekeyes.routing.metered import Metered

        eye = _engine(route, self.job.threads, self.job.readings)
        return Metered(eye, self.events.append, self.clock, purpose, self.job.session_hash)


_engines: dict[tuple[str, int, int], Engine] = {}
_making = threading.Lock()


def prepare() -> None:
    """Make a process of a pool fit for its work: its parent alone answers to Ctrl-C, and it never outlives it."""
    import multiprocessing
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), name="parent-watch", daemon=True).start()


def _end_with(parent: Any) -> None:
    import os

    parent.join()
    os._exit(1)


def perform(job: Job) -> Done:
    """Read one picture. An expected failure is a result; anything else is raised."""
    import asyncio

    from deepseekeyes.core.clock import Clock
    from deepseekeyes.imaging.decode import decode
    from deepseekeyes.routing.tally import Tally
    from deepseekeyes.vision.route_reading import read_on

    desk, tally = _Desk(job, Clock()), Tally()
    key, content, error = "", None, None
    try:
        _check(job)
        decoded = decode(job.work.data, job.settings.limits, job.work.frame)
        key, content = asyncio.run(read_on(job.route, job.work, decoded, job.verification, desk, tally))
    except EyesError as trouble:
        error = trouble
    return Done(key, content, error, tuple(desk.events), tally.usage, tally.calls, tally.taken())


def _check(job: Job) -> None:
    """A record names the engine, its versions and its weights; a worker with others must not read.

    Raises:
        EyesError: WORKER_DIFFERS, LOCAL_EYE_MISSING.
    """
    from deepseekeyes.routing.adapters.local.identity import identity

    if job.version != __version__:
        raise EyesError(WORKER_DIFFERS, f"A worker runs version {__version__}, this process {job.version}.")
    if job.route.in_process and identity() != job.route.model:
        raise EyesError(WORKER_DIFFERS, "A worker has another local eye than this process.")


def _engine(route: Route, threads: int, readings: int) -> Engine:
    """The engine of this process; its networks are loaded once."""
    from deepseekeyes.core.telemetry import refuse_telemetry
    from deepseekeyes.routing.adapters.local.engine import LocalEye

    refuse_telemetry()
    with _making:
        key = route.engine, threads, readings
        if key not in _engines:
            _engines[key] = LocalEye(threads=threads, readings=readings)
        return _engines[key]
