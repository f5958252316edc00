"""A real host process with trial operations, and a way to call them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import trial_host

from deepseekeyes.operations import OPERATIONS
from deepseekeyes.session import listing, spawn
from deepseekeyes.session.client import Reply, Request, call
from deepseekeyes.session.descriptor import Place

START_S = 60.0
SERVERS = str(Path(__file__).resolve().parents[1] / "servers")


class Caller:
    """A port that remembers what it was told."""

    def __init__(self, piped: bytes = b"") -> None:
        self.piped = piped
        self.notes: list[str] = []
        self.noted = threading.Event()

    def stdin(self, limit: int, setting: str) -> bytes:
        return self.piped

    def progress(self, done: int, total: int | None, label: str) -> None:
        return

    def text(self, delta: str) -> None:
        return

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)
        self.noted.set()


class Trial:
    """Calls trial operations in the sessions of one home."""

    kind = "trial"

    def __init__(self, home: Path, environ: dict[str, str]) -> None:
        self.home = home
        self.environ = environ

    def place(self, name: str = "default") -> Place:
        return Place.of(self.home, self.kind, name)

    def start(self, place: Place) -> None:
        spawn.start(
            place,
            home=self.home,
            config=None,
            environ=self.environ,
            timeout_s=START_S,
            entry=trial_host.ENTRY,
        )

    @staticmethod
    def port(piped: bytes = b"") -> Caller:
        return Caller(piped)

    def __call__(self, verb: str, port: Caller | None = None, session: str = "default", **payload: Any) -> Reply:
        place = self.place(session)
        operation = f"trial.{verb}"
        request = Request(place, operation, {"session": session, **payload}, OPERATIONS[operation].life)
        return call(request, port or Caller(), lambda: self.start(place))


@pytest.fixture(autouse=True)
def _operations() -> Iterator[None]:
    before = dict(OPERATIONS)
    trial_host.register()
    yield
    OPERATIONS.clear()
    OPERATIONS.update(before)


@pytest.fixture
def trial(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Trial]:
    found = Trial(home, {**os.environ, "PYTHONPATH": SERVERS})
    yield found
    for place in listing.places(home, Trial.kind):
        listing.end(place, "test over")


@pytest.fixture
def background() -> Iterator[Callable[[Callable[[], Any]], threading.Thread]]:
    threads: list[threading.Thread] = []

    def start(work: Callable[[], Any]) -> threading.Thread:
        thread = threading.Thread(target=work)
        thread.start()
        threads.append(thread)
        return thread

    yield start
    for thread in threads:
        thread.join(60)
