"""Time that stands still, state in memory, and a scripted endpoint."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from scripted_model import ScriptedModel

from deepseekeyes.contracts.attempt import Attempt
from deepseekeyes.core.clock import Clock
from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.health import AlwaysReady
from deepseekeyes.routing.merge import read_entry
from deepseekeyes.routing.ports import EngineReply, EngineRequest, Message
from deepseekeyes.routing.settings import RoutingSettings
from deepseekeyes.routing.states import RouteStates
from deepseekeyes.routing.walk import WalkDeps
from deepseekeyes.store.documents import Documents

START = datetime(2026, 12, 1, 10, 0, tzinfo=UTC)


@dataclass
class HandClock:
    """A clock that tests move by hand."""

    at: datetime = START
    ids: int = 0

    def advance(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)

    def clock(self) -> Clock:
        return Clock(
            now=lambda: self.at,
            monotonic=lambda: (self.at - START).total_seconds(),
            new_id=self._id,
            randbelow=lambda n: n - 1,
        )

    def _id(self) -> str:
        self.ids += 1
        return f"id-{self.ids}"


@dataclass
class Bench:
    """Everything a walk needs, and what it left behind."""

    hand: HandClock = field(default_factory=HandClock)
    documents: Documents = field(default_factory=lambda: Documents(None))
    settings: RoutingSettings = field(default_factory=RoutingSettings)
    recorded: list[Attempt] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)

    @property
    def states(self) -> RouteStates:
        return RouteStates(self.documents, self.hand.clock(), self.settings)

    def deps(self, readiness: Any = None) -> WalkDeps:
        async def sleep(seconds: float) -> None:
            self.slept.append(seconds)
            self.hand.advance(seconds)

        return WalkDeps(self.states, readiness or AlwaysReady(), self.hand.clock(), self.recorded.append, sleep)

    @property
    def story(self) -> list[tuple[str, str, str, str | None]]:
        return [(one.route, one.phase, one.status, one.error_code) for one in self.recorded]


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def hand() -> HandClock:
    return HandClock()


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


def entry(route_id: str, **more: Any) -> Route:
    """A catalog entry of an invented id."""
    fields: dict[str, Any] = {
        "engine": "openai_chat",
        "base_url": "http://127.0.0.1:9/v1",
        "model": f"{route_id}-model",
        "capabilities": ["image_to_evidence"],
        **more,
    }
    return read_entry(route_id, fields)


@pytest.fixture
def make_entry() -> Callable[..., Route]:
    return entry


@pytest.fixture
def asked() -> EngineRequest:
    return EngineRequest("text_to_text", (Message("system", "be brief"), Message("user", "hello?")), max_tokens=64)


@dataclass
class ScriptedEngine:
    """An engine that plays a list of replies and failures."""

    plays: list[EngineReply | Exception]
    seen: list[EngineRequest] = field(default_factory=list)

    async def run(self, route: Route, request: EngineRequest) -> EngineReply:
        self.seen.append(request)
        play = self.plays.pop(0)
        if isinstance(play, Exception):
            raise play
        return play


@pytest.fixture
def scripted_engine() -> Callable[..., ScriptedEngine]:
    return lambda *plays: ScriptedEngine(list(plays))


@pytest.fixture
def failing() -> Callable[[Awaitable[Any]], EyesError]:
    """Run something that must fail and return the failure."""

    def fail(work: Awaitable[Any]) -> EyesError:
        async def run() -> None:
            await work

        with pytest.raises(EyesError) as caught:
            asyncio.run(run())
        return caught.value

    return fail
